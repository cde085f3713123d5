package ecs

import "encoding/binary"

// This file is the graph of tables: which table an entity moves to when it gains or loses components. Tables are
// found by their mask (tableOf); the way from one table to another is cached as an edge with a move, so that only
// the first move between two tables hashes a mask. migrate, at the end, carries a move out for one entity.

// An edge leads from a table to the table with some components more, and to the table with these components less.
// A table has one edge for each set of components by which an entity of it has ever changed. A few edges
// are found by a linear search; a table with more, such as the one without components, from which every spawn
// starts, has an index.
type edge struct {
	ids         []ComponentID // ascending: the components to add or remove
	add, remove *move         // nil until first used
}

// noRoom stands for a move to a table that cannot be made within the limit of bytes.
var noRoom = &move{}

// ask makes room for one row in the table that the move leads to. Error: [ErrBytes].
func (mv *move) ask(w *World) error {
	if mv == noRoom {
		return w.full()
	}
	if to := mv.to; len(to.entities) == to.capacity {
		return to.reserve(1)
	}
	return nil
}

// with returns the table that has the components of t and ids, which are in ascending order. Error: [ErrBytes].
func (t *Table) with(ids []ComponentID) (*Table, error) {
	mv := t.adding(ids)
	switch mv {
	case nil:
		return t, nil
	case noRoom:
		return nil, t.world.full()
	}
	return mv.to, nil
}

// tableCost is about the number of bytes of a table with its edges and without rows, plus 256 bytes per column.
const tableCost = 1024

// walkedEdges is the largest number of edges of a table that are searched one by one.
const walkedEdges = 12

// A move is a cached migration: the table it leads to, and the columns to copy, to fill with defaults and to leave
// behind. It is valid for one source table.
type move struct {
	to      *Table
	planned bool // the lists below are made; that happens at the first migration
	shared  columnPairs
	fresh   []*Column // columns that the row gains
	lost    []*Column // columns that the row loses
	ended   []*Column // those of lost that belong to relations

	interest interest // what is observed of these columns,
	joint    *joint   // and who is told of several of them; valid once along was asked
}

// tableOf returns the table of a mask, that of prefabs or that of all others, and creates it if it does not exist; the table keeps m. A new table is
// offered to all queries.
func (w *World) tableOf(m mask, prefab bool) *Table {
	var buf [128]byte
	key := tableKey(buf[:0], m, prefab)
	if t, ok := w.byMask[string(key)]; ok {
		return t
	}
	if w.journal != nil {
		w.journal.tables()
	}
	if len(w.tables)%pageTables == 0 {
		for _, c := range w.components {
			c.coverTables(len(w.tables) + 1)
		}
		w.structure += pointerSize * uint64(len(w.components))
	}
	t := newTable(w, uint32(len(w.tables)), m, prefab)
	w.tables = append(w.tables, t)
	w.occupied.cover(t.id)
	w.byMask[string(key)] = t
	for _, q := range w.queries {
		q.consider(t)
	}
	return t
}

// tableKey appends the key of a table in World.byMask.
func tableKey(key []byte, m mask, prefab bool) []byte {
	key = m.appendKey(key)
	if prefab {
		key = append(key, 1)
	}
	return key
}

// edgeCost is about the number of bytes of an edge with its moves, without its ids.
const edgeCost = 256

// edge returns the edge for ids, which are in ascending order, and creates it if it does not exist.
func (t *Table) edge(ids []ComponentID) *edge {
	if len(t.edges) > walkedEdges {
		if at, known := t.edgeIndex.place(ids, len(t.edges)); known {
			return &t.edges[at]
		}
	} else {
		for i := range t.edges {
			e := &t.edges[i]
			if len(e.ids) == len(ids) && sameIDs(e.ids, ids) {
				return e
			}
		}
	}
	t.beforeMove()
	t.world.structure += edgeCost + 8*uint64(len(ids))
	t.edges = append(t.edges, edge{ids: append([]ComponentID(nil), ids...)})
	if len(t.edges) == walkedEdges+1 {
		t.indexEdges()
	}
	return &t.edges[len(t.edges)-1]
}

