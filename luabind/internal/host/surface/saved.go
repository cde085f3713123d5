package surface

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Snapshots: what the userdata consist of that scripts may keep in variables. Views, events and queries are made again
// from their parts. The world, its objects and its functions have names, because there is one of each.

// Originals calls visit for the values that scripts may hold and that a world has by itself: see [sandbox.Original].
func (w *World) Originals(visit func(sandbox.Original)) {
	methods := func(group string, of lua.LValue) {
		visit(sandbox.Original{Group: group, Name: "object", Value: of})
		table := of.(*lua.LUserData).Metatable.(*lua.LTable).RawGetString("__index").(*lua.LTable)
		for k, v := table.Next(lua.LNil); k != lua.LNil; k, v = table.Next(k) {
			visit(sandbox.Original{Group: group, Name: k.String(), Value: v})
		}
	}
	methods("world", w.value)
	methods("world.commands", w.commands)
	visit(sandbox.Original{Group: "world.resources", Name: "object", Value: w.resources})
	visit(sandbox.Original{Group: "world", Name: "layers", Value: w.layers})
	visit(sandbox.Original{Group: "world", Name: "states", Value: w.states})
	for k, v := w.surface.ofLayers.Next(lua.LNil); k != lua.LNil; k, v = w.surface.ofLayers.Next(k) {
		visit(sandbox.Original{Group: "layer", Name: k.String(), Value: v})
	}
	for _, name := range w.ecs.LayerNames() {
		if l := w.byLayer[name]; l != nil {
			visit(sandbox.Original{Group: "world.layers", Name: name, Value: l.value})
		}
	}
	for _, name := range w.ecs.ResourceNames() {
		if r := w.byResource[name]; r != nil && !r.single {
			visit(sandbox.Original{Group: "world.resources", Name: name, Value: r.view})
		}
	}
}

// Record returns the object of a resource with several fields.
func (w *World) Record(name string) (lua.LValue, error) {
	r, err := w.resource(name)
	if err == nil && r.single {
		err = fmt.Errorf("resource %q has no fields", name)
	}
	if err != nil {
		return nil, err
	}
	return r.view, nil
}

// SavedLayer returns the object of a layer that a variable of a snapshot holds. Every use of one that is no longer declared is an error.
func (w *World) SavedLayer(name string) lua.LValue {
	v, err := w.Layer(name)
	if err != nil {
		ud := &lua.LUserData{}
		_ = w.lose(ud, "layer", []lua.LValue{lua.LString(name)}, err) // has no error
		return ud
	}
	return v
}

// Parts returns what [World.Remake] needs to make a userdata again; ok is false for a userdata that it cannot make.
func (w *World) Parts(ud *lua.LUserData) (kind string, parts []lua.LValue, ok bool) {
	text := func(s string) { parts = append(parts, lua.LString(s)) }
	switch v := ud.Value.(type) {
	case *view:
		text(v.component.name)
		return "view", append(parts, lua.LNumber(v.ref.Entity())), true
	case *array:
		if v.component == nil {
			text(v.resource.name)
			text(v.schemaField().Name)
			return "array", parts, true
		}
		text(v.component.name)
		text(v.schemaField().Name)
		return "array", append(parts, lua.LNumber(v.ref.Entity())), true
	case *event:
		text(v.kind.name)
		for i, f := range v.kind.schema.Fields() {
			text(f.Name)
			switch {
			case v.isTable(i):
				parts = append(parts, w.surface.uncharged(v.data[i]), lua.LNil)
			default:
				value, reason := v.boxed(i), lua.LValue(lua.LNil)
				if ud, ok := value.(*lua.LUserData); ok {
					value, reason = lua.LNil, lua.LString(ud.Value.(error).Error())
				}
				parts = append(parts, value, reason)
			}
		}
		return "event", parts, true
	case *query:
		for _, key := range append([]string{""}, queryKeys...) {
			if list := v.lists[key]; len(list) > 0 {
				text(key)
				parts = append(parts, lua.LNumber(len(list)))
				for _, name := range list {
					text(name)
				}
			}
		}
		return "query", parts, true
	case *gone:
		return v.kind, v.parts, true
	}
	return "", nil, false
}

