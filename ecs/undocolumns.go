package ecs

import (
	"slices"
	"unsafe"
)

// This file is the part of the undo log about tables: values, stamps, rows, and tables that are new. Entries are
// taken back last first, so that what was recorded first counts in the end. A block of 64 rows is recorded once a
// turn, before the first write to one of its rows, together with the blocks after it that are written at the same time;
// a row that is removed, and the one that takes its place, are recorded by themselves.

// A columnLog holds the old values and stamps of rows, and the entities of rows that were removed.
type columnLog struct {
	blocks     []blockUndo
	summaries  []blockStamp   // of whole blocks
	stamps     []rowStamp     // of single rows
	bytes      []byte         // the rows of components without pointers
	typed      []commandStore // by component: the rows of those with pointers
	typedBytes int64          // the memory of typed
	newest     []newestUndo
	sizes      []sizeUndo
	removed    []removedUndo
	leaving    []Entity

	known     int // number of tables when the turn began; later ones go
	structure uint64
	edges     []int // by table: number of its edges, once a table or an edge was made in this turn
}

// A blockUndo has rows from..from+n-1 of one column, and the summaries of the blocks from that of row from on. n may
// be 0.
type blockUndo struct {
	column    *Column
	from, n   int
	values    int // where they are in columnLog.bytes, or the index of the first in columnLog.typed
	stamps    int // where those of single rows are in columnLog.stamps; -1: the summaries say all
	summaries int // where they are in columnLog.summaries
	blocks    int // how many
}

// A newestUndo has the newest stamps of a column.
type newestUndo struct {
	column *Column
	newest rowStamp
}

// A sizeUndo has the number of rows of a table, and for how many it had memory.
type sizeUndo struct {
	table          *Table
	rows, capacity int
}

// A removedUndo says that the entities of rows from..from+n-1 are in columnLog.leaving.
type removedUndo struct {
	table    *Table
	from, n  int
	entities int
}

// A columnMark says what of a column is recorded.
type columnMark struct {
	turn   uint32   // the turn in which newest was recorded
	blocks []uint32 // by block: the turn in which it was recorded
}

func (l *columnLog) begin(w *World) {
	l.blocks, l.summaries, l.stamps, l.bytes = l.blocks[:0], l.summaries[:0], l.stamps[:0], l.bytes[:0]
	for i := range l.typed {
		s := &l.typed[i]
		if s.n > 0 {
			m := w.components[i].schema.memory
			for row := range s.n { // for the garbage collector
				m.clear(unsafe.Add(s.base, uintptr(row)*w.components[i].schema.size))
			}
		}
		s.n = 0
	}
	clear(l.newest)
	l.newest, l.sizes = l.newest[:0], l.sizes[:0]
	l.removed, l.leaving, l.edges = l.removed[:0], l.leaving[:0], l.edges[:0]
	l.known, l.structure = len(w.tables), w.structure
}

// rows implements journal.
func (u *undo) rows(c *Column, from, to int) {
	if !u.recording || int(c.table.id) >= u.known {
		return
	}
	for block, end := from>>blockShift, (to+blockRows-1)>>blockShift; block < end; block++ {
		first := block
		for block < end && !u.marked(c, block) {
			c.mark.blocks[block] = u.number
			block++
		}
		if first < block {
			u.record(c, first<<blockShift, max(0, min(block<<blockShift, len(c.table.entities))-first<<blockShift))
		}
	}
}

// markOf returns what is recorded of a column in this turn. It records the newest stamps of the column first.
func (u *undo) markOf(c *Column) *columnMark {
	m := c.mark
	if m == nil {
		m = &columnMark{}
		c.mark = m
	}
	if m.turn != u.number {
		m.turn = u.number
		u.newest = append(u.newest, newestUndo{c, c.newest})
	}
	return m
}

