package loops

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Lua tables that a kernel looks up by strings, or by numbers. A kernel asks for each key once in a walk, so that a walk over few rows does not
// read a large table.

// A keyedInput is a table of Program.Keyed while a kernel runs. It implements [kernel.Keyed].
type keyedInput struct {
	number int // in Program.Keyed
	p      *ir.Keyed
	table  *lua.LTable
	alone  *owners // nil: nothing is assigned to tables in this loop
	reader interp.Reader
	boxes  interp.Boxes
}

// beginKeyed gives the kernel the tables that it looks up; false when one is no table.
func (v *variant) beginKeyed(s *site) bool {
	v.owners.list = v.owners.list[:0]
	if v.writer != nil {
		for _, t := range v.writer.sinks { // no key may hold one
			v.owners.claim(t, -1, kernel.Key{})
		}
	}
	for i := range v.keyed {
		in := &v.keyed[i]
		table, ok := s.values[in.p.Input].(*lua.LTable)
		if !ok {
			v.left = fmt.Sprintf("%q is no table", s.template.Inputs[in.p.Input].Text())
			return false
		}
		in.table = table
		v.kernel.SetKeyed(i, in)
	}
	return true
}

// endKeyed forgets the tables.
func (v *variant) endKeyed() {
	for i := range v.keyed {
		v.keyed[i].table = nil
	}
	clear(v.owners.list)
}

// newKeyed returns the tables of a Program. writes says that the loop assigns to some table.
func (v *variant) newKeyed(p *ir.Program) {
	v.owners = &owners{}
	v.keyed = make([]keyedInput, len(p.Keyed))
	for i := range v.keyed {
		v.keyed[i] = keyedInput{number: i, p: &p.Keyed[i]}
		if v.writes || len(p.Sinks) > 0 {
			v.keyed[i].alone = v.owners
		}
	}
}

// Find is that of [kernel.Keyed].
func (in *keyedInput) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	x := in.get(key)
	if x == lua.LNil {
		return kernel.Absent
	}
	if !in.p.Rows {
		var ok bool
		if values[0], ok = slotOf(x, in.p.Type); !ok {
			return kernel.Unfit
		}
		return kernel.Found
	}
	row, ok := x.(*lua.LTable)
	if !ok || row.Metatable != lua.LNil || in.alone != nil && !in.alone.claim(row, in.number, key) {
		return kernel.Unfit
	}
	for i, m := range in.p.Members {
		if values[i], ok = slotOf(row.RawGetString(m.Name), m.Type); !ok {
			return kernel.Unfit
		}
	}
	return kernel.Found
}

// get returns the value at a key.
func (in *keyedInput) get(key kernel.Key) lua.LValue {
	if in.p.Key == ir.Number {
		return in.reader.Get(in.table, key.N)
	}
	return in.table.RawGetString(key.S)
}

// slotOf returns a value as kernels have it; false when it is of another type.
func slotOf(x lua.LValue, t ir.Type) (s kernel.Slot, ok bool) {
	switch x := x.(type) {
	case *lua.LNilType:
		return s, true
	case lua.LNumber:
		return kernel.Slot{Has: true, N: float64(x)}, t == ir.Number
	case lua.LBool:
		s.Has = true
		if x {
			s.N = 1
		}
		return s, t == ir.Bool
	case lua.LString:
		return kernel.Slot{Has: true, S: string(x)}, t == ir.Text
	}
	return s, false
}

// Put is that of [kernel.Keyed].
func (in *keyedInput) Put(key kernel.Key, member int, v kernel.Slot) {
	switch {
	case member >= 0:
	case in.p.Key == ir.Number:
		setNumber(in.table, key.N, luaValue(v, in.p.Type), &in.boxes)
		return
	default:
		in.table.RawSetString(key.S, luaValue(v, in.p.Type))
		return
	}
	m := in.p.Members[member]
	in.get(key).(*lua.LTable).RawSetString(m.Name, luaValue(v, m.Type))
}

// luaValue returns a value of a kernel as Lua has it.
func luaValue(v kernel.Slot, t ir.Type) lua.LValue {
	switch {
	case !v.Has:
		return lua.LNil
	case t == ir.Bool:
		return lua.LBool(v.N != 0)
	case t == ir.Text:
		return lua.LString(v.S)
	}
	return surface.Number(v.N)
}