// A gone is a view or an event of something that is no longer declared. Every use of it is an error.
type gone struct {
	kind  string
	parts []lua.LValue
}

// lose makes the userdata a gone.
func (w *World) lose(ud *lua.LUserData, kind string, parts []lua.LValue, why error) error {
	raise := func(L *lua.LState) int {
		sandbox.Raise(L, fmt.Errorf("the %s is from a snapshot: %w", kind, why))
		return 0
	}
	ud.Value = &gone{kind, parts}
	ud.Metatable = w.surface.metatable(kind, raise, raise, func(L *lua.LState) int {
		L.Push(lua.LString(kind + " (" + why.Error() + ")"))
		return 1
	})
	return nil
}

// errParts is the error for parts that Parts has not returned.
var errParts = errors.New("a view, an event or a query in a script variable is damaged")

// Remake begins a userdata of a kind. fill completes it from the parts that [World.Parts] has returned; the world must have
// its declarations by then. ok is false if there is no such kind.
func (w *World) Remake(kind string) (ud *lua.LUserData, fill func(parts []lua.LValue) error, ok bool) {
	switch kind {
	case "view":
		v := &view{}
		v.LUserData = lua.LUserData{Value: v, Metatable: w.surface.views}
		return &v.LUserData, func(parts []lua.LValue) error { return w.fillView(v, parts) }, true
	case "array":
		a := w.surface.newArray(array{})
		return &a.LUserData, func(parts []lua.LValue) error { return w.fillArray(a, parts) }, true
	case "event":
		e := &event{}
		e.LUserData = lua.LUserData{Value: e, Metatable: w.surface.events}
		return &e.LUserData, func(parts []lua.LValue) error { return w.fillEvent(e, parts) }, true
	case "layer": // that was gone already
		ud := &lua.LUserData{}
		return ud, func(parts []lua.LValue) error {
			if len(parts) != 1 || parts[0].Type() != lua.LTString {
				return errParts
			}
			is, _ := w.SavedLayer(parts[0].String()).(*lua.LUserData)
			ud.Value, ud.Metatable = is.Value, is.Metatable
			return nil
		}, true
	case "query":
		q := &query{lists: map[string][]string{}, plans: map[*World]*plan{}}
		return w.surface.state.NewUserData(q, w.surface.queries), q.fill, true
	}
	return nil, nil, false
}

// texts returns values that must be strings.
func texts(values []lua.LValue) ([]string, bool) {
	out := make([]string, len(values))
	for i, v := range values {
		s, ok := v.(lua.LString)
		if !ok {
			return nil, false
		}
		out[i] = string(s)
	}
	return out, true
}

// fillView completes a view.
func (w *World) fillView(v *view, parts []lua.LValue) error {
	if len(parts) != 2 {
		return errParts
	}
	name, ok := parts[0].(lua.LString)
	number, isNumber := parts[1].(lua.LNumber)
	e, isEntity := ecs.EntityFromNumber(float64(number))
	if !ok || !isNumber || !isEntity {
		return errParts
	}
	c, err := w.component("", string(name))
	if err != nil {
		return w.lose(&v.LUserData, "view", parts, err)
	}
	if c.relation {
		return errParts
	}
	v.component, v.ref = c, w.ecs.Ref(e, c.id)
	return nil
}

