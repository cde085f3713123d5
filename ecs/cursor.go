package ecs

import (
	"math/bits"
)

// A cursor is the basic way to walk the result of a query; typed walks, First and the loops of scripts are built on
// it. It has four ways to advance: row by row through whole tables (no conditions on rows), through a choice
// of rows (choice.go), through the sources of a relation's target (walksources.go), and through runs of rows in an order (orderwalk.go).

// A Cursor is one walk over a query without Go types, opened with [RawAccess.Begin] and pulled by the caller:
//
//	c := ecs.Raw.Begin(q)
//	defer c.End()
//	for c.Next() {
//		row := c.Row(0)
//		…
//	}
//
// From Begin to End structure is locked. A Cursor is a value; do not copy it while it is open. Where it is asked for an entity and has
// none, before the first Next or after the end, it panics.
//
// The zero value is not usable: methods panic with a sentence. Row and Stamp are too fast to look for it, and end in a nil dereference.
type Cursor struct {
	query    *Query // nil when ended
	hold     *hold  // the world's hold at Begin, noHold after the end: a hold without a world means that the walk is over
	match    *match // the current table; nil before the first table and after the end
	row      int    // current row
	end      int    // rows of the current table, if all of them are visited; 0 if rows are tested
	next     int    // index of the next match to look at
	in       window // what "changed" and "added" mean in this walk; valid if windowed
	windowed bool

	// used if the query has conditions on rows
	choice *choice // nil before the first row
	span   int     // index of the next span of choice, or of its next source
	at     int     // index in choice.words of the next word of the current span, which ends before stop
	stop   int
	word   uint64 // rows of the block that are not visited yet, one bit each
	taken  uint64 // the rows of the block that NextRows has returned, except the first
	ahead  int    // where in choice.words the run of Blocks ends; 0 for other runs
	behind bool   // the next NextRows begins right after the current row: see Continue
	block  int

	oneBase bool // of the current span of choice
	ordered bool // it walks the runs of choice: see orderwalk.go

	// used if the walk is narrowed to the target of a relation
	sources *relation // nil otherwise
	source  uint32    // next source to look at, place in its list + 1; 0 at the end
}

// begin opens a walk; see [RawAccess.Begin].
func (q *Query) begin() Cursor {
	w := q.use()
	w.mustBeAlone()
	w.notChanging()
	w.locks++
	return Cursor{query: q, hold: w.hold}
}

// beginSince opens a walk whose conditions Changed and Added select what was done after that tick.
func (q *Query) beginSince(since Tick) Cursor {
	c := q.begin()
	c.in, c.windowed = window{since: q.world.stampSince(since)}, true
	return c
}

// End ends the walk and unlocks structure. Ending a walk that has ended does nothing.
func (c *Cursor) End() {
	if c.query != nil {
		w := c.query.world
		w.unlock(c.hold)
		if c.choice != nil {
			w.choices = append(w.choices, c.choice)
			c.choice = nil
		}
		c.query, c.hold, c.match = nil, noHold, nil
		c.end, c.word, c.taken, c.at, c.stop, c.ahead = 0, 0, 0, 0, 0, 0
	}
}

// open reports whether the walk goes on. A walk that the world has closed (endWalks) is ended here.
func (c *Cursor) open() bool {
	if c.query != nil && c.hold.world == nil {
		c.End()
	}
	return c.query != nil
}

// Next moves to the next matching entity. At the end it ends the cursor and reports false.
func (c *Cursor) Next() bool {
	if c.row++; c.row < c.end {
		return true
	}
	return c.advance()
}

// NextTable moves to the next matching table that has rows. It does not test conditions on rows. At the end it
// ends the cursor and reports false. Use either Next or NextTable in one walk, not both.
func (c *Cursor) NextTable() bool {
	if c.query == nil {
		return false
	}
	if c.hold.world == nil { // the world has closed the walk
		c.End()
		return false
	}
	if c.end|c.stop != 0 || c.word|c.taken != 0 { // Next came before
		c.end, c.word, c.taken, c.at, c.stop = 0, 0, 0, 0, 0
	}
	c.row = 0
	for q := c.query; ; {
		c.next = q.filled(c.next)
		if c.next >= len(q.matches) {
			break
		}
		c.match = &q.matches[c.next]
		c.next++
		if !c.match.inherit || c.match.table.mask.containsAll(c.query.required) {
			return true
		}
	}
	c.End()
	return false
}

// advance is the cold path of Next: it moves to the next table, block of rows or source.
func (c *Cursor) advance() bool {
	switch {
	case !c.open():
		return false
	case c.ordered:
		return c.advanceRun()
	case c.sources != nil:
		return c.advanceSource()
	case c.query.testsRows():
		return c.advanceChosen()
	case !c.NextTable():
		return false
	}
	c.row, c.end = 0, len(c.match.table.entities)
	return true
}

// openWindow sets the window to that of the running system, unless beginSince has set another.
func (c *Cursor) openWindow() {
	if !c.windowed {
		c.in, c.windowed = c.query.world.window(), true
	}
}

// here returns the current match. It panics if the cursor is at no entity.
func (c *Cursor) here() *match {
	if c.match == nil {
		panic(cursorNowhere)
	}
	return c.match
}

// Query returns the query that the walk is over, nil after the end.
func (c *Cursor) Query() *Query { return c.query }

// Table returns the current table.
func (c *Cursor) Table() *Table { return c.here().table }

// RowIndex returns the index of the current row in [Cursor.Table].
func (c *Cursor) RowIndex() int { return c.row }

// Entity returns the current entity.
func (c *Cursor) Entity() Entity { return c.here().table.entities[c.row] }

// Column returns the column of term i of the query in the current table, nil if the table lacks an optional
// component.
func (c *Cursor) Column(i int) *Column { return c.here().cols[i] }