// owners are the tables that stand at keys, in a loop that assigns to tables: what is assigned to a table through one key must not be
// seen through another.
type owners struct{ list []owner }

type owner struct {
	row    *lua.LTable
	number int // of the keyed table it was found in; -1: it is an input by itself
	key    kernel.Key
}

// mostOwners bounds the tables that are compared with each new one.
const mostOwners = 256

// claim reports whether a table was found nowhere else so far.
func (o *owners) claim(row *lua.LTable, number int, key kernel.Key) bool {
	for _, known := range o.list {
		if known.row == row {
			return known.number == number && known.key == key
		}
	}
	o.list = append(o.list, owner{row, number, key})
	return len(o.list) <= mostOwners
}

// kindOfTable returns what a table without a metatable is for a kernel: its first value tells, or what the loop assigns to an empty
// table. A kernel checks what it reads, so that a wrong guess costs time only.
func kindOfTable(t *lua.LTable, in lower.Input) lower.Kind {
	k := lower.Kind{InputKind: lower.TableInput, Map: !interp.IsList(t) || t.Len() > mostElements}
	switch firstValue(t).(type) {
	case *lua.LTable:
		k.Rows = true
	case lua.LBool:
		k.Type = ir.Bool
	case lua.LString:
		k.Type = ir.Text
	case *lua.LNilType:
		k.Type, k.Empty = in.Puts, in.Looked && in.Filled
	}
	return k
}

// firstValue returns the element at 1 or 0, or the first value that pairs gives.
func firstValue(t *lua.LTable) lua.LValue {
	for key := range 2 {
		if v := element(t, 1-key); v != lua.LNil {
			return v
		}
	}
	_, v := t.Next(lua.LNil)
	return v
}

// A sample shows what the inputs of a loop hold: it implements [lower.Tables].
type sample struct{ values []lua.LValue }

// mostSampled bounds the tables that are asked for a member.
const mostSampled = 256

// Member is that of [lower.Tables].
func (s sample) Member(input int, name string) (t ir.Type, ok bool) {
	table, isTable := s.values[input].(*lua.LTable)
	if !isTable {
		return 0, false
	}
	n := 0
	for k, v := table.Next(lua.LNil); k != lua.LNil && n < mostSampled; k, v = table.Next(k) {
		n++
		row, isRow := v.(*lua.LTable)
		if !isRow {
			continue
		}
		switch row.RawGetString(name).(type) {
		case lua.LNumber:
			return ir.Number, true
		case lua.LBool:
			return ir.Bool, true
		case lua.LString:
			return ir.Text, true
		}
	}
	return 0, false
}

// shown returns what the tables of a loop seem to hold before it runs: values has those that are known by now, and the source shows
// others.
func (l *Loop) shown(t *lower.Template, values []lua.LValue) lower.Tables {
	return seeming{l, t, sample{values}}
}

// seeming is what a loop's tables seem to hold.
type seeming struct {
	l     *Loop
	of    *lower.Template
	known sample
}

// Member is that of [lower.Tables].
func (s seeming) Member(input int, name string) (ir.Type, bool) {
	if _, ok := s.known.values[input].(*lua.LTable); ok {
		return s.known.Member(input, name)
	}
	in := s.of.Inputs[input]
	table, ok := s.l.origin(in.Variable).Value.(*ast.TableExpr)
	if !ok || in.Member != "" {
		return 0, false
	}
	for _, f := range table.Fields {
		row, ok := f.Value.(*ast.TableExpr)
		if !ok {
			continue
		}
		for _, m := range row.Fields {
			if key, ok := m.Key.(*ast.StringExpr); ok && key.Value == name {
				return typeOfKind(s.l.kindOfExpr(m.Value).Kind)
			}
		}
	}
	return 0, false
}

// typeOfKind returns the type of a value; false for one that is no number, boolean or string.
func typeOfKind(k lower.Kind) (ir.Type, bool) {
	switch k.InputKind {
	case lower.NumberInput:
		return ir.Number, true
	case lower.BoolInput:
		return ir.Bool, true
	case lower.TextInput:
		return ir.Text, true
	default:
		return 0, false
	}
}
