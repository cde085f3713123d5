package ecs

import (
	"fmt"
	"maps"
	"unsafe"
)

// Declarations are the part of a world's state that both worlds of a Restore must have in common. This file has
// the columns "declare" and "differs" of [sections]: the first copies the declarations of a world into a new,
// empty world, in the same order and so with the same ids; the second returns an error that names the first
// difference between two worlds.

// declareComponents declares the components and relations of from, and makes their indexes of columns as long as
// the tables need.
func declareComponents(to, from *World) {
	for _, info := range from.components {
		n := &component{id: info.id, name: info.name, kind: info.kind, schema: info.schema, slots: &to.slots}
		if r := info.relation; r != nil {
			n.relation = to.newRelation(n)
			n.relation.patience = r.patience
			if r.pairs != nil {
				n.relation.pairs = newTargetPairs()
			}
			if r == from.isA {
				to.isA = n.relation
			}
		}
		n.coverTables(len(to.tables))
		to.components = append(to.components, n)
	}
	to.componentNames = maps.Clone(from.componentNames)
}

func differentComponents(a, b *World) error {
	if err := differentNames("component", a.ComponentNames(), b.ComponentNames()); err != nil {
		return err
	}
	for i, x := range a.components {
		y := b.components[i]
		if x.kind != y.kind {
			return fmt.Errorf("%w: %q is a %s here and a %s there", ErrMismatch, x.name, x.kind, y.kind)
		}
		if x.relation != nil && (x.relation.pairs != nil) != (y.relation.pairs != nil) {
			return fmt.Errorf("%w: relation %q has %s here and %s there", ErrMismatch, x.name, targetsText(x.relation.pairs != nil), targetsText(y.relation.pairs != nil))
		}
		if err := differentSchema("component", x.name, x.schema, y.schema); err != nil {
			return err
		}
	}
	return nil
}

func declareTags(to, from *World) {
	for _, s := range from.tags {
		to.tags = append(to.tags, newTagSet(s.id, s.name, to))
	}
	to.tagNames = maps.Clone(from.tagNames)
}

func differentTags(a, b *World) error { return differentNames("tag", a.TagNames(), b.TagNames()) }

func declareEvents(to, from *World) {
	for _, l := range from.events {
		to.events = append(to.events, &eventLog{world: to, id: l.id, name: l.name, schema: l.schema, base: unsafe.Pointer(&zeroBase)})
	}
	to.eventNames = maps.Clone(from.eventNames)
}

func differentEvents(a, b *World) error {
	if err := differentNames("event", a.EventNames(), b.EventNames()); err != nil {
		return err
	}
	for i, l := range a.events {
		if err := differentSchema("event", l.name, l.schema, b.events[i].schema); err != nil {
			return err
		}
	}
	return nil
}

// declareResources declares resources at the values they start with.
func declareResources(to, from *World) {
	for _, r := range from.resources {
		to.resources = append(to.resources, newResource(to, r.name, r.schema))
	}
	to.resourceNames = maps.Clone(from.resourceNames)
}

func differentResources(a, b *World) error {
	if err := differentNames("resource", a.ResourceNames(), b.ResourceNames()); err != nil {
		return err
	}
	for i, r := range a.resources {
		if err := differentSchema("resource", r.name, r.schema, b.resources[i].schema); err != nil {
			return err
		}
	}
	return nil
}

// declareRemovals makes the new world track removals of the same components.
func declareRemovals(to, from *World) {
	for _, c := range from.tracked {
		to.TrackRemoved(c.id)
	}
}

// declareGrids declares the grids of from, without their snapshots.
func declareGrids(to, from *World) {
	for _, g := range from.grids {
		to.grids = append(to.grids, &Grid{world: to, spec: g.spec.in(to), x: g.x, y: g.y, carry: g.carry})
	}
}

func differentGrids(a, b *World) error {
	if err := differentNames("grid", a.GridNames(), b.GridNames()); err != nil {
		return err
	}
	for _, g := range a.grids {
		x, y := g.spec, b.LookupGrid(g.spec.Name).spec
		alike := x.key() == y.key()
		x.Query, y.Query = nil, nil
		if x != y {
			return fmt.Errorf("%w: grid %q is %+v here and %+v there", ErrMismatch, x.Name, x, y)
		}
		if !alike {
			return fmt.Errorf("%w: grid %q has another query here than there", ErrMismatch, x.Name)
		}
	}
	return nil
}

// The functions of this file turn an id into the declaration behind it. An id is an index into a list of its
// world. They panic for an id that this world has not declared, with a constant text, so that the test is small
// enough to be inlined. Functions that return errors test the id themselves.
const (
	noSuchComponent = "ecs: no component of this id was declared in this world"
	noSuchTag       = "ecs: no tag of this id was declared in this world"
	noSuchEvent     = "ecs: no event of this id was declared in this world"
	noSuchResource  = "ecs: no resource of this id was declared in this world"
)

func (w *World) component(id ComponentID) *component {
	if uint(id) >= uint(len(w.components)) {
		panic(noSuchComponent)
	}
	return w.components[id]
}

func (w *World) tag(id TagID) *tagSet {
	if uint(id) >= uint(len(w.tags)) {
		panic(noSuchTag)
	}
	return w.tags[id]
}

func (w *World) event(id EventID) *eventLog {
	if uint(id) >= uint(len(w.events)) {
		panic(noSuchEvent)
	}
	return w.events[id]
}

func (w *World) resource(id ResourceID) *resource {
	if uint(id) >= uint(len(w.resources)) {
		panic(noSuchResource)
	}
	return w.resources[id]
}
