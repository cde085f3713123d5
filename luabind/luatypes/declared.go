package luatypes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// This file writes what a world declares: components and events as classes, names as unions of strings.

// declared is what a world declares, in the order of declaration.
type declared struct {
	components, events, resources []record
	layers                        []*ecs.AnyLayer
	states                        []ecs.StateSpec
	relations, tags, grids        []string
	many                          map[string]bool // relations with many targets
	indexes, prefabs              []string
	queries                       []api.Terms
}

// A record is a named list of fields.
type record struct {
	name   string
	fields []ecs.Field
}

func newDeclared(w *ecs.World) *declared {
	d := &declared{relations: w.RelationNames(), many: map[string]bool{}, tags: w.TagNames(), grids: w.GridNames(), indexes: w.IndexNames(), prefabs: w.PrefabNames()}
	for _, name := range w.ComponentNames() {
		id, _ := w.LookupComponent(name)
		if info, _ := w.ComponentInfo(id); info.Relation {
			d.many[name] = info.Many
		} else {
			d.components = append(d.components, record{name, info.Schema.Fields()})
		}
	}
	for _, name := range w.EventNames() {
		id, _ := w.LookupEvent(name)
		d.events = append(d.events, record{name, w.EventSchema(id).Fields()})
	}
	for _, name := range w.LayerNames() {
		d.layers = append(d.layers, w.LookupLayer(name))
	}
	for id := range w.StateNames() {
		d.states = append(d.states, w.StateSpec(ecs.StateID(id)))
	}
	for _, name := range w.ResourceNames() {
		id, _ := w.LookupResource(name)
		d.resources = append(d.resources, record{name, w.Resource(id).Schema().Fields()})
	}
	return d
}

// luaTypes are the types of field values in Lua.
var luaTypes = map[ecs.FieldType]string{
	ecs.F64: "number", ecs.F32: "number",
	ecs.I64: "integer", ecs.U64: "integer", ecs.I32: "integer", ecs.U32: "integer", ecs.I16: "integer", ecs.U16: "integer", ecs.I8: "integer", ecs.U8: "integer",
	ecs.Bool: "boolean", ecs.String: "string", ecs.EntityField: "ecs.Entity", ecs.TableField: "table",
}

// luaType returns the LuaCATS type of a field.
func luaType(t ecs.FieldType) string {
	if name, ok := luaTypes[t.Elem()]; ok {
		if t.Len() > 0 {
			name += "[]"
		}
		return name
	}
	panic("luatypes: no Lua type for fields of type " + t.String())
}

// taken are the names that a component's class cannot have, because they mean a type of Lua.
var taken = []string{
	"any", "boolean", "false", "fun", "function", "integer", "lightuserdata", "nil", "number", "self", "string", "table", "thread", "true", "unknown", "userdata", "ecs",
}

// class returns the class of a component's views: its own name, with which world:each finds it.
func (d *declared) class(component string) string {
	if slices.Contains(taken, component) {
		return "ecs.component." + component
	}
	return component
}

func eventClass(event string) string { return "ecs.event." + event }

func (d *declared) write(b *strings.Builder) {
	union(b, "ecs.FieldType", "The types of fields.", ecs.FieldTypes())
	union(b, "ecs.ComponentName", "The components of this config.", names(d.components))
	union(b, "ecs.RelationName", "The relations of this config.", d.relations)
	fmt.Fprintf(b, "---@alias ecs.PartName ecs.ComponentName|ecs.RelationName\n\n")
	union(b, "ecs.TagName", "The tags of this config.", d.tags)
	union(b, "ecs.EventName", "The events of this config.", names(d.events))
	var states []string
	for _, s := range d.states {
		states = append(states, s.Name)
	}
	union(b, "ecs.StateName", "The states of this config.", states)
	union(b, "ecs.GridName", "The grids of this config.", d.grids)
	union(b, "ecs.IndexName", "The indexes of this config.", d.indexes)
	union(b, "ecs.PrefabName", "The prefabs of this config.", d.prefabs)
	for _, c := range d.components {
		classes(b, d.class(c.name), "ecs.View", fmt.Sprintf("The component %s.", c.name), c.fields)
	}
	for _, r := range d.relations {
		which := "its target"
		if d.many[r] {
			which = "the first of its targets"
		}
		fmt.Fprintf(b, "---The relation %s: a loop yields %s.\n---@class %s: ecs.Entity\n\n", r, which, r)
	}
	for _, e := range d.events {
		classes(b, eventClass(e.name), "", fmt.Sprintf("The event %s.", e.name), e.fields)
	}
	d.writeQueries(b)
	d.writeParts(b)
	d.writeResources(b)
	b.WriteString("---The states of this config.\n---@class ecs.States\n")
	for _, s := range d.states {
		fmt.Fprintf(b, "---@field %s %s\n", s.Name, quoted(s.Values))
	}
	b.WriteString("\n---The layers of this config.\n---@class ecs.Layers\n")
	for _, l := range d.layers {
		fmt.Fprintf(b, "---@field %s ecs.Layer %s\n", l.Spec().Name, l.Spec())
	}
	b.WriteString("\n")
}

