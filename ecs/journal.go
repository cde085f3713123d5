package ecs

import "math/bits"

// A journal is told before the state of its world changes, while the old values are still there. It is for undoing
// changes and for stopping at a write. A world has no journal by default. Then each place that would tell it costs
// one test for nil: per structural change and per access for writing, not per row. Stamping rows one by one tells
// the journal only when the first row of a block is stamped in a tick.
//
// A journal may be told of more than what then changes: a loop over raw columns may write every row. Within one
// tick it may be told only once of rows that change several times.
//
// It is not told of small parts of the state, and of parts that callers hold by address: clock and ticks,
// resources, states, random streams, positions of event readers, removal logs, command queues, the counters of limits, and
// the numbers of declarations. Whoever installs a journal saves these at once.
type journal interface {
	// rows: values and stamps of rows from..to-1 of a column, and of the blocks that they lie in.
	rows(c *Column, from, to int)
	// adds: n rows with their slots are about to be added at the end of a table, or, with n == 0, its memory is
	// about to move. In all columns the block at the end of the table changes.
	adds(t *Table, n int)
	// removes: rows from..to-1 of a table are about to be removed, with or without their slots. Other rows may
	// take their places. In all columns the blocks of both change.
	removes(t *Table, from, to int)
	// slots: handles are about to be reserved or released.
	slots()
	// tables: a table or an edge is about to be created.
	tables()
	// tag: an entity is about to gain or lose a tag, or the memory of the tag's set is about to move. The marks
	// and the flags of the entity's slot change, too.
	tag(s *tagSet, e Entity)
	// relation: lists of sources, or the forest, are about to change.
	relation(r *relation)
	// sends: events are about to be appended to a log, or its memory is about to grow.
	sends(l *eventLog)
	// events: a log is about to lose events, or to gain or lose readers.
	events(l *eventLog)
	// waits: an event that is to wait is about to be added (-1), or the one at this place is about to end.
	waits(at int)
	// grid: a grid is about to take a snapshot.
	grid(g *Grid)
	// cells: cells from..to-1 of a layer, a page of them, are about to be written.
	cells(l *AnyLayer, from, to int)
	// index: the entity of a slot is about to arrive at a place of an index, or to leave it, where its entry is as given. Code that moves entities
	// in place says so when it has done it, in that order: see [RawAccess.Moved].
	index(x *Index, slot uint32, was indexEntry)
	// sweeps: the dead are about to be removed from the snapshot of a grid.
	sweeps(g *Grid)
}

// install makes j the journal of the world; nil removes it. It starts a new tick, so that the journal is told of
// every block that is written from now on.
func (w *World) install(j journal) {
	w.mustBeAlone()
	if j != nil {
		w.advanceTick()
	}
	w.journal = j
	w.slots.guarded = w.guards()
	for _, t := range w.tables {
		t.openFor()
	}
}

// openFor sets whether raw access to the columns of a table may skip the journal: Component.Slice compares one
// field to find out.
func (t *Table) openFor() {
	t.open = t.world
	if t.world.journal != nil {
		t.open = nil
	}
}

// beforeRaw is the cold path of raw access to a whole column: it tells the journal of all rows. Panics for a table
// of another world.
func (c *component) beforeRaw(w *World, t *Table) {
	if t.world != w {
		panic(otherWorld)
	}
	if col := c.column(t.id); col != nil {
		col.before(0, len(t.entities))
	}
}

// before tells the journal, if there is one, that rows from..to-1 may be written.
func (c *Column) before(from, to int) {
	if c.table.world.journal != nil {
		c.tell(from, to)
	}
}

// tell is before where there is a journal. In a parallel walk it has been told of all rows beforehand.
//
//go:noinline
func (c *Column) tell(from, to int) {
	if w := c.table.world; !w.slots.parallel && from < to {
		w.journal.rows(c, from, to)
	}
}

// beforeBlock tells the journal, if there is one, that rows of a block may be written.
func (c *Column) beforeBlock(b *blockStamp) {
	from := c.firstRow(b)
	c.before(from, min(from+blockRows, len(c.table.entities)))
}

// BeforeWrite must be called before code writes rows of these components through their addresses (see
// [RawAccess.Column]), in any table, once per turn before the first write. It costs O(components) and, with a
// journal, O(tables).
func (w *World) BeforeWrite(ids ...ComponentID) {
	if w.journal != nil {
		w.beforeWrite(ids)
	}
}

// BeforeWrite is [World.BeforeWrite] for rows from..to-1 of one column: code calls it right before it writes them.
func (c *Column) BeforeWrite(from, to int) {
	made(c != nil && c.table != nil, "Column (a table without the component has none)", "Table.Column")
	c.before(from, to)
}

// BeforeBlocks is BeforeWrite for several blocks of 64 rows: words has a bit for each row that is written, from block number first on.
func (c *Column) BeforeBlocks(first int, words []uint64) {
	made(c != nil && c.table != nil, "Column (a table without the component has none)", "Table.Column")
	if c.table.world.journal == nil {
		return
	}
	for i, word := range words {
		if word != 0 {
			from := (first + i) << blockShift
			c.tell(from+bits.TrailingZeros64(word), from+bits.Len64(word))
		}
	}
}

func (w *World) beforeWrite(ids []ComponentID) {
	for _, id := range ids {
		for _, t := range w.tables {
			if c := t.Column(id); c != nil {
				c.before(0, len(t.entities))
			}
		}
	}
}

// beforeParts tells the journal of everything that the workers of a parallel walk may write: every column in the
// rows of all parts.
func (w *World) beforeParts() {
	for i := range w.parts {
		p := &w.parts[i]
		for k := range p.table.columns {
			p.table.columns[k].before(p.from, p.to)
		}
	}
}

// guard is called before a change of tags or events if slots.guarded is set: it panics during a parallel walk,
// whose workers must not make such changes, and tells the journal otherwise.
func (s *tagSet) guard(e Entity) {
	s.world.mustBeAlone()
	s.before(e)
}

func (s *tagSet) before(e Entity) {
	if j := s.world.journal; j != nil {
		j.tag(s, e)
	}
}

func (l *eventLog) guard() {
	l.world.mustBeAlone()
	l.beforeSend()
}

func (l *eventLog) beforeSend() {
	if l.world.journal != nil {
		l.world.journal.sends(l)
	}
	for _, t := range l.world.taps {
		t.sends(l)
	}
}

func (l *eventLog) before() {
	if l.world != nil && l.world.journal != nil { // the log of a closed reader has no world
		l.world.journal.events(l)
	}
}

// beforeMove tells the journal, if there is one, that a move from t is about to be added to the graph.
func (t *Table) beforeMove() {
	if j := t.world.journal; j != nil {
		j.tables()
	}
}

// beforeRelation tells the journal, if there is one, of lists of sources that are about to change.
func (w *World) beforeRelation(r *relation) {
	if w.journal != nil {
		w.journal.relation(r)
	}
}
