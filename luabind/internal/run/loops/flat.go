package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	lua "github.com/yuin/gopher-lua"
)

// Lists of lists. A kernel gets their elements as one list, one inner list after the other.

// mostCells is the largest number of elements that are copied from a list of lists.
const mostCells = 1 << 14

// widthOf returns the number of elements in each inner list, which is that of the first one.
func widthOf(t *lua.LTable) int {
	if row, ok := t.RawGetInt(1).(*lua.LTable); ok {
		return row.Len()
	}
	return 0
}

// readFlat copies the elements of all inner lists. It returns why no kernel can work on the table; "" if one can.
func (in *tableInput) readFlat(t *lua.LTable) (why string) {
	e := &in.elements
	e.From, e.Values, in.rows = 1, e.Values[:0], in.rows[:0]
	if element(t, 0) != lua.LNil {
		return listAt0
	}
	width := widthOf(t)
	for y := 1; ; y++ {
		x := t.RawGetInt(y)
		if x == lua.LNil {
			break
		}
		row, ok := x.(*lua.LTable)
		switch {
		case !ok || !unmarked(row):
			return "has an element that is no list of numbers"
		case row.Len() != width:
			return otherWidth
		case len(e.Values)+width > mostCells:
			return tooWide
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

// putCell writes element j of the flat list back to its inner list.
func (in *tableInput) putCell(j int, x float64) {
	width := len(in.elements.Values) / len(in.rows)
	in.rows[j/width].RawSetInt(j%width+1, surface.Number(x))
}
