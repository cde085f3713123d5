package sandbox

import (
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Frozen tables: plain data that scripts read and cannot change. See [interp.Frozen].

// frozenMetatable makes the metatable of the frozen tables of a State.
func (s *State) frozenMetatable() *lua.LTable {
	mt := s.NewTable()
	mt.RawSetString("__metatable", lua.LString("ecs.data"))
	mt.RawSetString("__newindex", s.NewFunction(func(L *lua.LState) int {
		L.RaiseError(interp.FrozenText)
		return 0
	}))
	interp.MarkFrozen(mt)
	return mt
}

// refuseFrozen raises an error if a library function is to change a frozen table.
func refuseFrozen(L *lua.LState, t *lua.LTable) {
	if interp.Frozen(t) {
		L.RaiseError(interp.FrozenText)
	}
}

// Frozen returns plain data as a Lua value whose tables are frozen. pairs gives the list, then the other keys in the order that plain data has.
func (s *State) Frozen(v ecs.Value) lua.LValue {
	f := freezer{s, map[string]lua.LValue{}}
	return f.value(v)
}

// A freezer makes the tables of one value.
type freezer struct {
	state *State
	names map[string]lua.LValue // strings of its own for all names: see interp/frozen.go
}

func (f *freezer) value(v ecs.Value) lua.LValue {
	switch v.Kind() {
	case ecs.NilValue:
		return lua.LNil
	case ecs.BoolValue:
		return lua.LBool(v.Bool())
	case ecs.StringValue:
		return lua.LString(v.Str())
	case ecs.TableValue:
		return f.table(v.Data())
	}
	return lua.LNumber(v.Float())
}

func (f *freezer) table(d *ecs.Data) *lua.LTable {
	t := f.state.NewTable()
	for k, v := range d.All() {
		interp.Set(t, f.key(k), f.value(v))
	}
	t.Metatable = f.state.frozen
	return t
}

// key returns a key as a Lua value.
func (f *freezer) key(k ecs.Value) lua.LValue {
	if k.Kind() != ecs.StringValue {
		return f.value(k)
	}
	name, ok := f.names[k.Str()]
	if !ok {
		name = lua.LString(strings.Clone(k.Str()))
		f.names[k.Str()] = name
	}
	return name
}
