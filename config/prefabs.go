package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file reads and checks prefabs.

// A Prefab is what instances are made from, or a child of one.
type Prefab struct {
	Name       string
	Base       string // the name of another prefab; empty = none
	Components []PrefabPart
	Tags       []string
	Children   []Prefab
	Pos        Pos

	path, basePath string
}

// A PrefabPart is a component of a prefab with the values of some of its fields.
type PrefabPart struct {
	Component string
	Fields    []PrefabField
	Pos       Pos

	path string
}

// A PrefabField is the value of a field: a bool, an int64, a uint64, a float64 or a string; for an array or a table a []any of these, for a table also a
// []PrefabEntry.
type PrefabField struct {
	Name  string
	Value any
	Pos   Pos

	path string
	node *node
}

// A PrefabEntry is a key of a table with its value, which is as that of a [PrefabField].
type PrefabEntry struct {
	Key   string
	Value any
}

func (d *decoder) prefab(n *node, path, what string) Prefab {
	v := Prefab{Pos: n.pos, path: path, basePath: path + ".base"}
	d.object(n, path, what, d.prefabKeys(&v))
	return v
}

func (d *decoder) prefabKeys(v *Prefab) []key {
	return []key{
		{"name", true, func(n *node, path string) { v.Name = d.str(n, path, "write a name, as in goblin") }},
		{"base", false, func(n *node, path string) { v.Base = d.str(n, path, "write the name of another prefab") }},
		{"components", false, func(n *node, path string) { v.Components = d.prefabParts(n, path) }},
		{"tags", false, func(n *node, path string) {
			d.each(n, path, "tags: [enemy]", func(n *node, path string) {
				v.Tags = append(v.Tags, d.str(n, path, "write a name, as in enemy"))
			})
		}},
		{"children", false, func(n *node, path string) {
			d.each(n, path, "children: [{ name: sword }]", func(n *node, path string) {
				v.Children = append(v.Children, d.prefab(n, path, "child"))
			})
		}},
	}
}

// prefabParts reads components by name: { Health: { current: 7 } }.
func (d *decoder) prefabParts(n *node, path string) (list []PrefabPart) {
	d.entries(n, path, "write components: { Health: { current: 7 } }", func(name string, n *node, at string) {
		part := PrefabPart{Component: name, Pos: n.pos, path: at}
		d.entries(n, at, fmt.Sprintf("write %s: { FIELD: VALUE }", clip(name)), func(name string, n *node, at string) {
			part.Fields = append(part.Fields, PrefabField{name, d.plain(n, at), n.pos, at, n})
		})
		list = append(list, part)
	})
	return list
}

// entries calls read for each key of a mapping, in the order of the file.
func (d *decoder) entries(n *node, path, hint string, read func(name string, n *node, at string)) {
	switch n.kind {
	case kindNull:
		return
	case kindMapping:
	default:
		d.add(n.pos, path, "mapping expected, got "+n.describe(), hint)
		return
	}
	lines := map[string]int{}
	for _, e := range n.entries {
		at := join(path, step(e.key))
		if line, twice := lines[e.key]; twice {
			d.add(e.pos, at, "key written twice", fmt.Sprintf("keep this one or that of line %d", line))
			continue
		}
		lines[e.key] = e.pos.Line
		d.mark(at, e.value.pos)
		read(e.key, e.value, at)
	}
}

// plain returns a value as PrefabField has it; nil if it is none, which is reported.
func (d *decoder) plain(n *node, path string) any {
	switch n.kind {
	case kindBool:
		return n.bool
	case kindText:
		return n.text
	case kindList:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = d.plain(item, index(path, i))
		}
		return list
	case kindMapping:
		var list []PrefabEntry
		d.entries(n, path, "", func(name string, n *node, at string) { list = append(list, PrefabEntry{name, d.plain(n, at)}) })
		return list
	case kindNumber:
		if num, ok := n.number(); ok && num.whole {
			if i, ok := num.integer(); ok {
				return i
			}
			if u, ok := num.unsigned(); ok {
				return u
			}
			return num.float
		} else if ok {
			return num.float
		}
	}
	d.add(n.pos, path, "value expected, got "+n.describe(), "write a number, true, false, a text or a list")
	return nil
}

