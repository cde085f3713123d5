package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file reads and checks indexes.

// An Index finds entities by the values of fields of a component.
type Index struct {
	Name          string
	Component     string
	Fields        []string
	Width, Height int // of the area of two integer fields; 0: every value is a place
	Wrap          bool
	Pos           Pos
}

func (d *decoder) index(n *node, path string) Index {
	v := Index{Pos: n.pos}
	d.object(n, path, "index", d.indexKeys(&v))
	return v
}

func (d *decoder) indexKeys(v *Index) []key {
	size := func(to *int) func(*node, string) {
		return func(n *node, path string) {
			if v, ok := d.whole(n, path, 1, ecs.MaxIndexPlaces); ok {
				*to = int(v)
			}
		}
	}
	return []key{
		{"name", true, func(n *node, path string) { v.Name = d.str(n, path, "write a name, as in cells") }},
		{"component", true, func(n *node, path string) { v.Component = d.str(n, path, "write the name of a component") }},
		{"fields", true, func(n *node, path string) {
			d.each(n, path, "[x, y]", func(n *node, path string) {
				v.Fields = append(v.Fields, d.str(n, path, "write the name of a field, as in x"))
			})
		}},
		{"width", false, size(&v.Width)},
		{"height", false, size(&v.Height)},
		{"wrap", false, func(n *node, path string) { v.Wrap, _ = d.truth(n, path) }},
	}
}

// indexes checks the indexes one by one. Their names are those of components, tags and relations, too.
func (k *checker) indexes(parts namespace) {
	for i, v := range k.c.Indexes {
		path := k.c.itemPath("indexes", i, v.Pos)
		k.take(parts, v.Name, "index", path+".name", identifier, noIdent)
		if v.Component == "" || len(v.Fields) == 0 && k.broken(path+".fields") {
			continue // reported
		}
		at := slices.IndexFunc(k.c.Components, func(c Component) bool { return c.Name == v.Component })
		if at < 0 {
			hint, near := k.near(v.Component, k.componentNames())
			if !near {
				hint = "declare it under components; for one that a script declares, use ecs.index in the script"
			}
			k.problem(path+".component", fmt.Sprintf("no component %q", clip(v.Component)), hint)
			continue
		}
		k.indexFields(v, k.c.Components[at], path)
	}
}

func (k *checker) componentNames() []string {
	names := make([]string, len(k.c.Components))
	for i, c := range k.c.Components {
		names[i] = c.Name
	}
	return names
}

// indexFields checks the fields and the size of an index.
func (k *checker) indexFields(v Index, c Component, path string) {
	if n := len(v.Fields); n < 1 || n > ecs.MaxIndexFields {
		k.problem(path+".fields", fmt.Sprintf("an index has 1 to %d fields, not %d", ecs.MaxIndexFields, n), "write [x, y]")
		return
	}
	integers := 0
	for i, name := range v.Fields {
		at := slices.IndexFunc(c.Fields, func(f Field) bool { return f.Name == name })
		where := index(path+".fields", i)
		switch {
		case name == "": // reported
			return
		case at < 0:
			var names []string
			for _, f := range c.Fields {
				names = append(names, f.Name)
			}
			hint, near := k.near(name, names)
			if !near {
				hint = "its fields are " + strings.Join(names, ", ")
			}
			k.problem(where, fmt.Sprintf("%s has no field %q", c.Name, clip(name)), hint)
			return
		case slices.Contains(v.Fields[:i], name):
			k.problem(where, fmt.Sprintf("field %q is named twice", name), "remove one of them")
			return
		}
		t, known := ecs.ParseFieldType(c.Fields[at].Type)
		_, _, integer := t.Range()
		switch {
		case !known: // reported
			return
		case t == ecs.F64 || t == ecs.F32:
			k.problem(where, fmt.Sprintf("%s.%s is %s, and an index takes no floats", c.Name, name, t), "give it an integer type, as in i32, or use a grid for places between whole numbers")
			return
		case !integer && t != ecs.String && t != ecs.EntityField:
			k.problem(where, fmt.Sprintf("%s.%s is %s; an index takes integers, strings and entities", c.Name, name, t), "name another field")
			return
		case integer:
			integers++
		}
	}
	k.indexSize(v, integers, path)
}

func (k *checker) indexSize(v Index, integers int, path string) {
	switch {
	case k.broken(path+".width") || k.broken(path+".height"): // reported
	case v.Width == 0 && v.Height == 0 && v.Wrap:
		k.problem(path+".wrap", "wrap needs a size", "add width: 80 and height: 40")
	case v.Width == 0 && v.Height == 0:
	case v.Width == 0 || v.Height == 0:
		k.problem(path, "width and height belong together", "add the other one")
	case len(v.Fields) != 2 || integers != 2:
		k.problem(path, "an index with width and height has two integer fields, x and y", "leave width and height out, or name two integer fields")
	case v.Height > ecs.MaxIndexPlaces/v.Width:
		k.problem(path, fmt.Sprintf("%d × %d are more than %d places", v.Width, v.Height, ecs.MaxIndexPlaces), "make it smaller")
	}
}

// indexText returns an index for a comparison and for messages.
func indexText(v Index) string {
	return ecs.IndexSpec{Component: v.Component, Fields: v.Fields, Width: v.Width, Height: v.Height, Wrap: v.Wrap}.String()
}