// indexEdges makes the index of the edges anew; a table with few edges has none.
func (t *Table) indexEdges() {
	t.edgeIndex = edgeIndex{}
	for i := 0; len(t.edges) > walkedEdges && i < len(t.edges); i++ {
		t.edgeIndex.place(t.edges[i].ids, i)
	}
}

// An edgeIndex finds the edges of a table that has more than a few. An edge of one component, the most common kind, is
// found by two indexed loads, one of several components by hashing. Its memory grows with its edges, plus one
// pointer per 64 components up to the largest id in it.
type edgeIndex struct {
	single  []*[64]int32 // by component id, in pages of 64: index in Table.edges plus one, 0 for none
	several map[string]int
}

// place returns the index in Table.edges of the edge for ids, and true. If there is none, it records next as its
// index and returns next and false.
func (x *edgeIndex) place(ids []ComponentID, next int) (at int, known bool) {
	if len(ids) == 1 {
		page, bit := int(ids[0]>>6), ids[0]&63
		if page >= len(x.single) {
			x.single = append(x.single, make([]*[64]int32, page+1-len(x.single))...)
		}
		p := x.single[page]
		if p == nil {
			p = new([64]int32)
			x.single[page] = p
		}
		if at := int(p[bit]); at > 0 {
			return at - 1, true
		}
		p[bit] = int32(next + 1)
		return next, false
	}
	var buf [64]byte
	key := buf[:0]
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	if at, ok := x.several[string(key)]; ok {
		return at, true
	}
	if x.several == nil {
		x.several = map[string]int{}
	}
	x.several[string(key)] = next
	return next, false
}

func sameIDs(a, b []ComponentID) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// full reports whether the limit of bytes forbids a new edge of t for ids and the table that it leads to. An edge
// that exists is never refused.
func (t *Table) full(ids []ComponentID) bool {
	w := t.world
	return w.options.MaxBytes > 0 && w.structure+w.Bytes()+tableCost > w.options.MaxBytes && !t.knows(ids)
}

// knows reports whether t has an edge for these components.
func (t *Table) knows(ids []ComponentID) bool {
	for i := range t.edges {
		if len(t.edges[i].ids) == len(ids) && sameIDs(t.edges[i].ids, ids) {
			return true
		}
	}
	return false
}