// quoted returns a union of strings: "menu"|"over".
func quoted(values []string) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = fmt.Sprintf("%q", v)
	}
	return strings.Join(list, "|")
}

// union writes an alias for some strings. Without any it is string, because nothing is known.
func union(b *strings.Builder, alias, doc string, values []string) {
	if len(values) == 0 {
		fmt.Fprintf(b, "---%s There are none.\n---@alias %s string\n\n", doc, alias)
		return
	}
	fmt.Fprintf(b, "---%s\n---@alias %s\n", doc, alias)
	for _, v := range values {
		fmt.Fprintf(b, "---| %q\n", v)
	}
	b.WriteString("\n")
}

// classes writes two classes for a record: one to read, with all fields, and one to write, in which each may be left out.
func classes(b *strings.Builder, class, parent, doc string, fields []ecs.Field) {
	if parent != "" {
		parent = ": " + parent
	}
	fmt.Fprintf(b, "---%s\n---@class %s%s\n", doc, class, parent)
	for _, f := range fields {
		fmt.Fprintf(b, "---@field %s %s %s\n", f.Name, luaType(f.Type), f.Type)
	}
	fmt.Fprintf(b, "\n---@class %s.Fields\n", class)
	for _, f := range fields {
		fmt.Fprintf(b, "---@field %s? %s %s\n", f.Name, luaType(f.Type), f.Type)
	}
	b.WriteString("\n")
}

// writeParts writes what world:spawn takes.
func (d *declared) writeParts(b *strings.Builder) {
	b.WriteString("---What world:spawn takes: components and relations by name, tags and components at their defaults in the list part.\n---@class ecs.Parts\n")
	b.WriteString("---@field [integer] ecs.TagName|ecs.ComponentName\n")
	for _, c := range d.components {
		fmt.Fprintf(b, "---@field %s? %s.Fields\n", c.name, d.class(c.name))
	}
	for _, r := range d.relations {
		kind := "ecs.Entity"
		if d.many[r] {
			kind += "|ecs.Entity[]"
		}
		fmt.Fprintf(b, "---@field %s? %s\n", r, kind)
	}
	b.WriteString("\n")
}

// writeResources writes world.resources. A resource that Go registered as a struct is a class of its own.
func (d *declared) writeResources(b *strings.Builder) {
	single := func(r record) bool { return len(r.fields) == 1 && r.fields[0].Name == "value" }
	for _, r := range d.resources {
		if !single(r) {
			classes(b, "ecs.resource."+r.name, "", fmt.Sprintf("The resource %s.", r.name), r.fields)
		}
	}
	b.WriteString("---The resources of this config.\n---@class ecs.Resources\n")
	for _, r := range d.resources {
		if single(r) {
			fmt.Fprintf(b, "---@field %s %s %s\n", r.name, luaType(r.fields[0].Type), r.fields[0].Type)
		} else {
			fmt.Fprintf(b, "---@field %s ecs.resource.%s\n", r.name, r.name)
		}
	}
	b.WriteString("\n")
}

func names(records []record) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i] = r.name
	}
	return out
}
