package interp

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// TestPackedKnown says that tables in one piece are in use with this version of Go.
func TestPackedKnown(t *testing.T) {
	if !mapsKnown || !packedKnown {
		t.Fatalf("this version of Go is not known: maps %v, tables in one piece %v", mapsKnown, packedKnown)
	}
	for n := 1; n <= mostPacked; n++ {
		names := make([]lua.LValue, n)
		for i := range names {
			names[i] = lua.LString("name" + string(rune('a'+i)))
		}
		l := newLayout(names)
		for i := range names {
			if !l.check(i) {
				t.Errorf("%d names, without %d", n, i)
			}
		}
	}
}
