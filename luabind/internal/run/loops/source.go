package loops

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	lua "github.com/yuin/gopher-lua"
)

// Where an input of a template comes from when the loop begins: an argument of RUN, an upvalue of a function that was
// inlined, a global, or a member of the table in one of these.

// A source says where the value of a variable is when a loop begins.
type source struct {
	arg   int         // index of the argument of RUN, if cell and env are nil; -1 if the value is not known
	cell  *cell       // the upvalue of an inlined function
	env   *lua.LTable // of a global: the environment that has it
	name  string      // of a global
	table *lua.LTable // the value itself, if it is a table that no variable holds
	path  *path       // of a table that stands for a path in the source: see reach.go; arg is -1
}

// An opening is a call whose function the template does not know.
type opening struct {
	source
	member string
}

// value returns the value that a variable has now, given the arguments of RUN; nil if it is not known.
func (f source) value(args []lua.LValue) lua.LValue {
	switch {
	case f.cell != nil:
		return f.cell.up.Value()
	case f.env != nil:
		return f.env.RawGetString(f.name)
	case f.table != nil:
		return f.table
	case f.path != nil:
		return f.path.value(args)
	}
	if f.arg < 0 {
		return nil
	}
	return args[f.arg]
}

// memberOf returns a member of a table, or of the tables in its chain of __index; nil of Lua if there is none, or
// if v is not a table. It calls visit, if that is not nil, for each table and metatable that it looks into.
func memberOf(v lua.LValue, name string, visit func(*lua.LTable)) lua.LValue {
	if name == lower.CallName {
		return callOf(v, visit)
	}
	for range mostBases {
		t, ok := v.(*lua.LTable)
		if !ok {
			break
		}
		if visit != nil {
			visit(t)
		}
		if x := t.RawGetString(name); x != lua.LNil {
			return x
		}
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		if visit != nil {
			visit(meta)
		}
		v = meta.RawGetString("__index")
	}
	return lua.LNil
}

// callOf returns the function that the metatable of a table has for calls of the table; nil of Lua if there is none.
func callOf(v lua.LValue, visit func(*lua.LTable)) lua.LValue {
	t, ok := v.(*lua.LTable)
	if !ok {
		return lua.LNil
	}
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return lua.LNil
	}
	if visit != nil {
		visit(t)
		visit(meta)
	}
	return meta.RawGetString("__call")
}

// mostBases is the largest number of tables in which a member is looked up.
const mostBases = 8

// called returns what a place of a call holds now: a variable, or a member of the table in it.
func called(from source, member string, args []lua.LValue) lua.LValue {
	v := from.value(args)
	for member != "" && v != nil {
		name, rest, _ := strings.Cut(member, lower.PathSeparator)
		v, member = memberOf(v, name, nil), rest
	}
	return v
}
