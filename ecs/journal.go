package ecs

import "unsafe"

// A journal is told before the state of its world changes, while the old state is still there: for whoever wants to take changes back, or to
// stop at a write. A world has none, mostly. Then being told costs a test for nil once for each change of structure and each access for
// writing, and nothing for each row: rows that are stamped one by one are told of where the first row of a block is stamped in a tick.
//
// What it is told of may be more than what then changes: a loop over raw columns may write every row of them. Within one tick, what it was
// told of once may not be told again.
//
// It is not told of what is small, and what callers hold by address. Whoever installs a journal looks at these at once: clock and ticks,
// resources, random streams, places of event readers, removal logs, command queues, the counters of limits, and how much is declared.
type journal interface {
	// rows: values and stamps of rows from..to-1 of a column, and of the blocks that they lie in.
	rows(c *Column, from, to int)
	// adds: rows are about to be added at the end of a table, with their slots, or its memory is about to be moved; the block that the end
	// lies in changes in all columns.
	adds(t *Table, n int)
	// removes: rows from..to-1 of a table are about to be removed, with or without their slots; other rows may take their places, and the
	// blocks that both lie in change in all columns.
	removes(t *Table, from, to int)
	// slots: handles are about to be reserved or given back.
	slots()
	// tables: a table or an edge is about to be made.
	tables()
	// tag: an entity is about to get or lose a tag, or memory of the tag's set is about to be moved. It changes the marks and the flags of the entity's slot, too.
	tag(s *tagSet, e Entity)
	// relation: lists of sources, or the forest, are about to change.
	relation(r *relation)
	// events: a log is about to get or lose events, readers or memory.
	events(l *eventLog)
	// grid: a grid is about to take a snapshot.
	grid(g *Grid)
}

// install makes j the journal of the world, or ends that with nil. It begins a tick, so that each block that is written after is told of.
func (w *World) install(j journal) {
	w.mustBeAlone()
	if j != nil {
		w.advanceTick()
	}
	w.journal, w.slots.guarded = j, j != nil
	for _, t := range w.tables {
		t.openFor()
	}
}

// openFor lets raw access to the columns of a table pass without a look, unless a journal is to be told.
func (t *Table) openFor() {
	t.open = t.world
	if t.world.journal != nil {
		t.open = nil
	}
}

// beforeRaw is what raw access to a whole column does first, where the table is not open for it. Panics for a table of another world.
func (c *component) beforeRaw(w *World, t *Table) {
	if t.world != w {
		panic(otherWorld)
	}
	if col := c.column(t.id); col != nil {
		col.before(0, len(t.entities))
	}
}

// before tells the journal, if there is one, of rows that may be written.
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

// beforeBlock is before for the rows of a block.
func (c *Column) beforeBlock(b *blockStamp) {
	from := int((uintptr(unsafe.Pointer(b))-uintptr(unsafe.Pointer(unsafe.SliceData(c.blocks))))/unsafe.Sizeof(blockStamp{})) << blockShift
	c.before(from, min(from+blockRows, len(c.table.entities)))
}

// BeforeWrite says that rows of the components may be written through their addresses, see [RawAccess.Column]: in any table. Code that writes so calls it
// before its first write in a turn. It costs O(components), and O(tables) while somebody keeps track of changes.
func (w *World) BeforeWrite(ids ...ComponentID) {
	if w.journal != nil {
		w.beforeWrite(ids)
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

// beforeParts tells the journal of all that workers of a parallel walk may write: every column of their rows.
func (w *World) beforeParts() {
	for i := range w.parts {
		p := &w.parts[i]
		for k := range p.table.columns {
			p.table.columns[k].before(p.from, p.to)
		}
	}
}

// beforeRun tells the journal of the rows of a run of a [Step] walk, whose addresses are handed out.
func (c *Cursor) beforeRun(from, to int) {
	for _, col := range c.match.cols {
		if col != nil {
			col.before(from, to)
		}
	}
}

// guard is what changes of tags and events do first, where the world is guarded: by a parallel walk, whose workers must not make them, or by a journal.
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
	l.before()
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
