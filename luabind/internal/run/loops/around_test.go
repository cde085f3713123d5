package loops

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// The function around a loop is the innermost one that begins and ends around its line.
func TestAround(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines [][2]int // of functions: where each begins and ends
		line  int      // of the loop
		want  int      // an index; -1 for none
	}{
		{"none", nil, 5, -1},
		{"one around", [][2]int{{3, 8}}, 5, 0},
		{"one line", [][2]int{{5, 5}}, 5, 0},
		{"the first line", [][2]int{{5, 8}}, 5, 0},
		{"the last line", [][2]int{{3, 5}}, 5, 0},
		{"one before", [][2]int{{1, 4}}, 5, -1},
		{"one behind", [][2]int{{6, 9}}, 5, -1},
		{"one before and one around", [][2]int{{1, 2}, {3, 8}}, 5, 1},
		{"one inside that is over", [][2]int{{1, 9}, {3, 4}}, 5, 0},
		{"one inside that is not begun", [][2]int{{1, 9}, {6, 7}}, 5, 0},
		{"one inside", [][2]int{{1, 9}, {4, 6}}, 5, 1},
		{"one inside that comes first", [][2]int{{4, 6}, {1, 9}}, 5, 0},
		{"two on one line", [][2]int{{5, 5}, {5, 5}}, 5, 1},
	} {
		var functions []*lua.LFunction
		for _, l := range c.lines {
			functions = append(functions, &lua.LFunction{Proto: &lua.FunctionProto{LineDefined: l[0], LastLineDefined: l[1]}})
		}
		var want *lua.LFunction
		if c.want >= 0 {
			want = functions[c.want]
		}
		if got := (&Loop{Line: c.line}).around(functions); got != want {
			t.Errorf("%s: not the function that is around the loop", c.name)
		}
	}
}
