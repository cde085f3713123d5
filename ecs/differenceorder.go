package ecs

import (
	"slices"
	"strings"
)

// This file compares what has an order: entities in tables and tag sets, sources in the lists of their targets.
// differenceof.go calls it, if the entities themselves are alike.

// order compares the order in which query loops visit tables and rows.
func (c *comparison) order() {
	if c.members {
		return
	}
	filled := func(w *World) (out []*Table) {
		for _, t := range w.tables {
			if len(t.entities) > 0 {
				out = append(out, t)
			}
		}
		return out
	}
	as, bs := filled(c.a), filled(c.b)
	for i := range min(len(as), len(bs)) {
		name := c.archetypeText(as[i])
		if c.differ(Difference{Kind: DifferentOrder, Index: i + 1}, name, c.archetypeText(bs[i])) {
			return
		}
		for row, e := range as[i].entities {
			if row < len(bs[i].entities) && c.differ(Difference{Kind: DifferentOrder, Name: name, Index: row + 1}, e.String(), bs[i].entities[row].String()) {
				break // one row of a table is enough
			}
		}
	}
}

// archetypeText returns the components of a table as {Position, Velocity}: those that both worlds declare, in the order
// of world A.
func (c *comparison) archetypeText(t *Table) string {
	var names []string
	for _, p := range c.components {
		id := p.a
		if t.world == c.b {
			id = p.b
		}
		if t.Has(ComponentID(id)) {
			names = append(names, p.name)
		}
	}
	return "{" + strings.Join(names, ", ") + "}"
}

func (c *comparison) tagOrder() {
	for _, p := range c.tags {
		if !c.members && !c.retagged[p.name] {
			c.lists(Difference{Kind: DifferentTagOrder, Name: p.name}, c.a.tags[p.a].dense, c.b.tags[p.b].dense)
		}
	}
}

// lists adds the first difference between two lists of entities.
func (c *comparison) lists(d Difference, a, b []Entity) {
	if slices.Equal(a, b) {
		return
	}
	for i := range max(len(a), len(b)) {
		at := func(list []Entity) string {
			if i < len(list) {
				return list[i].String()
			}
			return "nothing"
		}
		d.Index = i + 1
		if c.differ(d, at(a), at(b)) {
			return
		}
	}
}

func (c *comparison) sources() {
	for _, p := range c.components {
		relation := c.a.components[p.a].relation
		if c.members || relation == nil || c.b.components[p.b].relation == nil {
			continue
		}
		idB := RelationID(p.b)
		var as, bs []Entity
		for target, head := range relation.heads.all {
			if head.count == 0 {
				continue
			}
			e := c.a.slots.living(target)
			if c.full() {
				return
			}
			if e == None || c.a.SourceCount(RelationID(p.a), e) == 0 {
				continue // the targets are the same
			}
			as, bs = c.a.Sources(as[:0], RelationID(p.a), e), c.b.Sources(bs[:0], idB, e)
			c.lists(Difference{Kind: DifferentSources, Entity: e, Name: p.name}, as, bs)
		}
	}
}
