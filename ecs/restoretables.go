package ecs

import "slices"

// restoreTables gives w the tables of from, in the same order, with their rows, stamps and edges. A table of w
// with the same components stays the same object. Tables that from does not have are removed, because the order of
// tables is the order in which queries visit entities.
func restoreTables(w, from *World) {
	if !slices.EqualFunc(w.tables, from.tables, func(a, b *Table) bool { return slices.Equal(a.mask, b.mask) && a.prefab == b.prefab }) {
		w.rebuildTables(from.tables)
	}
	for i, o := range from.tables {
		w.tables[i].restore(o)
	}
	for i, o := range from.tables {
		w.tables[i].restoreEdges(o)
	}
}

// rebuildTables makes a new list of tables for the sets of components of another world's tables, and keeps those
// that w has already. Everything that refers to tables by id is updated: the pages of components and the matches
// of queries.
func (w *World) rebuildTables(like []*Table) {
	old := w.byMask
	w.tables, w.byMask = make([]*Table, 0, len(like)), make(map[string]*Table, len(like))
	for _, c := range w.components {
		c.pages = c.pages[:0]
		c.coverTables(len(like))
	}
	for i, o := range like {
		key := string(tableKey(nil, o.mask, o.prefab))
		t := old[key]
		if t == nil {
			t = newTable(w, uint32(i), slices.Clone(o.mask), o.prefab)
		} else {
			delete(old, key)
			t.id = uint32(i)
			for i := range t.columns {
				t.columns[i].info.setColumn(t.id, &t.columns[i])
			}
		}
		w.occupied.cover(uint32(i))
		w.tables = append(w.tables, t)
		w.byMask[key] = t
	}
	for _, t := range old { // in map order: each table only frees its memory, so the order has no effect
		t.giveUp()
	}
	for _, q := range w.queries {
		q.matches, q.matched, q.inherit = nil, matchSet{}, false
		for _, t := range w.tables {
			q.consider(t)
		}
	}
}

// giveUp frees the memory of a table that was removed from its world.
func (t *Table) giveUp() {
	w := t.world
	release(w.memory, t.entities, &t.owned)
	t.entities = nil
	for i := range t.columns {
		t.columns[i].free()
		t.columns[i].dropSingles(0)
		t.columns[i].blocks = nil
	}
	t.capacity = 0
}

// restore makes rows, stamps and capacity equal to those of o, which has the same components.
func (t *Table) restore(o *Table) {
	before, n := len(t.entities), len(o.entities)
	if t.capacity != o.capacity {
		t.entities, before = t.entities[:0], 0
		t.resize(o.capacity)
	}
	t.entities = append(t.entities[:0], o.entities...)
	t.occupy()
	for i := range t.columns {
		c, from := &t.columns[i], &o.columns[i]
		c.info.schema.copyRows(c.base, from.base, n)
		c.restoreStamps(from)
	}
	if t.typed {
		for row := n; row < before; row++ {
			t.forget(row)
		}
	}
}

// restoreEdges makes the edges equal to those of o, because edges count towards the limit of bytes. Moves that
// lead to the same table as before keep their plans.
func (t *Table) restoreEdges(o *Table) {
	w, known := t.world, 0 // known: how many edges at the beginning are the same
	for known < min(len(t.edges), len(o.edges)) && slices.Equal(t.edges[known].ids, o.edges[known].ids) {
		known++
	}
	if known < len(t.edges) || known < len(o.edges) {
		clear(t.edges[known:])
		t.edges = t.edges[:known]
		for _, e := range o.edges[known:] {
			t.edges = append(t.edges, edge{ids: e.ids})
		}
		t.indexEdges()
	}
	for i := range t.edges {
		e := &t.edges[i]
		e.add, e.remove = w.moveLike(e.add, o.edges[i].add), w.moveLike(e.remove, o.edges[i].remove)
	}
}

// moveLike returns a move to the table with the same id as the table that o leads to: mine if it leads there,
// otherwise a new one.
func (w *World) moveLike(mine, o *move) *move {
	if o == nil {
		return nil
	}
	if to := w.tables[o.to.id]; mine == nil || mine.to != to {
		return &move{to: to}
	}
	return mine
}
