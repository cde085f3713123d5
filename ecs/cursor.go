package ecs

import "unsafe"

// A Cursor is one walk over a query, pulled by the caller:
//
//	c := q.Begin()
//	defer c.End()
//	for c.Next() {
//		p := pos.At(&c)
//		…
//	}
//
// From Begin to End structure is locked. A Cursor is a value; do not copy it while it is open. Where it is asked for an entity and has
// none, before the first Next or after the end, it panics.
type Cursor struct {
	query    *Query // nil when ended
	hold     *hold  // the world's at Begin, noHold when ended: without a world the walk is over
	match    *match // nil before the first table and when ended
	row      int    // current row
	end      int    // rows to walk without looking at a row test; 0 when there is one
	next     int    // next match to look at
	table    uint32 // id of match.table, read once per row
	in       window // what changed and added mean, once windowed
	windowed bool

	// with conditions on rows
	choice *choice // nil before the first row
	span   int     // next span of choice to walk, or its next source
	at     int     // next word of the span; it ends before stop
	stop   int
	word   uint64 // rows of the block not visited yet
	taken  uint64 // those that NextRows has handed out, but for the first
	behind bool   // the next NextRows begins behind the current row: see Continue
	block  int

	// narrowed to a relation's target
	sources *relation // nil otherwise
	source  uint32    // next source to look at, slot index + 1; 0 at the end
}

// Begin opens a walk whose changed and added conditions mean: since the running system last ran ([World.Since]), by anyone but itself.
// Of several writes to a row the last one counts.
//
// The first [Cursor.Next] decides which rows the walk visits, all of them, and so do [Query.Each] and [Query.Start] when they begin: a
// row that matched then is visited, whatever is written and tagged during the walk, and no other is.
func (q *Query) Begin() Cursor {
	w := q.use()
	w.mustBeAlone()
	w.locks++
	return Cursor{query: q, hold: w.hold}
}

// BeginSince opens a walk whose changed and added conditions mean: after that tick.
func (q *Query) BeginSince(since Tick) Cursor {
	c := q.Begin()
	c.in, c.windowed = window{since: q.world.stampSince(since)}, true
	return c
}

// End closes the walk and unlocks structure. Ending twice does nothing.
func (c *Cursor) End() {
	if c.query != nil {
		w := c.query.world
		w.unlock(c.hold)
		if c.choice != nil {
			w.choices = append(w.choices, c.choice)
			c.choice = nil
		}
		c.query, c.hold, c.match = nil, noHold, nil
		c.end, c.word, c.taken, c.at, c.stop = 0, 0, 0, 0, 0
	}
}

// open reports whether the walk goes on. One that was closed by force ends here.
func (c *Cursor) open() bool {
	if c.query != nil && c.hold.world == nil {
		c.End()
	}
	return c.query != nil
}

// Next moves to the next matching entity; false at the end, where the cursor has ended itself.
func (c *Cursor) Next() bool {
	if c.row++; c.row < c.end {
		return true
	}
	return c.advance()
}

// NextTable moves to the next matching table with rows, without looking at conditions on rows; false at the end, where the cursor has
// ended itself. Use either Next or NextTable in one walk.
func (c *Cursor) NextTable() bool {
	if c.query == nil {
		return false
	}
	if c.hold.world == nil { // closed by force
		c.End()
		return false
	}
	if c.end|c.stop != 0 || c.word|c.taken != 0 { // Next came before
		c.end, c.word, c.taken, c.at, c.stop = 0, 0, 0, 0, 0
	}
	c.row = 0
	for c.next < len(c.query.matches) {
		c.match = &c.query.matches[c.next]
		c.next++
		if len(c.match.table.entities) > 0 && (!c.match.inherit || c.match.table.mask.containsAll(c.query.required)) {
			c.table = c.match.table.id
			return true
		}
	}
	c.End()
	return false
}

// advance finds the next row beyond the current table or block of rows.
func (c *Cursor) advance() bool {
	switch {
	case !c.open():
		return false
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

// openWindow sets the running system's window, unless the caller gave one.
func (c *Cursor) openWindow() {
	if !c.windowed {
		c.in, c.windowed = c.query.world.window(), true
	}
}

// here returns the current match.
func (c *Cursor) here() *match {
	if c.match == nil {
		panic(cursorNowhere)
	}
	return c.match
}

// Table returns the current table.
func (c *Cursor) Table() *Table { return c.here().table }

// RowIndex returns the current row of Table.
func (c *Cursor) RowIndex() int { return c.row }

// Entity returns the current entity.
func (c *Cursor) Entity() Entity { return c.here().table.entities[c.row] }

// Column returns the column of term i of the query in the current table, nil for an optional component it lacks.
func (c *Cursor) Column(i int) *Column { return c.here().cols[i] }

// Row returns the component of term i of the current entity, the zero Row for an optional component it lacks. Writing through it stamps
// nothing: see [Cursor.Stamp].
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

// Stamp marks term i of the current entity as changed now. It does nothing for an optional component that the table lacks.
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

// Ref returns a view of term i of the current entity, which may be kept beyond the walk.
func (c *Cursor) Ref(i int) Ref {
	c.here()
	return Ref{world: c.query.world, info: c.query.world.components[c.query.terms[i]], entity: c.Entity()}
}

// At returns the value at the cursor for reading, nil when the table lacks the component. It panics when the walk is over, or of another
// world.
func (c Component[T]) At(cur *Cursor) *T {
	if cur.hold.world != c.world {
		panic(cursorForeign)
	}
	if base := c.info.baseIn(cur.table); base != nil { // the table is of this world
		return (*T)(unsafe.Add(base, uintptr(cur.row)*unsafe.Sizeof(*new(T))))
	}
	return nil
}

// MutAt returns the value at the cursor for writing and marks it changed, nil when the table lacks the component.
func (c Component[T]) MutAt(cur *Cursor) *T {
	p := c.At(cur)
	if p != nil {
		c.info.columnIn(cur.table).stampChanged(cur.row, c.world.now)
	}
	return p
}
