package ecs

import "slices"

// restoreTables gives w the tables of from, in the same order, with their rows, stamps and edges. A table of w with the same components stays
// the same object; those that from lacks are given back, since the order of tables decides in which order queries visit entities.
func restoreTables(w, from *World) {
	if !slices.EqualFunc(w.tables, from.tables, func(a, b *Table) bool { return slices.Equal(a.mask, b.mask) }) {
		w.rebuildTables(from.tables)
	}
	for i, o := range from.tables {
		w.tables[i].restore(o)
	}
	for i, o := range from.tables {
		w.tables[i].restoreEdges(o)
	}
}

// rebuildTables makes the list of tables anew, for the same sets of components as another world's. What refers to tables by id follows.
func (w *World) rebuildTables(like []*Table) {
	old := w.byMask
	w.tables, w.byMask = make([]*Table, 0, len(like)), make(map[string]*Table, len(like))
	for _, c := range w.components {
		c.pages = c.pages[:0]
		c.coverTables(len(like))
	}
	for i, o := range like {
		key := string(o.mask.appendKey(nil))
		t := old[key]
		if t == nil {
			t = newTable(w, uint32(i), slices.Clone(o.mask))
		} else {
			delete(old, key)
			t.id = uint32(i)
			for i := range t.columns {
				t.columns[i].info.setColumn(t.id, &t.columns[i])
			}
		}
		w.tables = append(w.tables, t)
		w.byMask[key] = t
	}
	for _, t := range old { // in any order: each gives its memory back, and nothing else sees it
		t.giveUp()
	}
	for _, q := range w.queries {
		q.matches, q.inherit = nil, false
		for _, t := range w.tables {
			q.consider(t)
		}
	}
}

// giveUp frees the memory of a table that is no longer one of its world.
func (t *Table) giveUp() {
	w := t.world
	release(w.options.Memory, t.entities, &t.owned)
	t.entities = nil
	for i := range t.columns {
		t.columns[i].free()
		t.columns[i].rows, t.columns[i].blocks = nil, nil
	}
	t.capacity = 0
}

// restore makes rows and stamps equal to those of o, which has the same components.
func (t *Table) restore(o *Table) {
	before, n := len(t.entities), len(o.entities)
	if t.capacity != o.capacity {
		t.entities, before = t.entities[:0], 0
		t.resize(o.capacity)
	}
	t.entities = append(t.entities[:0], o.entities...)
	for i := range t.columns {
		c, from := &t.columns[i], &o.columns[i]
		c.info.schema.copyRows(c.base, from.base, n)
		copy(c.rows, from.rows)
		copy(c.blocks, from.blocks)
		c.newest = from.newest
	}
	if t.typed {
		for row := n; row < before; row++ {
			t.forget(row)
		}
	}
}

// restoreEdges makes the edges lead where those of o lead. Edges count for the limit of bytes. Plans of moves that are still right stay.
func (t *Table) restoreEdges(o *Table) {
	w, known := t.world, 0 // how many edges are the same
	for known < min(len(t.edges), len(o.edges)) && slices.Equal(t.edges[known].ids, o.edges[known].ids) {
		known++
	}
	if known < len(t.edges) || known < len(o.edges) {
		clear(t.edges[known:])
		t.edges = t.edges[:known]
		for _, e := range o.edges[known:] {
			t.edges = append(t.edges, edge{ids: e.ids})
		}
		t.edgeIndex = edgeIndex{}
		for i := walkedEdges; i < len(t.edges); i++ {
			t.edgeIndex.place(t.edges[i].ids, i)
		}
	}
	for i := range t.edges {
		e := &t.edges[i]
		e.add, e.remove = w.moveLike(e.add, o.edges[i].add), w.moveLike(e.remove, o.edges[i].remove)
	}
}

// moveLike returns a move to the table of the same id as that of o: mine, when it leads there.
func (w *World) moveLike(mine, o *move) *move {
	if o == nil {
		return nil
	}
	if to := w.tables[o.to.id]; mine == nil || mine.to != to {
		return &move{to: to}
	}
	return mine
}
