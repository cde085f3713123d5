package surface

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
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
	value []interp.Value // by field; False for a table
	few   [4]interp.Value
	data  []*ecs.Data // by field, of events that have table fields
}

// inData reports whether an event has a field of a type in its data: a table, or an array, which is a list there.
func inData(t ecs.FieldType) bool { return t == ecs.TableField || t.Len() > 0 }

// isTable reports whether field i is a table or an array.
func (e *event) isTable(i int) bool {
	return e.data != nil && inData(e.kind.schema.Fields()[i].Type)
}

// asValue returns the event as a value of the interpreter.
func (e *event) asValue() interp.Value { return interp.Value{Ref: &e.LUserData} }

// event makes the Lua value of an event.
func (k *eventType) event(row ecs.Row) *event {
	e := &event{kind: k}
	e.LUserData = lua.LUserData{Value: e, Metatable: k.world.surface.events}
	e.value = e.few[:0]
	if n := len(k.schema.Fields()); n > len(e.few) {
		e.value = make([]interp.Value, 0, n)
	}
	e.fill(row)
	return e
}

// fill sets the fields of an event to those of a row.
func (e *event) fill(row ecs.Row) {
	e.value = e.value[:0]
	fields := e.kind.schema.Fields()
	for i := range fields {
		t := fields[i].Type
		if inData(t) {
			if e.data == nil {
				e.data = make([]*ecs.Data, len(fields))
			}
			e.data[i] = row.Get(i).Data()
			e.value = append(e.value, interp.False)
			continue
		}
		switch t {
		case ecs.F64, ecs.F32, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8:
			e.value = append(e.value, interp.Number(row.Number(i)))
		case ecs.EntityField:
			e.value = append(e.value, interp.Number(float64(row.Get(i).Entity())))
		default:
			v, err := e.kind.world.field(row, i, t)
			if err != nil {
				v = &lua.LUserData{Value: err} // raised when the field is read
			}
			e.value = append(e.value, interp.Of(v))
		}
	}
}

// get returns field i. A table is a new copy. The error is about a number that Lua cannot hold exactly.
func (e *event) get(i int) (lua.LValue, error) {
	if e.isTable(i) {
		return e.kind.world.surface.table(e.data[i]), nil
	}
	switch v := e.boxed(i).(type) {
	case *lua.LUserData:
		return nil, fmt.Errorf("get %s.%s: %w", e.kind.name, e.kind.schema.Fields()[i].Name, v.Value.(error))
	default:
		return v, nil
	}
}

// boxed returns field i, which is no table, as a value of gopher-lua.
func (e *event) boxed(i int) lua.LValue {
	v := e.value[i]
	switch {
	case !v.IsNumber():
		return v.Ref
	case e.kind.schema.Fields()[i].Type == ecs.EntityField:
		return e.kind.world.box(v)
	}
	return number(v.Num)
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
	if s := e.kind.world.surface; e.isTable(i) {
		if s.state.WritesPath(L) {
			L.Push(s.live(e, i, e.data[i]))
		} else {
			L.Push(s.reads(L, e.data[i]))
		}
		return 1
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
		if e.isTable(i) {
			out = s.appendText(out, ecs.TableOf(e.data[i]))
			if len(out) > s.state.MaxString() {
				break
			}
			continue
		}
		switch v := e.boxed(i).(type) {
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
	s.fields, err = c.w.surface.values(s.fields, c.fieldsTable(2, k.schema), k.schema, "send", ecs.None, k.name)
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
	return c.entities("removed", list)
}
