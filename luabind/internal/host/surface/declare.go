package surface

import (
	"fmt"
	"math"
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
	if name == "value" && (c.name == "resource" || c.name == "layer") {
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
	var err error
	if given != lua.LNil {
		if f.Default, err = c.given(name, f.Type, given); err != nil {
			path, why := partOf(err)
			raise(c.LState, "default of %s%s: %w", where, path, why)
		}
	}
	return f
}

// given returns a default of a type: for an array a list, or the value of each item.
func (c call) given(name string, t ecs.FieldType, v lua.LValue) (ecs.Value, error) {
	if t.Len() > 0 && v.Type() == lua.LTTable {
		return c.surface.list(t, v)
	}
	bare, err := ecs.NewSchema(ecs.Field{Name: name, Type: t.Elem()})
	c.check(err)
	return c.surface.store(bare, 0, v)
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

// declareLayer is ecs.layer("ground", { type = "u8", width = 80, height = 40, wrap = false, default = 1 }).
func declareLayer(c call) int {
	w, name := c.declaring(), c.declaredName("a layer")
	t := c.table(2)
	keys := []string{"default", "height", "type", "width", "wrap"}
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if key, ok := k.(lua.LString); !ok || !contains(keys, string(key)) {
			raise(c.LState, "layer %q has type, width, height, wrap and default, not %s%s", name, shown(k), meant(k.String(), keys))
		}
	}
	f := c.field(fmt.Sprintf("layer %q", name), "value", c.fieldOf(t))
	spec := ecs.LayerSpec{Name: name, Type: f.Type, Default: f.Default}
	spec.Width, spec.Height, spec.Wrap = c.area(fmt.Sprintf("layer %q", name), t, ecs.MaxLayerCells, false)
	_, err := w.DeclareLayer(spec)
	c.check(err)
	return 0
}

// area reads width, height and wrap of what a table declares. Without a size, which optional allows, they are 0.
func (c call) area(what string, t *lua.LTable, most int, optional bool) (width, height int, wrap bool) {
	size := func(key string) int {
		v := t.RawGetString(key)
		if v == lua.LNil && optional {
			return 0
		}
		f, ok := v.(lua.LNumber)
		n, whole := wholeOf(float64(f))
		if !ok || !whole || n < 1 || n > most {
			raise(c.LState, "%s: %s must be a whole number from 1 to %d, not %s", what, key, most, shown(v))
		}
		return n
	}
	width, height = size("width"), size("height")
	switch v := t.RawGetString("wrap").(type) {
	case *lua.LNilType:
	case lua.LBool:
		wrap = bool(v)
	default:
		raise(c.LState, "%s: wrap is true or false, not %s", what, shown(v))
	}
	return width, height, wrap
}

// fieldOf returns the part of a table that describes a field.
func (c call) fieldOf(t *lua.LTable) *lua.LTable {
	out := c.surface.state.NewTable()
	for _, key := range fieldKeys {
		if v := t.RawGetString(key); v != lua.LNil {
			out.RawSetString(key, v)
		}
	}
	return out
}

// declareGrid is ecs.grid("units", { component = "Position", x = "x", y = "y", cell = 16, query = q }). While files are
// loaded, the grid is declared at the end of loading, because a later file may declare the component.
func declareGrid(c call) int {
	w, name := c.declaring(), c.declaredName("a grid")
	t := c.table(2)
	keys := []string{"carry", "cell", "component", "query", "x", "y"}
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if key, ok := k.(lua.LString); !ok || !contains(keys, string(key)) {
			raise(c.LState, "ecs.grid: a grid has component, x, y, cell, carry and query, not %s%s", shown(k), meant(k.String(), keys))
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
	switch cell := t.RawGetString("cell").(type) {
	case *lua.LNilType:
	case lua.LNumber:
		if spec.Cell = float64(cell); !(cell > 0) || math.IsInf(spec.Cell, 0) {
			raise(c.LState, "ecs.grid: the cell width must be a positive number, not %s", shown(cell))
		}
	default:
		raise(c.LState, "ecs.grid: cell must be a number, not %s", shown(cell))
	}
	var among *query
	v := t.RawGetString("query")
	if q, ok := v.(*lua.LUserData); ok {
		among, _ = q.Value.(*query)
	}
	if among == nil && v != lua.LNil {
		raise(c.LState, "ecs.grid: query must be what ecs.query{ … } returns, not %s", shown(v))
	}
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
		if among != nil {
			f, err := among.filter(w)
			if err != nil {
				return err
			}
			if spec.Query, err = w.Query(f); err != nil {
				return err
			}
			defer spec.Query.Release()
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
