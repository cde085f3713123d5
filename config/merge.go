package config

import (
	"fmt"
	"slices"
	"strings"
)

// This file puts the mods in use into the config. What two of them declare alike is one; what they declare differently is a problem that shows both. The
// systems of mods come before those of the config, and have the name of their mod in front: poison.tick.

// merge adds mods, which are in load order, to the config.
func (r *resolver) merge(order []*manifest) {
	c := r.c
	own := c.Systems
	c.Systems = nil
	for i := range own {
		own[i].After = slices.DeleteFunc(own[i].After, c.off)
	}
	for _, m := range order {
		_, listed := r.listedAs(m.name)
		mod := Mod{Name: m.name, Version: m.text, Dir: m.dir, Scripts: m.Scripts.Dir, Exports: m.exports, Listed: listed, Pos: r.where[m.path]}
		for _, n := range slices.Concat(m.depends, m.optional) {
			if r.read[n.name] != nil {
				mod.Depends = append(mod.Depends, n.name)
			}
		}
		for _, other := range order {
			if slices.ContainsFunc(other.depends, func(n need) bool { return n.name == m.name }) {
				mod.Needed = append(mod.Needed, other.name)
			}
		}
		before := c.counts()
		r.declarations(&m.Config)
		c.Systems = append(c.Systems, r.systemsOf(m)...)
		after := c.counts()
		mod.Adds = Adds{
			after.Components - before.Components, after.Tags - before.Tags, after.Relations - before.Relations, after.Events - before.Events,
			after.Resources - before.Resources, after.Layers - before.Layers, after.Data - before.Data, after.States - before.States, after.Indexes - before.Indexes, after.Prefabs - before.Prefabs, after.Systems - before.Systems,
		}
		c.Mods = append(c.Mods, mod)
	}
	c.Systems = append(c.Systems, own...)
}

// counts returns how many of each there are.
func (c *Config) counts() Adds {
	return Adds{len(c.Components), len(c.Tags), len(c.Relations), len(c.Events), len(c.Resources), len(c.Layers), len(c.Data), len(c.States), len(c.Indexes), len(c.Prefabs), len(c.Systems)}
}

// declarations adds what a mod declares and nobody before it.
func (r *resolver) declarations(m *Config) {
	c := r.c
	for _, v := range m.Components {
		merged(r, "component", &c.Components, v, v.Name, v.Pos, func(o Component) (string, Pos) { return o.Name, o.Pos }, func(o Component) string { return fieldsText(o.Fields) })
	}
	for _, v := range m.Tags {
		merged(r, "tag", &c.Tags, v, v.Name, v.Pos, func(o Tag) (string, Pos) { return o.Name, o.Pos }, func(Tag) string { return "" })
	}
	for _, v := range m.Relations {
		merged(r, "relation", &c.Relations, v, v.Name, v.Pos, func(o Relation) (string, Pos) { return o.Name, o.Pos }, Relation.targets)
	}
	for _, v := range m.Events {
		for i := range c.Events { // an input for one of those who declare it is one for all
			if o := &c.Events[i]; o.Name == v.Name {
				o.Input = o.Input || v.Input
			}
		}
		merged(r, "event", &c.Events, v, v.Name, v.Pos, func(o Event) (string, Pos) { return o.Name, o.Pos }, func(o Event) string { return fieldsText(o.Fields) })
	}
	for _, v := range m.Resources {
		merged(r, "resource", &c.Resources, v, v.Name, v.Pos, func(o Resource) (string, Pos) { return o.Name, o.Pos }, func(o Resource) string { return o.Type + defaultText(o.Default) })
	}
	for _, v := range m.Layers {
		merged(r, "layer", &c.Layers, v, v.Name, v.Pos, func(o Layer) (string, Pos) { return o.Name, o.Pos }, layerText)
	}
	for _, v := range m.Data {
		r.dataFile(v)
	}
	for _, v := range m.States {
		merged(r, "state", &c.States, v, v.Name, v.Pos, func(o State) (string, Pos) { return o.Name, o.Pos }, valuesText)
	}
	for _, v := range m.Indexes {
		merged(r, "index", &c.Indexes, v, v.Name, v.Pos, func(o Index) (string, Pos) { return o.Name, o.Pos }, indexText)
	}
	for _, v := range m.Prefabs {
		merged(r, "prefab", &c.Prefabs, v, v.Name, v.Pos, func(o Prefab) (string, Pos) { return o.Name, o.Pos }, prefabText)
	}
}

// merged adds one declaration to a list, unless another file has made the same one. of returns the name and the place of an item, and text what has to be equal.
func merged[T any](r *resolver, what string, list *[]T, v T, name string, pos Pos, of func(T) (string, Pos), text func(T) string) {
	i := slices.IndexFunc(*list, func(o T) bool { n, at := of(o); return n == name && n != "" && at.File != pos.File })
	if i < 0 {
		*list = append(*list, v)
		return
	}
	other := (*list)[i]
	if a, b := text(other), text(v); a != b {
		_, at := of(other)
		r.add(pos, r.items[pos], fmt.Sprintf("the %s %q is %s here, and %s at %s", what, name, b, a, at), "declare it alike, or rename one of them")
	}
}

// fieldsText returns fields for a comparison and for messages, in the order of their names: two declarations are alike if they have the same.
func fieldsText(fields []Field) string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name + " " + f.Type + defaultText(f.Default)
	}
	slices.Sort(out)
	return "{" + strings.Join(out, ", ") + "}"
}

func defaultText(v any) string {
	if v == nil || v == 0.0 || v == false || v == "" { // the same as none
		return ""
	}
	return fmt.Sprintf(" = %v", v)
}

// systemsOf returns the systems of a mod as the config has them. In after, a mod may leave its own name out; a system of a mod that is not in use is left out,
// if the mod is optional or switched off.
func (r *resolver) systemsOf(m *manifest) []System {
	absent := func(name string) bool {
		mod, _, dotted := strings.Cut(name, ".")
		optional := slices.ContainsFunc(m.optional, func(n need) bool { return n.name == mod })
		return r.c.off(name) || dotted && optional && r.read[mod] == nil
	}
	out := slices.Clone(m.Systems)
	for i := range out {
		s := &out[i]
		s.Mod = m.name
		var after []string
		for _, name := range s.After {
			switch {
			case slices.ContainsFunc(m.Systems, func(o System) bool { return o.Name == name }):
				after = append(after, m.name+"."+name)
			case !absent(name):
				after = append(after, name)
			}
		}
		s.After = after
	}
	for i := range out {
		if out[i].Name != "" {
			out[i].Name = m.name + "." + out[i].Name
		}
		if out[i].Script != "" {
			out[i].Script = m.name + "/" + out[i].Script
		}
	}
	return out
}

// running returns systems in running order, stage by stage: the next is always the first whose after are all placed. The systems of mods stand first in the list;
// a system that nobody waits for keeps its place among the others of its file.
func running(systems []System) []System {
	var out []System
	placed := map[string]bool{}
	for _, stage := range append([]string{StageLeave, StageEnter}, stages...) {
		waiting := slices.DeleteFunc(slices.Clone(systems), func(s System) bool { return s.Stage != stage })
		for len(waiting) > 0 {
			i := slices.IndexFunc(waiting, func(s System) bool {
				return !slices.ContainsFunc(s.After, func(name string) bool { return !placed[name] })
			})
			if i < 0 {
				return systems // a cycle; it was reported
			}
			placed[waiting[i].Name] = true
			out = append(out, waiting[i])
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
	return out
}