// adding returns the move that adds those of ids (ascending) that t lacks. It returns nil if t has them all, and
// noRoom if a new table would be needed and there is no room for one. The edge is that of the missing components:
// adding {A, B} to a table with A uses the edge of B.
func (t *Table) adding(ids []ComponentID) *move {
	var buf [16]ComponentID
	missing := buf[:0]
	for _, id := range ids {
		if !t.mask.has(id) {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if t.full(missing) {
		return noRoom
	}
	e := t.edge(missing)
	if e.add == nil {
		t.beforeMove()
		e.add = t.moveTo(t.mask.with(missing))
	}
	return e.add
}

// step returns the move that adds or removes one component, if it has been made before. Otherwise, and if t has the component or lacks it already, it returns nil.
func (t *Table) step(id ComponentID, add bool) *move {
	if len(t.edges) > walkedEdges || t.mask.has(id) == add {
		return nil
	}
	for i := range t.edges {
		if e := &t.edges[i]; len(e.ids) == 1 && e.ids[0] == id {
			if add {
				return e.add
			}
			return e.remove
		}
	}
	return nil
}

// removing returns the move that removes those of ids (ascending) that t has. It returns nil if t has none of
// them, and noRoom under the same condition as adding.
func (t *Table) removing(ids []ComponentID) *move {
	var buf [16]ComponentID
	present := buf[:0]
	for _, id := range ids {
		if t.mask.has(id) {
			present = append(present, id)
		}
	}
	if len(present) == 0 {
		return nil
	}
	if t.full(present) {
		return noRoom
	}
	return t.takingAway(present)
}

// takingAway returns the move that removes components that t has, without regard to the limit of bytes: ending a
// relation must not fail.
func (t *Table) takingAway(present []ComponentID) *move {
	e := t.edge(present)
	if e.remove == nil {
		t.beforeMove()
		e.remove = t.moveTo(t.mask.minus(maskOf(present)))
	}
	return e.remove
}

// moveTo returns the migration from t to the table of m.
func (t *Table) moveTo(m mask) *move { return &move{to: t.world.tableOf(m, t.prefab)} }

// plan fills in the lists of columns of a move that starts at t. Moves that are only used to find the table of a
// spawn are never planned.
func (mv *move) plan(t *Table) {
	to := mv.to
	columns := make([]*Column, 0, len(to.columns)+2*len(t.columns))
	mv.shared.all = make([]columnPair, 0, min(len(to.columns), len(t.columns)))
	for i := range to.columns {
		dst := &to.columns[i]
		if src := t.Column(dst.info.id); src != nil {
			mv.shared.add(src, dst)
		} else {
			columns = append(columns, dst)
		}
	}
	mv.fresh = columns[:len(columns):len(columns)]
	columns = columns[len(columns):]
	for i := range t.columns {
		if src := &t.columns[i]; !to.mask.has(src.info.id) {
			columns = append(columns, src)
		}
	}
	mv.lost = columns[:len(columns):len(columns)]
	for _, c := range mv.lost {
		if c.info.relation != nil {
			mv.ended = append(mv.ended, c)
		}
	}
	mv.planned = true
}

// migrate moves a living entity along mv; sl is its slot. There must be room in the target table. Values that both
// tables have keep their stamps. Gained components get their default, or the value that the entity has shared
// through IsA so far, and are stamped as added. Removals are logged, and ended relations are unlinked.
func (w *World) migrate(e Entity, sl *slot, mv *move) {
	from, oldRow := w.tables[sl.table], int(sl.row)
	if from == mv.to {
		panic("ecs: migration of " + e.String() + " into its own table")
	}
	w.beginChange()
	if !mv.planned {
		mv.plan(from)
	}
	if w.journal != nil {
		w.journal.removes(from, oldRow, oldRow+1)
		w.journal.adds(mv.to, 1)
	}
	row := mv.to.push(e)
	if len(mv.shared.odd) > 0 {
		mv.shared.carryOdd(row, oldRow)
	}
	carryWords(mv.shared.all, row, oldRow)
	for _, c := range mv.fresh {
		c.gain(row, w.now)
	}
	if w.inherits(from) {
		for _, c := range mv.fresh {
			if base, baseRow := w.shared(c.info, sl); base != nil {
				c.info.schema.copyRow(c.at(row), base.at(baseRow)) // its own from now on, starting from the base's
			}
		}
	}
	if len(w.tracked) > 0 && !from.prefab {
		for _, c := range mv.lost {
			if c.info.lost != nil {
				c.info.lost.add(e, w.Tick())
			}
		}
	}
	if len(mv.ended) > 0 {
		from.unlinkColumns(e, oldRow, mv.ended)
	}
	if len(w.indexes) > 0 {
		w.unindexLost(e, mv)
	}
	sl.table, sl.row = mv.to.id, uint32(row)
	w.dropRow(from, oldRow)
	w.endChange()
}

// shift is migrate for an operation on one entity: it tells the observers before and after. Callers that write values
// after it hold the reports.
func (w *World) shift(e Entity, sl *slot, mv *move) {
	o := w.observers
	if o == nil || mv.planned && mv.interest == (interest{version: o.version}) { // nobody observes what changes
		w.migrate(e, sl, mv)
		return
	}
	if o.leaving(e, w.tables[sl.table], mv) {
		sl = w.slots.find(e)
	}
	w.migrate(e, sl, mv)
	o.gained(e, mv)
}

// dropRow removes a row. The last row of the table takes its place, and the slot of its entity is updated.
func (w *World) dropRow(t *Table, row int) {
	if moved := t.swapRemove(row); moved != None {
		w.slots.all[uint32(moved)].row = uint32(row)
	}
}
