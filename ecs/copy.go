package ecs

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"
)

// Copy returns an independent world with the same content: entities with generations and free list, values, tags, relations, resources,
// events that [World.Peek] returns, random streams, clock, ticks and the world's own queue of commands. Run by the same systems it
// goes the same way. Queries, event readers and typed handles belong to their world: make them anew. Strings and plain data are shared,
// as they never change. Memory of pointer-free columns comes from the same [Options.Memory]. Error: [ErrLocked] inside a system or a query
// loop.
func (w *World) Copy() (*World, error) {
	if w.locks != 0 || w.system != nil {
		return nil, fail("copy world", None, "", ErrLocked)
	}
	c := NewWorld(w.options)
	c.slots.reserve(len(w.slots.all))
	c.slots.all, c.slots.free = append(c.slots.all, w.slots.all...), slices.Clone(w.slots.free)
	c.slots.targets = w.slots.targets
	c.living, c.pending = w.living, w.pending
	c.now, c.tickBase, c.watermark = w.now, w.tickBase, w.watermark
	c.clock = clock{frame: w.clock.frame, time: w.clock.time, dt: w.clock.dt}
	c.stopped, c.reason = w.stopped, w.reason
	c.copyDeclarations(w)
	for _, t := range w.tables {
		c.copyTable(t)
	}
	for i, r := range w.relations {
		c.relations[i].heads, c.relations[i].links = slices.Clone(r.heads), slices.Clone(r.links)
		for target, h := range r.heads {
			if h.count > 0 {
				c.targets.keep(uint32(i), uint32(target))
			}
		}
	}
	for _, s := range w.tags {
		n := newTagSet(s.id, s.name, c)
		n.dense = slices.Clone(s.dense)
		if len(s.sparse) > 1 {
			n.sparse = append(room[tagEntry](n.memory, nil, &n.owned, len(s.sparse)), s.sparse...)
			n.unmark()
		}
		c.tags = append(c.tags, n)
	}
	for _, l := range w.events {
		c.copyEvents(l)
	}
	for _, r := range w.resources {
		n := &resource{name: r.name, schema: r.schema}
		n.ptr, _ = allocRows(nil, r.schema, 1)
		r.schema.copyRow(n.ptr, r.ptr)
		c.resources = append(c.resources, n)
	}
	for _, r := range w.streams {
		n := *r
		c.streams = append(c.streams, &n)
	}
	for _, g := range w.grids {
		if _, err := c.DeclareGrid(g.spec); err != nil {
			return nil, fmt.Errorf("copy world: %w", err)
		}
	}
	for _, s := range c.tags {
		for _, e := range s.dense {
			c.tagMarks.keep(uint32(s.id), uint32(e))
		}
	}
	c.bytes.Store(c.measure())
	c.commands.copyFrom(w.commands)
	return c, nil
}

// copyDeclarations declares what o declares, in the same order and so with the same ids.
func (w *World) copyDeclarations(o *World) {
	for _, info := range o.components {
		n := &component{id: info.id, name: info.name, kind: info.kind, schema: info.schema, slots: &w.slots}
		if info.lost != nil {
			n.lost = newRemovedLog()
			n.lost.entries = slices.Clone(info.lost.entries)
			w.tracked = append(w.tracked, n)
		}
		if r := info.relation; r != nil {
			n.relation = w.newRelation(n)
			if r == o.isA {
				w.isA = n.relation
			}
		}
		n.coverTables(len(w.tables))
		w.components = append(w.components, n)
	}
	w.componentNames, w.tagNames = maps.Clone(o.componentNames), maps.Clone(o.tagNames)
	w.eventNames, w.resourceNames = maps.Clone(o.eventNames), maps.Clone(o.resourceNames)
}

// copyTable makes the table of the same mask, with the same rows and stamps.
func (w *World) copyTable(o *Table) {
	t := w.tableOf(slices.Clone(o.mask))
	if n := len(o.entities); n > 0 {
		t.resize(n)
		t.entities = append(t.entities, o.entities...)
		for i := range o.columns {
			from, to := &o.columns[i], &t.columns[i]
			to.info.schema.copyRows(to.base, from.base, n)
			copy(to.rows, from.rows)
			copy(to.blocks, from.blocks)
			to.newest = from.newest
		}
	}
}

func (w *World) copyEvents(o *eventLog) {
	l := &eventLog{world: w, id: o.id, name: o.name, schema: o.schema, base: unsafe.Pointer(&zeroBase)}
	l.first, l.hole, l.previous, l.current, l.end = o.previous, o.previous, o.previous, o.current, o.end
	if n := int(l.end - l.first); n > 0 {
		l.base, _ = allocRows(nil, l.schema, n)
		l.schema.copyRows(l.base, o.at(int(o.previous-o.first)), n)
	}
	l.full = l.end
	w.events = append(w.events, l)
}

func (c *Commands) copyFrom(o *Commands) {
	c.ops, c.ids = slices.Clone(o.ops), slices.Clone(o.ids)
	c.fields, c.goals = slices.Clone(o.fields), slices.Clone(o.goals)
	for i, s := range o.values {
		n := commandStore{base: unsafe.Pointer(&zeroBase), n: s.n, capacity: s.n}
		if s.n > 0 {
			schema := o.world.components[i].schema
			n.base, _ = allocRows(nil, schema, s.n)
			schema.copyRows(n.base, s.base, s.n)
		}
		c.values = append(c.values, n)
	}
}
