package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// Lists of lists, which a kernel has as one list, row after row.

// mostCells bounds the elements that are copied of a list of lists.
const mostCells = 1 << 14

// widthOf returns how many elements each row of a list of lists has: as many as the first one.
func widthOf(t *lua.LTable) int {
	if row, ok := t.RawGetInt(1).(*lua.LTable); ok {
		return row.Len()
	}
	return 0
}

// readFlat takes the elements of all rows. It says what of the table is not what a kernel works on, "" for one that is.
func (in *tableInput) readFlat(t *lua.LTable) (why string) {
	e := &in.elements
	e.From, e.Values, in.rows = 1, e.Values[:0], in.rows[:0]
	width := widthOf(t)
	for y := 1; ; y++ {
		x := t.RawGetInt(y)
		if x == lua.LNil {
			break
		}
		row, ok := x.(*lua.LTable)
		switch {
		case !ok || row.Metatable != lua.LNil:
			return "has an element that is no list of numbers"
		case row.Len() != width:
			return "has lists of different lengths"
		case len(e.Values)+width > mostCells:
			return "has more than 16,384 elements in its lists"
		}
		in.rows = append(in.rows, row)
		for i := 1; i <= width; i++ {
			n, ok := row.RawGetInt(i).(lua.LNumber)
			if !ok {
				return "has an element that is no list of numbers"
			}
			e.Values = append(e.Values, float64(n))
		}
	}
	in.before = append(in.before[:0], e.Values...)
	return ""
}

// putCell writes the j-th element back.
func (in *tableInput) putCell(j int, x float64) {
	width := len(in.elements.Values) / len(in.rows)
	in.rows[j/width].RawSetInt(j%width+1, surface.Number(x))
}
