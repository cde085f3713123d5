package ecs

import "encoding/binary"

// An edge leads from a table to the tables with some components more and some less. There is one entry per change ever made from the
// table; the first few are found by walking the list. Only a table with many (like that of no components, which every spawn leaves) gets an index.
type edge struct {
	ids         []ComponentID // ascending: the components to add or remove
	add, remove *move         // nil until first used
}

// noRoom stands for a move to a table that the world's limit leaves no room for.
var noRoom = &move{}

// ask makes room for a row where the move leads, or says that there is none: [ErrBytes].
func (mv *move) ask(w *World) error {
	if mv == noRoom {
		return w.full()
	}
	if to := mv.to; len(to.entities) == to.capacity {
		return to.reserve(1)
	}
	return nil
}

// with returns the table of the components of t and these, given in ascending order.
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

// tableCost is about what a table and its edges take without rows, beside 256 bytes a column.
const tableCost = 1024

// walkedEdges is how many edges of a table are found by walking.
const walkedEdges = 12

// A move is a cached migration: where to, and which columns to copy, fill and leave behind.
type move struct {
	to      *Table
	planned bool // the lists are made at the first migration
	shared  columnPairs
	fresh   []*Column // columns of to which the row gains
	lost    []*Column // columns of the source which the row loses
	ended   []*Column // those of lost which are relations
}

// tableOf returns the table of a mask, creating it when there was none. The mask is kept.
func (w *World) tableOf(m mask) *Table {
	var buf [128]byte
	key := m.appendKey(buf[:0])
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
	t := newTable(w, uint32(len(w.tables)), m)
	w.tables = append(w.tables, t)
	w.byMask[string(key)] = t
	for _, q := range w.queries {
		q.consider(t)
	}
	return t
}

// edgeCost is about what an edge takes, with its moves, beside its ids.
const edgeCost = 256

// edge returns the edge for a set of components given in ascending order.
func (t *Table) edge(ids []ComponentID) *edge {
	for i := range t.edges[:min(len(t.edges), walkedEdges)] {
		e := &t.edges[i]
		if len(e.ids) == len(ids) && sameIDs(e.ids, ids) {
			return e
		}
	}
	if len(t.edges) >= walkedEdges {
		if at, known := t.edgeIndex.place(ids, len(t.edges)); known {
			return &t.edges[at]
		}
	}
	t.beforeMove()
	t.world.structure += edgeCost + 8*uint64(len(ids))
	t.edges = append(t.edges, edge{ids: append([]ComponentID(nil), ids...)})
	return &t.edges[len(t.edges)-1]
}

// An edgeIndex finds the edges of a table beyond the first few. Changes of one component, the commonest, are found by two indexed loads; those of several
// components by hashing. Its memory grows with the edges in it, but for a pointer per 64 components up to the largest id in it.
type edgeIndex struct {
	single  []*[64]int32 // by component id, in pages: place in Table.edges plus one, 0 for none
	several map[string]int
}

// place returns where the edge of a change is. When it is not known, the place is noted to be next.
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

// full reports whether there is no room for an edge of t that was never walked, and the table it leads to.
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

// adding returns the move that adds those of ids (ascending) which t lacks; nil when it has them all, noRoom when that needs a new table and
// there is no room for one. The edge is that of the real
// change: adding {A, B} to a table with A walks the edge of B.
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

// removing returns the move that removes those of ids (ascending) which t has; nil when it has none, noRoom as adding does.
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

// takingAway is removing of components that t has, whatever the limit says.
func (t *Table) takingAway(present []ComponentID) *move {
	e := t.edge(present)
	if e.remove == nil {
		t.beforeMove()
		e.remove = t.moveTo(t.mask.minus(maskOf(present)))
	}
	return e.remove
}

// moveTo returns the migration from t to the table of m.
func (t *Table) moveTo(m mask) *move { return &move{to: t.world.tableOf(m)} }

// plan works out which columns a move copies, fills and leaves behind; t is where it starts. A move that only says where entities are
// spawned never needs it.
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

// migrate moves a living entity along mv. Shared values keep their stamps; gained ones hold their default (or what
// the entity shared through IsA so far) and are added now.
func (w *World) migrate(e Entity, sl *slot, mv *move) {
	from, oldRow := w.tables[sl.table], int(sl.row)
	if from == mv.to {
		panic("ecs: migration of " + e.String() + " into its own table")
	}
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
	if len(w.tracked) > 0 {
		for _, c := range mv.lost {
			if c.info.lost != nil {
				c.info.lost.add(e, w.Tick())
			}
		}
	}
	if len(mv.ended) > 0 {
		from.unlinkColumns(e, oldRow, mv.ended)
	}
	sl.table, sl.row = mv.to.id, uint32(row)
	w.dropRow(from, oldRow)
}

// dropRow removes a row and corrects the location of the entity that takes its place.
func (w *World) dropRow(t *Table, row int) {
	if moved := t.swapRemove(row); moved != None {
		w.slots.all[uint32(moved)].row = uint32(row)
	}
}