// Row returns the component of term i of the current entity, the zero Row if the entity lacks an optional
// component. It may be the row of a base that shares the component through [IsA]; that row must not be written.
// Writing through a Row stamps nothing: call [Cursor.Stamp].
func (c *Cursor) Row(i int) Row {
	if c.hold.world == nil {
		panic(cursorNowhere)
	}
	col, row := c.here().cols[i], c.row
	if col == nil && c.match.inherit {
		info := c.query.world.components[c.query.terms[i]]
		col, row = c.query.world.shared(info, &c.query.world.slots.all[uint32(c.Entity())])
	}
	if col == nil {
		return Row{}
	}
	if row >= len(col.table.entities) {
		panic(cursorBehind)
	}
	if c.hold.world.journal != nil {
		col.tell(row, row+1)
	}
	return Row{schema: col.info.schema, ptr: col.at(row)}
}

// Stamp marks term i of the current entity as changed now. It does nothing if the table lacks the component.
func (c *Cursor) Stamp(i int) {
	if c.hold.world == nil {
		panic(cursorNowhere)
	}
	if col := c.here().cols[i]; col != nil {
		if c.row >= len(col.table.entities) {
			panic(cursorBehind)
		}
		col.stampChanged(c.row, c.query.world.now)
	}
}

// Ref returns a [Ref] to term i of the current entity. It may be kept after the walk.
func (c *Cursor) Ref(i int) Ref {
	c.here()
	return Ref{world: c.query.world, info: c.query.world.components[c.query.terms[i]], entity: c.Entity()}
}

// The rest of this file has the functions of a Cursor for callers that walk runs of rows by themselves: the loops of scripts
// and compiled loops. They ask for a run with NextRows, visit its rows, and tell the cursor with Skip how far they
// came.

// World returns the world of the walk, nil if the cursor has ended.
func (c *Cursor) World() *World {
	if c.query == nil {
		return nil
	}
	return c.query.world
}

// NextRows is [Cursor.Next] for callers that visit rows by themselves. It moves to the next matching entity and
// returns n: how many rows of its table, counted from that entity, belong to this run. If mask is 0, all of them
// are to be visited. Otherwise n is at most 64, and row i of the run is to be visited if bit i of mask is set. At
// the end NextRows ends the cursor and returns 0. The next call continues after the run, no matter what
// [Cursor.Skip] did, unless [Cursor.Continue] was called.
func (c *Cursor) NextRows() (n int, mask uint64) {
	if c.behind {
		c.behind, c.taken, c.ahead = false, 0, 0
	} else {
		if c.ahead != 0 {
			c.sit(c.block + c.ahead - c.at)
			c.word, c.taken, c.ahead = 0, 0, 0
		}
		if c.taken != 0 {
			c.word, c.taken = 0, 0
		}
		c.row = max(c.row, c.end-1)
	}
	switch {
	case !c.Next():
		return 0, 0
	case c.end > 0:
		return c.end - c.row, 0
	}
	mask = c.word>>(c.row&(blockRows-1)) | 1
	c.taken = c.word
	return bits.Len64(mask), mask
}

// Nth moves to the entity that the n-th further call of [Cursor.Next] would reach, counted from 0. It costs O(tables), or O(rows / 64) if
// the query has conditions on rows. At the end it ends the cursor and reports false. Call it before the first Next.
func (c *Cursor) Nth(n int) bool {
	for {
		run, mask := c.NextRows()
		rows := run
		if mask != 0 {
			rows = bits.OnesCount64(mask)
		}
		switch {
		case run == 0:
			return false
		case n >= rows:
			n -= rows
			continue
		case mask == 0:
			c.Skip(n)
			return true
		}
		for ; n > 0; n-- {
			mask &= mask - 1
		}
		c.Skip(bits.TrailingZeros64(mask))
		return true
	}
}

// Continue makes the next [Cursor.NextRows] begin right after the current row, as [Cursor.Next] does, although the
// last run contained rows after it. Call it after stopping in the middle of a run.
func (c *Cursor) Continue() { c.behind = true }

// Skip moves the cursor by n rows within the last run of [Cursor.NextRows]; a negative n moves it back.
// [Cursor.Next] continues from there. The cursor may end up right after the last row of the table, where it is at
// no entity; it panics if it would leave the table.
func (c *Cursor) Skip(n int) {
	t := c.here().table
	n += c.row
	if uint(n) > uint(len(t.entities)) {
		panic("ecs: Cursor.Skip leaves the rows of the table")
	}
	c.row = n
	if c.ahead != 0 {
		c.sit(min(n>>blockShift, c.block+c.ahead-c.at))
	}
	if c.taken != 0 {
		c.word = c.taken &^ (1<<max(0, c.row+1-c.block<<blockShift) - 1)
	}
}

// Rows returns how many entities the walk visits. Call it before the first Next. If the query has conditions on
// rows, it decides about all rows, as the first Next would; otherwise it costs O(tables). For a walk of
// [RawAccess.BeginTarget] without conditions on rows it returns how many entities have the target, which is an upper
// bound.
func (c *Cursor) Rows() int {
	q := c.query
	switch {
	case q == nil:
		return 0
	case c.ordered:
		n := 0
		for _, r := range c.choice.runs {
			n += r.to - r.from
		}
		return n
	case c.sources != nil && q.rows != nil:
		c.chooseSources()
		return len(c.choice.sources)
	case c.sources != nil:
		return c.stop
	case !q.testsRows():
		return q.Rows()
	}
	c.openWindow()
	if c.choice == nil && !c.choose() {
		return 0
	}
	n := 0
	for _, word := range c.choice.words {
		n += bits.OnesCount64(word)
	}
	return n
}
