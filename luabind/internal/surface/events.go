package surface

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Events: their Lua values, world:send, and the query that is about events of the world (removed).

// An eventType is what this package keeps about a declared event.
type eventType struct {
	world  *World
	id     ecs.EventID
	name   string
	schema *ecs.Schema
}

// An event is one event as a Lua value: a read-only copy of the fields, which stays valid when the event is no
// longer in the log.
type event struct {
	lua.LUserData
	kind  *eventType
	value []lua.LValue // by field; nil for a table
	few   [4]lua.LValue
	data  []*ecs.Data // by field, of events that have table fields
}

// asValue returns the event as a value of the interpreter.
func (e *event) asValue() interp.Value { return interp.Value{Ref: &e.LUserData} }

// event makes the Lua value of an event.
func (k *eventType) event(row ecs.Row) *event {
	e := &event{kind: k}
	e.LUserData = lua.LUserData{Value: e, Metatable: k.world.surface.events}
	fields := k.schema.Fields()
	e.value = e.few[:0]
	if len(fields) > len(e.few) {
		e.value = make([]lua.LValue, 0, len(fields))
	}
	for i, f := range fields {
		if f.Type == ecs.TableField {
			if e.data == nil {
				e.data = make([]*ecs.Data, len(fields))
			}
			e.data[i] = row.Get(i).Data()
			e.value = append(e.value, nil)
			continue
		}
		v, err := k.world.field(row, i, f.Type)
		if err != nil {
			v = &lua.LUserData{Value: err} // raised when the field is read
		}
		e.value = append(e.value, v)
	}
	return e
}

// get returns field i. A table is a new copy. The error is about a number that Lua cannot hold exactly.
func (e *event) get(i int) (lua.LValue, error) {
	switch v := e.value[i].(type) {
	case nil:
		return e.kind.world.surface.table(e.data[i]), nil
	case *lua.LUserData:
		return nil, fmt.Errorf("get %s.%s: %w", e.kind.name, e.kind.schema.Fields()[i].Name, v.Value.(error))
	default:
		return v, nil
	}
}

// eventOf returns the event that is value 1 of a metamethod.
func eventOf(L *lua.LState) *event {
	if ud, ok := L.Get(1).(*lua.LUserData); ok {
		if e, ok := ud.Value.(*event); ok {
			return e
		}
	}
	raise(L, "event expected, got %s", typeName(L, 1))
	return nil
}

// eventIndex is __index of events: it pushes a field.
func eventIndex(L *lua.LState) int {
	e := eventOf(L)
	name, ok := L.Get(2).(lua.LString)
	if !ok {
		raise(L, "%s has named fields only, not [%s]", e.kind.name, sandbox.ToString(L, L.Get(2)))
	}
	i := e.kind.schema.Index(string(name))
	if i < 0 {
		sandbox.Raise(L, noField(e.kind.name, e.kind.schema, string(name)))
	}
	v, err := e.get(i)
	if err != nil {
		sandbox.Raise(L, err)
	}
	L.Push(v)
	return 1
}

// eventNewIndex is __newindex of events. It always raises an error.
func eventNewIndex(L *lua.LState) int {
	e := eventOf(L)
	raise(L, "an event is read-only: %s.%s cannot be assigned", e.kind.name, cut(sandbox.ToString(L, L.Get(2))))
	return 0
}

// eventString is __tostring of events.
func eventString(L *lua.LState) int {
	e := eventOf(L)
	s := e.kind.world.surface
	out := []byte(e.kind.name + " {")
	for i, f := range e.kind.schema.Fields() {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(append(out, f.Name...), " = "...)
		switch v := e.value[i].(type) {
		case nil:
			out = s.appendText(out, ecs.TableOf(e.data[i]))
		case lua.LNumber:
			if f.Type == ecs.EntityField {
				out = append(out, entityOf(v).String()...)
			} else {
				out = append(out, sandbox.NumberText(float64(v))...)
			}
		case *lua.LUserData:
			out = append(append(append(out, '<'), v.Value.(error).Error()...), '>')
		default:
			x, _ := scalar(v)
			out = s.appendText(out, x)
		}
		if len(out) > s.state.MaxString() {
			break
		}
	}
	return s.pushText(L, append(out, '}'))
}

// sending checks the arguments of send. The slice is valid until the next call.
func (c call) sending() (*eventType, []ecs.FieldValue) {
	k := c.event(1)
	if c.args() < 2 || c.arg(2) == lua.LNil {
		return k, nil
	}
	s := c.w.spawning()
	var err error
	s.fields, err = c.w.surface.values(s.fields, c.table(2), k.schema, "send", ecs.None, k.name)
	c.check(err)
	return k, s.fields
}

// send is world:send(name, fields). The event is in the log at once; fields that are not given have their defaults.
func send(c call) int {
	k, fields := c.sending()
	c.check(c.w.ecs.Send(k.id, fields...))
	return 0
}

// take removes the first n events from the log, and keeps those that loops over world:peek have not reached.
func (w *World) take(k *eventType, n int) {
	others := w.peeks[:0]
	for _, l := range w.peeks {
		if l.kind != k {
			others = append(others, l)
			continue
		}
		l.taken = true
		for i := l.next; i < l.events.Len(); i++ {
			l.kept = append(l.kept, k.event(l.events.Row(i)))
		}
	}
	clear(w.peeks[len(others):])
	w.peeks = others
	w.ecs.Take(k.id, n)
}

// removed is world:removed(name): a loop over the entities that have lost the component in the window of the
// system. It only knows removals that the world has recorded.
func removed(c call) int {
	w, k := c.w, c.component(1)
	list := w.ecs.Removed(nil, k.id)
	return c.entities(list)
}