// marked reports whether a block is recorded in this turn. It records the newest stamps of the column first.
func (u *undo) marked(c *Column, block int) bool {
	m := u.markOf(c)
	if block >= len(m.blocks) {
		m.blocks = append(m.blocks, make([]uint32, max(block+1, len(c.blocks))-len(m.blocks))...)
	}
	return m.blocks[block] == u.number
}

// record appends an entry for rows, and for the block of the first one and those of the others. Rows that were made in
// this turn are left out: their values, such as strings, must not come back.
func (u *undo) record(c *Column, from, n int) {
	first := from >> blockShift
	blocks := c.blocks[first : first+max(1, (from+n+blockRows-1)>>blockShift-first)]
	if t := c.table; t.sized == u.number {
		n = max(0, min(n, t.before-from))
	}
	e := blockUndo{column: c, from: from, n: n, stamps: -1, summaries: len(u.summaries), blocks: len(blocks)}
	singles := false
	for i := range blocks {
		u.summaries = append(u.summaries, blocks[i].summary())
		singles = singles || blocks[i].single != nil && !blocks[i].saysAll()
	}
	if n > 0 && singles {
		e.stamps = len(u.stamps)
		for row := from; row < from+n; row++ {
			u.stamps = append(u.stamps, c.single(row))
		}
	}
	switch {
	case n == 0: // only the summary of the block; the rows may lie beyond the memory of the column
	case c.info.schema.pointerFree:
		e.values = len(u.bytes)
		u.bytes = append(u.bytes, c.bytes(from, n)...)
	default:
		e.values = u.keep(c, from, n)
	}
	u.blocks = append(u.blocks, e)
	u.countUndo()
}

// bytes returns the values of n rows without pointers.
func (c *Column) bytes(from, n int) []byte {
	return unsafe.Slice((*byte)(c.at(from)), uintptr(n)*c.size)
}

// keep copies rows with pointers to memory that the garbage collector scans.
func (u *undo) keep(c *Column, from, n int) (at int) {
	for int(c.info.id) >= len(u.typed) {
		u.typed = append(u.typed, commandStore{base: unsafe.Pointer(&zeroBase)})
	}
	s, schema := &u.typed[c.info.id], c.info.schema
	if need := s.n + n; need > s.capacity {
		capacity := max(2*s.capacity, need, blockRows)
		u.typedBytes += int64(capacity-s.capacity) * int64(schema.size)
		base, _ := allocRows(nil, schema, capacity)
		schema.copyRows(base, s.base, s.n)
		s.base, s.capacity = base, capacity
	}
	at = s.n
	schema.copyRows(unsafe.Add(s.base, uintptr(at)*schema.size), c.at(from), n)
	s.n += n
	return at
}

// size records the size of a table before it first changes in this turn. It reports false if nothing about the
// table need be recorded.
func (u *undo) size(t *Table) bool {
	if !u.recording || int(t.id) >= u.known {
		return false
	}
	if t.sized != u.number {
		t.sized, t.before = u.number, len(t.entities)
		u.sizes = append(u.sizes, sizeUndo{t, len(t.entities), t.capacity})
	}
	return true
}

// adds implements journal. The new rows need no record, but the summary of the block at the end of the table does.
func (u *undo) adds(t *Table, n int) {
	if !u.size(t) || n == 0 {
		return
	}
	row := len(t.entities)
	for i := range t.columns {
		c := &t.columns[i]
		if row>>blockShift >= len(c.blocks) {
			u.markOf(c) // the rows begin a block that is not there yet, but raise the newest stamps
		} else if !u.marked(c, row>>blockShift) {
			u.record(c, row, 0)
		}
	}
}