// fillArray completes an array.
func (w *World) fillArray(a *array, parts []lua.LValue) error {
	if len(parts) < 2 || len(parts) > 3 {
		return errParts
	}
	names, ok := texts(parts[:2])
	if !ok {
		return errParts
	}
	lost := func(err error) error { return w.lose(&a.LUserData, "array", parts, err) }
	var schema *ecs.Schema
	if len(parts) == 2 {
		r, err := w.resource(names[0])
		if err != nil {
			return lost(err)
		}
		a.resource, schema = r, r.row.Schema()
	} else {
		number, isNumber := parts[2].(lua.LNumber)
		e, isEntity := ecs.EntityFromNumber(float64(number))
		if !isNumber || !isEntity {
			return errParts
		}
		c, err := w.component("", names[0])
		if err != nil {
			return lost(err)
		}
		if c.relation {
			return errParts
		}
		a.component, a.ref, schema = c, w.ecs.Ref(e, c.id), c.schema
	}
	if a.field = schema.Index(names[1]); a.field < 0 {
		return lost(noField(names[0], schema, names[1]))
	}
	if schema.Fields()[a.field].Type.Len() == 0 {
		return lost(fmt.Errorf("%s.%s is no array any more", names[0], names[1]))
	}
	return nil
}

// fillEvent completes an event. Fields that the event no longer has are dropped; new ones have their defaults.
func (w *World) fillEvent(e *event, parts []lua.LValue) error {
	if len(parts)%3 != 1 {
		return errParts
	}
	name, ok := parts[0].(lua.LString)
	if !ok {
		return errParts
	}
	k, err := w.event("", string(name))
	if err != nil {
		return w.lose(&e.LUserData, "event", parts, err)
	}
	e.kind, e.value = k, e.few[:0]
	was := map[string][]lua.LValue{}
	for p := parts[1:]; len(p) > 0; p = p[3:] {
		field, ok := p[0].(lua.LString)
		if !ok {
			return errParts
		}
		was[string(field)] = p[1:3]
	}
	fields := k.schema.Fields()
	for i := range fields {
		x := was[fields[i].Name]
		if x == nil {
			x = []lua.LValue{w.surface.Lua(fields[i].Default), lua.LNil}
		}
		if err := w.fillField(e, i, x[0], x[1]); err != nil {
			return fmt.Errorf("a script variable holds an event %s: %s: %w", k.name, fields[i].Name, err)
		}
	}
	return nil
}

// fillField sets field i of an event; reason is the text of its error, nil of Lua if it has none.
func (w *World) fillField(e *event, i int, v, reason lua.LValue) error {
	fields := e.kind.schema.Fields()
	if text, ok := reason.(lua.LString); ok {
		e.value = append(e.value, interp.Of(&lua.LUserData{Value: errors.New(string(text))}))
		return nil
	}
	if inData(fields[i].Type) {
		if v == lua.LNil || v.Type() == lua.LTNumber || v.Type() == lua.LTBool { // a new array has its default
			v = w.surface.state.NewTable()
		}
		t, ok := v.(*lua.LTable)
		if !ok {
			return errParts
		}
		d, err := w.surface.data(t)
		if err != nil {
			return err
		}
		if e.data == nil {
			e.data = make([]*ecs.Data, len(fields))
		}
		e.data[i] = d
		e.value = append(e.value, interp.False)
		return nil
	}
	if v == lua.LNil && fields[i].Type == ecs.EntityField {
		v = lua.LNumber(0)
	}
	if _, err := w.surface.store(e.kind.schema, i, v); err != nil {
		return err
	}
	e.value = append(e.value, interp.Of(v))
	return nil
}

// fill completes a query. Its names are looked up when it is used.
func (q *query) fill(parts []lua.LValue) error {
	for len(parts) > 0 {
		if len(parts) < 2 {
			return errParts
		}
		key, ok := parts[0].(lua.LString)
		n, isNumber := parts[1].(lua.LNumber)
		if !ok || !isNumber || key != "" && !contains(queryKeys, string(key)) || q.lists[string(key)] != nil || !(n >= 1 && n <= lua.LNumber(len(parts)-2)) {
			return errParts
		}
		names, ok := texts(parts[2 : 2+int(n)])
		if !ok || key == "prefabs" && (len(names) != 1 || names[0] != "true") {
			return errParts
		}
		q.lists[string(key)] = names
		parts = parts[2+int(n):]
	}
	return nil
}
