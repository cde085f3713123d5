package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// What the Lua tables around a loop hold, for lowering: judged by some of their values, or by the source before the loop begins.

// kindOfTable returns the kind of a table without a metatable. It judges by the first value, or by what the loop
// assigns if the table is empty. A kernel checks each value that it reads, so a wrong guess only costs time.
func kindOfTable(t *lua.LTable, in lower.Input) lower.Kind {
	k := lower.Kind{InputKind: lower.TableInput, Map: !interp.IsList(t) || t.Len() > fewElements}
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

// firstValue returns the element at 1 or 0; without these the last one of the list part, or the first value that pairs
// gives. A list part whose first keys are large begins with many nils, which are not searched.
func firstValue(t *lua.LTable) lua.LValue {
	for key := range 2 {
		if v := element(t, 1-key); v != lua.LNil {
			return v
		}
	}
	if v := interp.LastItem(t); v != lua.LNil {
		return v
	}
	_, v := t.Next(lua.LNil)
	return v
}

// A sample shows what the inputs of a loop hold. It implements [lower.Tables].
type sample struct{ values []lua.LValue }

// mostSampled is the largest number of entries of a table that are searched for a member.
const mostSampled = 256

// Member implements [lower.Tables].
func (s sample) Member(input int, name string) (m ir.Member, ok bool) {
	m.Name = name
	table, isTable := s.values[input].(*lua.LTable)
	if !isTable {
		return m, false
	}
	n := 0
	for k, v := table.Next(lua.LNil); k != lua.LNil && n < mostSampled; k, v = table.Next(k) {
		n++
		row, isRow := v.(*lua.LTable)
		if !isRow {
			continue
		}
		switch x := memberOf(row, name, nil).(type) {
		case lua.LNumber:
			return m, true
		case lua.LBool:
			m.Type = ir.Bool
			return m, true
		case lua.LString:
			m.Type = ir.Text
			return m, true
		case *lua.LUserData:
			if e, id, isView := surface.ViewOf(x); isView {
				key, isNumber := k.(lua.LNumber)
				m.Kind, m.Component, m.Own = ir.View, id, isNumber && float64(key) == e.Number()
				return m, true
			}
		}
	}
	return m, false
}

// Named implements [lower.Tables].
func (s sample) Named(input int) bool {
	table, ok := s.values[input].(*lua.LTable)
	if !ok {
		return true
	}
	k, _ := table.Next(lua.LNil)
	for n := 0; k != lua.LNil && n < mostSampled; n++ {
		if _, isText := k.(lua.LString); isText {
			return true
		}
		k, _ = table.Next(k)
	}
	return false
}

// Lists implements [lower.Tables].
func (s sample) Lists(input int) bool {
	table, ok := s.values[input].(*lua.LTable)
	if !ok {
		return true
	}
	k, v := table.Next(lua.LNil)
	for n := 0; k != lua.LNil && n < mostSampled; n++ {
		if list, ok := v.(*lua.LTable); ok {
			_, isNumber := list.RawGetInt(1).(lua.LNumber)
			if !interp.IsList(list) || !isNumber && list.Len() > 0 || element(list, 0) != lua.LNil {
				return false
			}
		}
		k, v = table.Next(k)
	}
	return true
}

// Inner implements [lower.Tables].
func (s sample) Inner(input int) (t ir.Type, known bool) {
	table, ok := s.values[input].(*lua.LTable)
	if !ok {
		return 0, false
	}
	k, v := table.Next(lua.LNil)
	for n := 0; k != lua.LNil && n < mostSampled; n++ {
		if row, isRow := v.(*lua.LTable); isRow {
			switch firstValue(row).(type) {
			case lua.LNumber:
				return ir.Number, true
			case lua.LBool:
				return ir.Bool, true
			case lua.LString:
				return ir.Text, true
			case *lua.LNilType:
			default:
				return ir.Any, true
			}
		}
		k, v = table.Next(k)
	}
	return 0, false
}

// Even implements [lower.Tables].
func (s sample) Even(input int) bool {
	table, ok := s.values[input].(*lua.LTable)
	if !ok {
		return true
	}
	if element(table, 0) != lua.LNil {
		return false
	}
	width := widthOf(table)
	if width == 0 && table.Len() > 0 {
		return false
	}
	for i := range min(table.Len(), mostSampled) {
		if list, ok := table.RawGetInt(i + 1).(*lua.LTable); ok && list.Len() != width {
			return false
		}
	}
	return true
}

// shown returns what the tables of a loop hold, before it runs: known values are in values, and the source shows
// others.
func (l *Loop) shown(t *lower.Template, values []lua.LValue) lower.Tables {
	return seeming{l, t, sample{values}}
}

// A seeming is what shown returns. It implements [lower.Tables].
type seeming struct {
	l     *Loop
	of    *lower.Template
	known sample
}

// Member implements [lower.Tables].
func (s seeming) Member(input int, name string) (m ir.Member, ok bool) {
	m.Name = name
	if _, ok := s.known.values[input].(*lua.LTable); ok {
		return s.known.Member(input, name)
	}
	in := s.of.Inputs[input]
	table, ok := s.l.origin(in.Variable).Value.(*ast.TableExpr)
	if !ok || in.Member != "" {
		return m, false
	}
	for _, f := range table.Fields {
		row, ok := f.Value.(*ast.TableExpr)
		if !ok {
			continue
		}
		for _, of := range row.Fields {
			if key, ok := of.Key.(*ast.StringExpr); ok && key.Value == name {
				m.Type, ok = s.l.kindOfExpr(of.Value).ValueType()
				return m, ok
			}
		}
	}
	return m, false
}

// Named implements [lower.Tables].
func (s seeming) Named(input int) bool {
	if _, ok := s.known.values[input].(*lua.LTable); ok {
		return s.known.Named(input)
	}
	in := s.of.Inputs[input]
	table, ok := s.l.origin(in.Variable).Value.(*ast.TableExpr)
	if !ok || in.Member != "" || len(table.Fields) == 0 {
		return true
	}
	for _, f := range table.Fields {
		if _, ok := f.Key.(*ast.StringExpr); ok {
			return true
		}
	}
	return false
}

// Lists implements [lower.Tables].
func (s seeming) Lists(input int) bool { return s.known.Lists(input) }

// Inner implements [lower.Tables].
func (s seeming) Inner(input int) (ir.Type, bool) { return s.known.Inner(input) }

// Even implements [lower.Tables].
func (s seeming) Even(input int) bool { return s.known.Even(input) }