// prefabs checks the prefabs one by one. Their names are their own namespace.
func (k *checker) prefabs() {
	names := namespace{}
	for i := range k.c.Prefabs {
		v := &k.c.Prefabs[i]
		if v.path == "" { // made in Go
			v.path = index("prefabs", i)
			v.basePath = v.path + ".base"
		}
		k.take(names, v.Name, "prefab", v.path+".name", identifier, noIdent)
		k.prefab(v)
	}
	k.prefabCycles()
}

// prefab checks a prefab, or a child of one.
func (k *checker) prefab(v *Prefab) {
	if v.Base != "" && !slices.ContainsFunc(k.c.Prefabs, func(p Prefab) bool { return p.Name == v.Base }) && !k.partial() {
		var names []string
		for _, p := range k.c.Prefabs {
			names = append(names, p.Name)
		}
		k.unknownName(v.basePath, v.Pos, "prefab", v.Base, names, "ecs.prefab")
	}
	for _, p := range v.Components {
		k.prefabPart(p, v.path+".components."+p.Component)
	}
	for i, name := range v.Tags {
		if at := index(v.path+".tags", i); name != "" && !k.isTag(name) && !k.partial() {
			var names []string
			for _, t := range k.c.Tags {
				names = append(names, t.Name)
			}
			k.unknownName(at, v.Pos, "tag", name, names, "ecs.prefab")
		}
	}
	names := namespace{}
	for i := range v.Children {
		c := &v.Children[i]
		if c.path == "" {
			c.path = index(v.path+".children", i)
			c.basePath = c.path + ".base"
		}
		k.take(names, c.Name, "child", c.path+".name", identifier, noIdent)
		k.prefab(c)
	}
}

// partial reports whether mods that the config lists were not read, so that names may be theirs.
func (k *checker) partial() bool { return k.c.unread && len(k.c.listed) > 0 }

func (k *checker) isTag(name string) bool {
	return slices.ContainsFunc(k.c.Tags, func(t Tag) bool { return t.Name == name }) ||
		slices.ContainsFunc(k.c.States, func(s State) bool {
			value, ok := strings.CutPrefix(name, s.Name+".")
			return ok && slices.Contains(s.Values, value)
		})
}

// unknownName reports a name that the config does not declare. of is the function of scripts that may use those that scripts declare.
func (k *checker) unknownName(path string, pos Pos, what, name string, names []string, of string) {
	hint, near := k.near(name, names)
	if !near {
		hint = fmt.Sprintf("declare it under %ss; for one that a script declares, use %s in the script", what, of)
	}
	if at, known := k.c.where[path]; known {
		pos = at
	}
	k.add(pos, path, fmt.Sprintf("no %s %q", what, clip(name)), hint)
}

func (k *checker) prefabPart(p PrefabPart, path string) {
	if p.path != "" {
		path = p.path
	}
	at := slices.IndexFunc(k.c.Components, func(c Component) bool { return c.Name == p.Component })
	if at < 0 {
		if slices.ContainsFunc(k.c.Relations, func(r Relation) bool { return r.Name == p.Component }) || p.Component == "ChildOf" || p.Component == "IsA" {
			k.add(p.Pos, path, fmt.Sprintf("%q is a relation", p.Component), "write base: for IsA and children: for ChildOf; relate the prefab in an init: world:relate(world:prefab(NAME), …)")
		} else if !k.partial() {
			k.unknownName(path, p.Pos, "component", p.Component, k.componentNames(), "ecs.prefab")
		}
		return
	}
	c := k.c.Components[at]
	for _, f := range p.Fields {
		where := path + "." + f.Name
		if f.path != "" {
			where = f.path
		}
		i := slices.IndexFunc(c.Fields, func(o Field) bool { return o.Name == f.Name })
		if i < 0 {
			names := make([]string, len(c.Fields))
			for n, o := range c.Fields {
				names[n] = o.Name
			}
			k.add(f.Pos, where, fmt.Sprintf("%s has no field %q", c.Name, clip(f.Name)), k.meant(f.Name, "fields", names))
			continue
		}
		if t, known := ecs.ParseFieldType(c.Fields[i].Type); known && f.node != nil && !k.broken(where) {
			k.prefabValue(t, f.node, where)
		}
	}
}

