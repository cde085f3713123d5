package ecs

import (
	"fmt"
	"strings"
)

// What the trace of a failing run says: lines that read like calls in Go. Nothing here is called unless a trace is wanted.

// describeSetup says what kind of world the first byte of a stream asks for.
func describeSetup(setup byte) string {
	options, rest := "", ""
	if setup&1 != 0 {
		options = "MaxEntities: 150"
	}
	if setup&2 != 0 {
		options += strings.Repeat(", ", min(1, len(options))) + "Memory: &countingMemory{}"
	}
	if setup&4 != 0 {
		rest += "; its first slots have nearly their last generation"
	}
	if setup&8 != 0 {
		rest += "; its tick is 40 before the base of the stamps moves"
	}
	return fmt.Sprintf("w := newWorld(Options{%s}) // setup %#02x%s", options, setup, rest)
}

// components lists the names of components.
func (r *machine) components(ids []ComponentID) string { return strings.TrimPrefix(r.list(ids), ", ") }

// values names the fields of a component that are set.
func (r *machine) values(id ComponentID, fields []FieldValue) string {
	if !r.tracing {
		return ""
	}
	var list []string
	for _, f := range fields {
		list = append(list, fmt.Sprintf("%s: %s", r.m.schema(id).Fields()[f.Index].Name, f.Value))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// filter is a filter with the names of its components.
func (r *machine) filter(f *Filter) string {
	if !r.tracing {
		return ""
	}
	var list []string
	add := func(name, text string) {
		if text != "" {
			list = append(list, name+": "+text)
		}
	}
	names := func(ids []ComponentID) string {
		if len(ids) == 0 {
			return ""
		}
		return "{" + r.components(ids) + "}"
	}
	tags := func(ids []TagID) string {
		if len(ids) == 0 {
			return ""
		}
		return fmt.Sprintf("{%s}", strings.Trim(fmt.Sprint(ids), "[]"))
	}
	add("Required", names(f.Required))
	add("Optional", names(f.Optional))
	add("Without", names(f.Without))
	add("Any", names(f.Any))
	add("Tagged", tags(f.Tagged))
	add("Untagged", tags(f.Untagged))
	add("Changed", names(f.Changed))
	add("Added", names(f.Added))
	if f.Where != nil {
		add("Where", r.expr(f.Where))
	}
	if f.Inherited {
		add("Inherited", "true")
	}
	return "Filter{" + strings.Join(list, ", ") + "}"
}

// expr is an expression as it is written.
func (r *machine) expr(x *Expr) string {
	switch name := map[exprOp]string{opContains: "Contains", opChanged: "Changed", opAdded: "Added", opTagged: "HasTag", opAnd: "And", opOr: "Or", opXor: "Xor", opNot: "Not"}[x.op]; x.op {
	case opContains, opChanged, opAdded:
		return fmt.Sprintf("%s(%q)", name, r.names[x.id])
	case opTagged:
		return fmt.Sprintf("%s(%d)", name, x.id)
	default:
		var parts []string
		for _, p := range x.parts {
			parts = append(parts, r.expr(p))
		}
		return name + "(" + strings.Join(parts, ", ") + ")"
	}
}

// related lists targets.
func (r *machine) related(targets []Target) string {
	if !r.tracing {
		return ""
	}
	var list []string
	for _, to := range targets {
		list = append(list, fmt.Sprintf("{%q, %s}", r.names[to.Relation], to.Entity))
	}
	return "[]Target{" + strings.Join(list, ", ") + "}"
}
