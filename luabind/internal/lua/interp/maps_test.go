package interp

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// The check of the runtime's maps finds maps that have other names than it expects, and leaves maps that it accepts as they were.
func TestCheckMap(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"}
	for _, n := range []int{0, 1, 7, 8, 9, 12} {
		m := map[string]lua.LValue{}
		for i := range n {
			m[names[i]] = lua.LNumber(i)
		}
		if !checkMap(m, names, n) {
			t.Errorf("a map with %d names is refused", n)
		}
		for i := range n {
			if m[names[i]] != lua.LNumber(i) {
				t.Errorf("of %d names, %q has %v", n, names[i], m[names[i]])
			}
		}
		if checkMap(m, names, n+1) || n > 0 && checkMap(m, names, n-1) {
			t.Errorf("a map with %d names passes for one with more, or fewer", n)
		}
		if n > 0 {
			other := append([]string{"z"}, names...)
			if checkMap(m, other, n) {
				t.Errorf("a map with %d names passes for one with another name", n)
			}
			twice := append([]string{names[n]}, names[:n-1]...)
			if checkMap(m, twice, n) {
				t.Errorf("a map with %d names passes for one that lacks the first", n)
			}
		}
	}
}

// A name that a large map has, and that stands behind those which are expected, is found.
func TestCheckMapFindsUnexpectedNames(t *testing.T) {
	t.Parallel()
	m := map[string]lua.LValue{"a": lua.LTrue, "b": lua.LFalse}
	if checkMap(m, []string{"a", "c", "b"}, 2) || checkMap(m, []string{"a", "a", "b"}, 2) {
		t.Error("a map passes for one without a name that it has")
	}
}
