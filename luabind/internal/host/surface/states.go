package surface

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// world.states, which reads the states of a world, and world.commands:state, which asks for a change.

// A stateTable is the object world.states.
type stateTable struct {
	world *World
	last  []stateText // by state
}

// A stateText is a value of a state as a Lua string, so that reading it again allocates nothing.
type stateText struct {
	text  string
	value lua.LValue
}

// bindStates makes the object world.states.
func (w *World) bindStates() {
	t := &stateTable{world: w}
	w.states = w.surface.state.NewUserData(t, w.surface.metatable("states", t.index, func(L *lua.LState) int {
		sandbox.Raise(L, StatesObject.Assigned(sandbox.ToString(L, L.Get(2))))
		return 0
	}, func(L *lua.LState) int {
		L.Push(lua.LString("world.states"))
		return 1
	}))
}

// States returns the object world.states.
func (w *World) States() lua.LValue { return w.states }

// value returns the value of a state; nil if there is none of that name.
func (t *stateTable) value(name string) lua.LValue {
	w := t.world.ecs
	id, ok := w.LookupState(name)
	if !ok {
		return nil
	}
	for len(t.last) <= int(id) {
		t.last = append(t.last, stateText{})
	}
	last := &t.last[id]
	if text := w.State(id); last.text != text {
		*last = stateText{text, lua.LString(text)}
	}
	return last.value
}

// index is __index of world.states.
func (t *stateTable) index(L *lua.LState) int {
	name, ok := L.Get(2).(lua.LString)
	switch {
	case t.world.surface.loading > 0:
		raise(L, "world.states while a file is being loaded: a file declares things and returns functions; only those get at a world")
	case !ok:
		raise(L, "world.states has named values only, not [%s]", sandbox.ToString(L, L.Get(2)))
	}
	v := t.value(string(name))
	if v == nil {
		sandbox.Raise(L, undeclared(t.world.ecs, "world.states", "state", string(name)))
	}
	L.Push(v)
	return 1
}

// GetField does what index does.
func (t *stateTable) GetField(_ *interp.Field, key string, out *interp.Value) bool {
	if t.world.surface.loading > 0 {
		return false
	}
	v := t.value(key)
	if v == nil {
		return false
	}
	*out = interp.Value{Ref: v}
	return true
}

// SetField returns false, because states are changed by a command.
func (t *stateTable) SetField(*interp.Field, string, *interp.Value) bool { return false }

// queueState is world.commands:state(name, value).
func queueState(c call) int {
	name := c.text(1, "name of a state")
	c.check(apart(c.w.ecs, c.full, name))
	value := c.text(2, "value of the state")
	c.check(KnownState(c.w.ecs, c.full, name, value))
	id, _ := c.w.ecs.LookupState(name)
	c.check(c.queue().State(id, value))
	return 0
}

// apart returns an error for the name of a state with the value behind it, as the config has them.
func apart(w *ecs.World, by, name string) error {
	state, value, both := strings.Cut(name, ".")
	if _, known := w.LookupState(state); !both || !known {
		return nil
	}
	return unknownError{fmt.Sprintf("the value of a state stands apart: write %s(%q, %q)", by, cut(state), cut(value))}
}

// KnownState returns nil if a state has a value, otherwise the error that the use of the value will raise. If by is "" and the state is not declared, it returns nil.
func KnownState(w *ecs.World, by, name, value string) error {
	id, ok := w.LookupState(name)
	if !ok {
		if by == "" {
			return nil
		}
		if err := apart(w, by, name); err != nil {
			return err
		}
		return undeclared(w, by, "state", name)
	}
	values := w.StateSpec(id).Values
	if slices.Contains(values, value) {
		return nil
	}
	if suffix := meant(value, values); suffix != "" {
		return unknownError{fmt.Sprintf("state %q has no value %q%s", name, cut(value), suffix)}
	}
	return unknownError{fmt.Sprintf("state %q has no value %q; it has %s", name, cut(value), strings.Join(values, ", "))}
}

// errStateAssigned is raised by an assignment to world.states.NAME.
func errStateAssigned(name string) error {
	return fmt.Errorf("world.states is read-only; write world.commands:state(%q, …), which changes it at the beginning of the next frame", cut(name))
}
