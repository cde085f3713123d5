package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// Lists of lists, and lists at the keys of a table. A kernel gets their elements as one list, one inner list after the other.

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
		case !ok || row.Metatable != lua.LNil:
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

// listsARow is how many elements of lists are copied at most for each row that the loop is going to visit, and listsAlways how many in any
// case. Closures use lists where they are.
const (
	listsARow   = 8
	listsAlways = 64
)

// readJoined copies the elements of all lists at the keys of a table that have numbers only. Others are no lists for the kernel. rows is how
// many rows the loop is going to visit. It returns why no kernel can work on the table; "" if one can.
func (in *tableInput) readJoined(t *lua.LTable, rows int) (why string) {
	e := &in.elements
	e.From, e.Values, in.rows = 1, e.Values[:0], in.rows[:0]
	if in.starts == nil {
		in.starts = map[*lua.LTable]int{}
	}
	clear(in.starts)
	in.before = in.before[:0]
	most := listsARow*rows + listsAlways
	items, named, others, keys := interp.Parts(t)
	for _, x := range items {
		if in.join(x); len(e.Values) > most {
			return joinedTooMany
		}
	}
	for _, k := range keys {
		if s, ok := k.(lua.LString); ok {
			in.join(named[string(s)])
		} else {
			in.join(others[k])
		}
		if len(e.Values) > most {
			return joinedTooMany
		}
	}
	return ""
}

// join copies the elements of a list.
func (in *tableInput) join(x lua.LValue) {
	list, ok := x.(*lua.LTable)
	if !ok {
		return
	}
	items, _, others, _ := interp.Parts(list)
	if len(others) > 0 { // such as an element at 0
		return
	}
	e := &in.elements
	start := len(e.Values)
	for _, x := range items[:list.Len()] {
		n, ok := x.(lua.LNumber)
		if !ok {
			e.Values = e.Values[:start]
			return
		}
		e.Values = append(e.Values, float64(n))
	}
	in.starts[list] = start
}

// putCell writes element j of the flat list back to its inner list.
func (in *tableInput) putCell(j int, x float64) {
	width := len(in.elements.Values) / len(in.rows)
	in.rows[j/width].RawSetInt(j%width+1, surface.Number(x))
}
