package surface

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// Declarations by scripts: ecs.component, event, tag, resource and grid. They go to the world of the Host, normally
// while a file is loaded.

// declaring returns the world that declarations go to. It raises an error if there is none.
func (c call) declaring() *ecs.World {
	w := c.host.World()
	if w == nil {
		raise(c.LState, "ecs.%s: there is no world to declare it in", c.name)
	}
	return w
}

// declaredName returns argument 1, which must be a valid name. what says what it names, for the error.
func (c call) declaredName(what string) string {
	name := c.text(1, "name of "+what)
	if !identifier(name) {
		c.bad(1, "%q is no name: letters, digits and _, not a digit first", cut(name))
	}
	return name
}

// identifier reports whether a string is a valid name.
func identifier(s string) bool {
	for i, b := range []byte(s) {
		letter := b == '_' || b|0x20 >= 'a' && b|0x20 <= 'z'
		if !letter && (i == 0 || b < '0' || b > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 200
}

// declareComponent is ecs.component(name, fields). If scripts ask for removals of any component, the removals of
// this one are recorded, too.
func declareComponent(c call) int {
	w, name := c.declaring(), c.declaredName("a component")
	s := c.schema(2, name)
	id, err := w.DeclareComponent(name, s)
	c.check(err)
	if c.surface.tracking {
		w.TrackRemoved(id)
	}
	return 0
}

// declareEvent is ecs.event(name, fields, { input = true }). What is an input is only read in the source, by check.
func declareEvent(c call) int {
	w, name := c.declaring(), c.declaredName("an event")
	if c.arg(3) != lua.LNil {
		t := c.table(3)
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			if k != lua.LString("input") {
				raise(c.LState, "%s: an event has the option input, not %s%s", name, shown(k), meant(k.String(), []string{"input"}))
			}
			if _, ok := v.(lua.LBool); !ok {
				raise(c.LState, "%s: input is true or false, not %s", name, shown(v))
			}
		}
	}
	_, err := w.DeclareEvent(name, c.schema(2, name))
	c.check(err)
	return 0
}

// declareTag is ecs.tag(name).
func declareTag(c call) int {
	w, name := c.declaring(), c.declaredName("a tag")
	_, err := w.DeclareTag(name)
	c.check(err)
	return 0
}

// declareResource is ecs.resource("score", { type = "i32", default = 0 }): a resource with one value.
func declareResource(c call) int {
	w, name := c.declaring(), c.declaredName("a resource")
	f := c.field(name, "value", c.arg(2))
	_, err := w.DeclareResource(name, f.Type, f.Default)
	c.check(err)
	return 0
}

// schema returns the schema that argument n describes, a table of fields, which keep the order of the source.
func (c call) schema(n int, owner string) *ecs.Schema {
	var list []ecs.Field
	if c.args() >= n && (n == c.args() || c.arg(n) != lua.LNil) {
		t := c.table(n)
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			name, ok := k.(lua.LString)
			if !ok || !identifier(string(name)) {
				raise(c.LState, "%s: a field needs a name of letters, digits and _, not %s", owner, shown(k))
			}
			list = append(list, c.field(owner, string(name), v))
		}
	}
	s, err := ecs.NewSchema(list...)
	if err != nil {
		raise(c.LState, "%s: %w", owner, err)
	}
	return s
}

var fieldKeys = []string{"default", "type"}

