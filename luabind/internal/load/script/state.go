package script

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The state of a system: the field state of the table that its file returns. A replacement hands it over from the
// old instance to the new one.

// State returns the state of a system: a Lua table, or nil of Lua if it has none. It is read from the table of the
// system at each call.
func (i *Instance) State() lua.LValue {
	if i.table == nil {
		return lua.LNil
	}
	return i.table.RawGetString("state")
}

// SetState sets the state of a system. It reports whether the system can have one: it cannot if its file returned a
// function.
func (i *Instance) SetState(v lua.LValue) bool {
	if i.table == nil {
		return false
	}
	i.table.RawSetString("state", v)
	return true
}

// A shape is the keys of a table at its first level, with the types of their values.
type shape struct {
	keys  []lua.LValue // in the order of pairs
	types map[lua.LValue]lua.LValueType
}

// shapeOf returns the shape of a value; nil if it is no table.
func shapeOf(v lua.LValue) *shape {
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil
	}
	out := &shape{types: map[lua.LValue]lua.LValueType{}}
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		out.add(k, v.Type())
	}
	return out
}

func (s *shape) add(key lua.LValue, t lua.LValueType) {
	s.keys = append(s.keys, key)
	s.types[key] = t
}

// equals reports whether two shapes have the same keys with values of the same types.
func (s *shape) equals(other *shape) bool {
	return s != nil && other != nil && maps.Equal(s.types, other.types)
}

// list returns the shape as a list of keys and types, nil of Lua for none.
func (s *shape) list() lua.LValue {
	if s == nil {
		return lua.LNil
	}
	out := &lua.LTable{Metatable: lua.LNil}
	for _, k := range s.keys {
		out.Append(k)
		out.Append(lua.LNumber(s.types[k]))
	}
	return out
}

// shapeIn returns the shape that a list has; ok is false if it is none.
func shapeIn(v lua.LValue) (s *shape, ok bool) {
	t, isTable := v.(*lua.LTable)
	if !isTable {
		return nil, v == lua.LNil
	}
	s = &shape{types: map[lua.LValue]lua.LValueType{}}
	for i := 1; i < t.Len(); i += 2 {
		of, isType := t.RawGetInt(i + 1).(lua.LNumber)
		if !isType {
			return nil, false
		}
		s.add(t.RawGetInt(i), lua.LValueType(of))
	}
	return s, true
}

// Accepts reports whether the state of an older instance of the same system fits this one: both files wrote a state
// of the same shape, or the state of the older instance has become what this file writes.
func (i *Instance) Accepts(old *Instance) bool {
	if i.shape == nil || old.State().Type() != lua.LTTable {
		return false
	}
	return i.shape.equals(old.shape) || i.shape.equals(shapeOf(old.State()))
}

// CopyState returns a copy of the state: its tables are new, with the same keys in the same order, the same cycles
// and the same metatables. Other values are shared.
func (i *Instance) CopyState() lua.LValue { return i.Copied(i.State()) }

// Copied returns a copy of a value, as [Instance.CopyState] does of the state.
func (i *Instance) Copied(v lua.LValue) lua.LValue {
	return i.copied(v, map[*lua.LTable]*lua.LTable{})
}

// copied copies a value. made has the copies of the tables that were met before.
func (i *Instance) copied(v lua.LValue, made map[*lua.LTable]*lua.LTable) lua.LValue {
	from, ok := v.(*lua.LTable)
	if !ok {
		return v
	}
	if known := made[from]; known != nil {
		return known
	}
	to := i.set.host.State.NewTable()
	to.Metatable = from.Metatable
	made[from] = to
	c := sandbox.ContentsOf(from)
	c.Map(func(v lua.LValue) lua.LValue { return i.copied(v, made) })
	c.PutInto(to)
	return to
}
