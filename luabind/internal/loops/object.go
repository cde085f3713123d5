package loops

import (
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