// prefabValue checks a value against the type of its field.
func (k *checker) prefabValue(t ecs.FieldType, n *node, path string) {
	d := &decoder{}
	switch {
	case t == ecs.EntityField:
		k.add(n.pos, path, "a config cannot name an entity", "write it in an init: world:set(world:prefab(NAME), …)")
	case t == ecs.TableField && n.kind != kindList && n.kind != kindMapping:
		k.add(n.pos, path, "a list or a mapping expected for table, got "+n.describe(), "write [1, 2] or { key: value }")
	case t == ecs.TableField:
	case t.Len() > 0 && n.kind != kindList:
		k.add(n.pos, path, fmt.Sprintf("a list expected for %s, got %s", t, n.describe()), "write [1, 2]; the rest takes the default")
	case t.Len() > 0 && len(n.items) > t.Len():
		k.add(n.pos, path, fmt.Sprintf("%d values do not fit %s", len(n.items), t), "write fewer")
	case t.Len() > 0:
		for i, item := range n.items {
			d.defaultValue(t, item, index(path, i))
		}
	default:
		d.defaultValue(t, n, path)
	}
	for _, p := range d.problems {
		k.add(p.Pos, p.Path, p.Message, p.Hint)
	}
}

// prefabCycles reports prefabs that are made of themselves, each cycle at the base that the file names first.
func (k *checker) prefabCycles() {
	const open, done = 1, 2
	state := map[string]int{}
	var trail []string
	var visit func(name string, from *Prefab)
	var bases func(v *Prefab)
	bases = func(v *Prefab) {
		if v.Base != "" {
			visit(v.Base, v)
		}
		for i := range v.Children {
			bases(&v.Children[i])
		}
	}
	visit = func(name string, from *Prefab) {
		i := slices.IndexFunc(k.c.Prefabs, func(p Prefab) bool { return p.Name == name })
		switch {
		case i < 0 || state[name] == done:
			return
		case state[name] == open:
			ring := append(slices.Clone(trail[slices.Index(trail, name):]), name)
			for n := range ring {
				ring[n] = strconv.Quote(ring[n])
			}
			pos := from.Pos
			if at, known := k.c.where[from.basePath]; known {
				pos = at
			}
			k.add(pos, from.basePath, "cycle: "+strings.Join(ring, " is made of "), "remove one of these bases")
			return
		}
		state[name] = open
		trail = append(trail, name)
		bases(&k.c.Prefabs[i])
		trail = trail[:len(trail)-1]
		state[name] = done
	}
	for i := range k.c.Prefabs {
		visit(k.c.Prefabs[i].Name, &k.c.Prefabs[i])
	}
}

// prefabText returns a prefab for a comparison and for messages.
func prefabText(v Prefab) string {
	var b strings.Builder
	if v.Base != "" {
		fmt.Fprintf(&b, "a %s ", v.Base)
	}
	b.WriteString("{")
	parts := make([]string, len(v.Components))
	for i, p := range v.Components {
		fields := make([]string, len(p.Fields))
		for n, f := range p.Fields {
			fields[n] = fmt.Sprintf("%s = %v", f.Name, f.Value)
		}
		slices.Sort(fields)
		parts[i] = p.Component + " { " + strings.Join(fields, ", ") + " }"
	}
	slices.Sort(parts)
	tags := slices.Clone(v.Tags)
	slices.Sort(tags)
	b.WriteString(strings.Join(append(parts, tags...), ", "))
	for _, c := range v.Children {
		fmt.Fprintf(&b, ", %s: %s", c.Name, prefabText(c))
	}
	b.WriteString("}")
	return b.String()
}