// field returns the field that a declaration describes: "f64", or { type = "f64", default = 1 }.
func (c call) field(owner, name string, v lua.LValue) ecs.Field {
	where := owner + "." + name
	if name == "value" && c.name == "resource" {
		where = owner
	}
	f := ecs.Field{Name: name}
	typ, given := v, lua.LNil
	if t, ok := v.(*lua.LTable); ok {
		for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
			if key, ok := k.(lua.LString); !ok || !contains(fieldKeys, string(key)) {
				raise(c.LState, "%s: a field has a type and a default, not %s%s", where, shown(k), meant(k.String(), fieldKeys))
			}
		}
		typ, given = t.RawGetString("type"), t.RawGetString("default")
	}
	text, ok := typ.(lua.LString)
	if !ok {
		raise(c.LState, "%s: a type expected, such as %q, got %s", where, "f64", shown(typ))
	}
	if f.Type, ok = ecs.ParseFieldType(string(text)); !ok {
		c.check(unknownError{fmt.Sprintf("%s: %q is no type%s", where, cut(string(text)), meantType(string(text)))})
	}
	if given != lua.LNil {
		bare, err := ecs.NewSchema(ecs.Field{Name: name, Type: f.Type})
		c.check(err)
		if f.Default, err = c.surface.store(bare, 0, given); err != nil {
			path, why := partOf(err)
			raise(c.LState, "default of %s%s: %w", where, path, why)
		}
	}
	return f
}

// meantType suggests a type for a message, or lists all types.
func meantType(name string) string {
	if s := meant(name, ecs.FieldTypes()); s != "" {
		return s
	}
	out := "; the types are "
	for i, t := range ecs.FieldTypes() {
		if i > 0 {
			out += ", "
		}
		out += t
	}
	return out
}

// declareGrid is ecs.grid("units", { component = "Position", x = "x", y = "y", cell = 16 }). While files are
// loaded, the grid is declared at the end of loading, because a later file may declare the component.
func declareGrid(c call) int {
	w, name := c.declaring(), c.declaredName("a grid")
	t := c.table(2)
	keys := []string{"carry", "cell", "component", "x", "y"}
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if key, ok := k.(lua.LString); !ok || !contains(keys, string(key)) {
			raise(c.LState, "ecs.grid: a grid has component, x, y, cell and carry, not %s%s", shown(k), meant(k.String(), keys))
		}
	}
	part := func(key, otherwise string) string {
		switch v := t.RawGetString(key).(type) {
		case lua.LString:
			return string(v)
		case *lua.LNilType:
			if otherwise != "" {
				return otherwise
			}
		}
		raise(c.LState, "ecs.grid: %s must be a name, not %s", key, shown(t.RawGetString(key)))
		return ""
	}
	spec := ecs.GridSpec{Name: name, X: part("x", "x"), Y: part("y", "y")}
	component := part("component", "")
	cell, ok := t.RawGetString("cell").(lua.LNumber)
	if !ok {
		raise(c.LState, "ecs.grid: cell must be a number, not %s", shown(t.RawGetString("cell")))
	}
	spec.Cell = float64(cell)
	carry := ""
	if t.RawGetString("carry") != lua.LNil {
		carry = part("carry", "")
	}
	declare := func(w *ecs.World) error {
		id, ok := w.LookupComponent(component)
		if !ok {
			return undeclared(w, "ecs.grid", "component", component)
		}
		spec.Component = id
		if err := carried(w, carry, &spec); err != nil {
			return err
		}
		_, err := w.DeclareGrid(spec)
		return err
	}
	if c.surface.loading > 0 {
		c.surface.pending = append(c.surface.pending, Pending{c.surface.state.Where(), declare})
	} else {
		c.check(declare(w))
	}
	return 0
}

// carried sets what a grid carries besides positions. text is "Component.field", the name of a tag, or "" for
// nothing.
func carried(w *ecs.World, text string, spec *ecs.GridSpec) error {
	component, field, dotted := strings.Cut(text, ".")
	if !dotted {
		if spec.Carry.Tag = text; text != "" {
			if _, ok := w.LookupTag(text); !ok {
				return undeclared(w, "ecs.grid", "tag", text)
			}
		}
		return nil
	}
	id, ok := w.LookupComponent(component)
	if !ok {
		return undeclared(w, "ecs.grid", "component", component)
	}
	var fields []string
	info, _ := w.ComponentInfo(id)
	for _, f := range info.Schema.Fields() {
		fields = append(fields, f.Name)
	}
	if !contains(fields, field) {
		return fmt.Errorf("component %q has no field %q%s", component, field, meant(field, fields))
	}
	spec.Carry = ecs.Carried{Component: id, Field: field}
	return nil
}
