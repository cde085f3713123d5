package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Records: tables that rows make at new keys of a table (ir.PutRow). A kernel keeps their members until it ends; here they become Lua
// tables, as their constructors make them.

// A rowLayout is what tables have in common that one constructor makes.
type rowLayout struct {
	first   ir.Sequence // as the constructor gives the members
	names   []lua.LValue
	members []int          // by names: indexes in ir.Keyed.Members
	layout  *interp.Layout // nil if there is none
}

// Make implements [kernel.Keyed]. The constructor has been paid for by the row, its key is paid for as in Put.
func (in *keyedInput) Make(key kernel.Key, s ir.Sequence, values []kernel.Slot) {
	l := in.layoutOf(s)
	row := in.lists.take(key, in.p.Key)
	switch {
	case row != nil: // it has elements already
		for i, name := range l.names {
			row.RawSet(name, in.made(values, l.members[i]))
		}
	default:
		var t interp.TableMaker
		if l.layout != nil {
			t = l.layout.Table(0)
		} else {
			t = interp.NewTable(0, len(l.names))
		}
		for i, name := range l.names {
			t.Set(name, in.made(values, l.members[i]))
		}
		row = t.Table()
	}
	if in.p.Key == ir.Number {
		bytes, _ := setNumber(in.table, key.N, row, &in.boxes)
		in.pay(bytes)
		return
	}
	in.budget.Allocate(interp.GrowthBytes(in.table, lua.LString(key.S), row))
	in.table.RawSetString(key.S, row)
}

// made returns a member of a table that rows have made.
func (in *keyedInput) made(values []kernel.Slot, member int) lua.LValue {
	return luaValue(values[member], in.p.Members[member].Type)
}

// layoutOf returns the layout of a table that rows have made.
func (in *keyedInput) layoutOf(s ir.Sequence) *rowLayout {
	first := s.Constructor()
	i := slices.IndexFunc(in.layouts, func(l rowLayout) bool { return l.first == first })
	if i < 0 {
		l := rowLayout{first: first}
		for i := range s.First() {
			if m := s.At(i); in.p.Members[m].Kind != ir.ListLength {
				l.names, l.members = append(l.names, lua.LString(in.p.Members[m].Name)), append(l.members, m)
			}
		}
		l.layout = interp.NewLayout(l.names...)
		i, in.layouts = len(in.layouts), append(in.layouts, l)
	}
	return &in.layouts[i]
}
