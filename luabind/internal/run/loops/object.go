package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	lua "github.com/yuin/gopher-lua"
)

// Objects: Lua tables with a metatable, whose __index is a table in which missing members are looked up.

// isObject reports whether a metatable is that of an object: its __index, and those of the tables behind it, are
// tables or nil, and nothing in it changes what an assignment to a member does.
func isObject(meta lua.LValue) bool {
	for range mostBases {
		m, ok := meta.(*lua.LTable)
		if !ok {
			return meta == lua.LNil
		}
		if m.RawGetString("__newindex") != lua.LNil {
			return false
		}
		switch index := m.RawGetString("__index").(type) {
		case *lua.LNilType:
			return true
		case *lua.LTable:
			meta = index.Metatable
		default:
			return false
		}
	}
	return false
}

// memberIn returns a member of a table. own says that an assignment to it changes nothing but this value: it is a
// value of the table itself, or nothing has it.
func memberIn(t *lua.LTable, name string) (v lua.LValue, own bool) {
	v = t.RawGetString(name)
	if v != lua.LNil || t.Metatable == lua.LNil || !isObject(t.Metatable) {
		return v, true
	}
	v = memberOf(t, name, nil)
	return v, v == lua.LNil
}

// eachBase calls visit for the tables in which members of an object are looked up that it does not have itself, until visit returns true. It
// reports whether that was so.
func eachBase(object *lua.LTable, visit func(base *lua.LTable) bool) bool {
	for range mostBases {
		meta, ok := object.Metatable.(*lua.LTable)
		if !ok {
			return false
		}
		if object, ok = meta.RawGetString("__index").(*lua.LTable); !ok {
			return false
		}
		if visit(object) {
			return true
		}
	}
	return false
}

// inheritsStored reports whether the loop stores in a table from which an object outside the loop inherits members. The kernel reads these
// once, when the loop begins. Tables in which rows store that they find at keys are claimed: see claimOthers.
func (v *variant) inheritsStored(s *site) bool {
	is := func(input int, t *lua.LTable) bool { return s.values[input] == lua.LValue(t) }
	stored := func(t *lua.LTable) bool {
		for i, of := range v.p.Tables {
			if of.Stored && (is(of.Input, t) || slices.Contains(v.tables[i].rows, t)) {
				return true
			}
		}
		for i, in := range s.template.Inputs {
			if in.Member != "" && in.Assigned && is(s.bases[i], t) {
				return true
			}
		}
		return slices.ContainsFunc(v.p.Sinks, func(of ir.Sink) bool { return is(of.Input, t) }) ||
			slices.ContainsFunc(v.p.Keyed, func(of ir.Keyed) bool { return of.Stored && is(of.Input, t) })
	}
	for i := range s.template.Inputs {
		if t, ok := s.values[i].(*lua.LTable); ok && v.used[i] && eachBase(t, stored) {
			return true
		}
	}
	return false
}