// removes implements journal.
func (u *undo) removes(t *Table, from, to int) {
	if !u.size(t) {
		return
	}
	if to-from != 1 { // many rows: whole blocks, and every row that can take the place of one of them
		u.leave(t, from, len(t.entities))
		for i := range t.columns {
			u.rows(&t.columns[i], from, len(t.entities))
		}
		return
	}
	last := len(t.entities) - 1
	u.leave(t, from, to)
	if last != from {
		u.leave(t, last, last+1)
	}
	for i := range t.columns {
		c := &t.columns[i]
		if !u.marked(c, from>>blockShift) {
			u.record(c, from, 1)
		}
		if last != from && !u.marked(c, last>>blockShift) {
			u.record(c, last, 1)
		}
	}
}

// leave records the entities of rows.
func (u *undo) leave(t *Table, from, to int) {
	u.removed = append(u.removed, removedUndo{t, from, to - from, len(u.leaving)})
	u.leaving = append(u.leaving, t.entities[from:to]...)
}

// tables implements journal.
func (u *undo) tables() {
	if len(u.edges) > 0 || !u.recording {
		return
	}
	for _, t := range u.w.tables {
		u.edges = append(u.edges, len(t.edges))
	}
}

// dropTables removes the tables and edges that were made in the turn. No older edge leads to one of them: an edge gets its move when it is made.
func (u *undo) dropTables() {
	w := u.w
	if len(u.edges) == 0 {
		return
	}
	for _, t := range w.tables[:u.known] {
		if n := u.edges[t.id]; n < len(t.edges) {
			clear(t.edges[n:])
			t.edges = t.edges[:n]
			t.indexEdges()
		}
	}
	if u.known < len(w.tables) {
		w.rebuildTables(slices.Clone(w.tables[:u.known]))
	}
	w.structure = u.structure
}

// restoreColumns restores values and stamps, last recorded first, and makes the tables as large as they were.
func (u *undo) restoreColumns() {
	for _, s := range u.sizes {
		if s.table.capacity < s.rows {
			s.table.resize(s.capacity)
		}
	}
	for _, e := range slices.Backward(u.blocks) {
		c := e.column
		if first := e.from >> blockShift; first < len(c.blocks) {
			for i := range min(e.blocks, len(c.blocks)-first) {
				c.blocks[first+i].summarize(&u.summaries[e.summaries+i])
			}
		}
		if e.n == 0 {
			continue // only the summaries
		}
		for i := range e.n {
			s := rowStamp{}
			if e.stamps >= 0 {
				s = u.stamps[e.stamps+i]
			}
			c.setSingle(e.from+i, s)
		}
		if c.info.schema.pointerFree {
			copy(c.bytes(e.from, e.n), u.bytes[e.values:])
		} else {
			c.info.schema.copyRows(c.at(e.from), unsafe.Add(u.typed[c.info.id].base, uintptr(e.values)*c.size), e.n)
		}
	}
	for _, n := range u.newest {
		n.column.newest = n.newest
	}
	for _, s := range u.sizes { // rows that are gone must not be newer than what their blocks say now
		for i := range s.table.columns {
			s.table.columns[i].forgetSingles(s.rows)
		}
	}
}

// restoreRows restores the entities of rows, last recorded first, and their slots' places.
func (u *undo) restoreRows() {
	for _, s := range u.sizes {
		t, before := s.table, len(s.table.entities)
		t.entities = t.entities[:s.rows]
		t.tags.allMoved()
		t.occupy()
		for row := s.rows; t.typed && row < before; row++ {
			t.forget(row)
		}
	}
	for _, r := range slices.Backward(u.removed) {
		copy(r.table.entities[min(r.from, len(r.table.entities)):], u.leaving[r.entities:r.entities+r.n])
	}
	for _, r := range u.removed {
		for row := r.from; row < min(r.from+r.n, len(r.table.entities)); row++ {
			sl := &u.w.slots.all[uint32(r.table.entities[row])]
			sl.table, sl.row = r.table.id, uint32(row)
		}
	}
	for _, s := range u.sizes {
		if s.table.capacity != s.capacity {
			s.table.resize(s.capacity)
		}
	}
}
