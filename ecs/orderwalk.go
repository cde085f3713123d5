package ecs

import "math/bits"

// This file is the fourth way of a Cursor to advance: through runs of rows that stand one behind the other in their table and in the order of the walk.

// A rowRun is a run of rows of a table.
type rowRun struct {
	match    *match
	from, to int
}

// Begin opens a walk in the order that the keys have now; see [RawAccess.Begin].
func (o *Ordered) Begin() Cursor { return o.arranged(o.made().begin(), false) }

// BeginTarget is Begin for the sources of a relation's target; see [RawAccess.BeginTarget].
func (o *Ordered) BeginTarget(id RelationID, target Entity) (Cursor, error) {
	c, err := o.made().beginTarget(id, target)
	if err != nil {
		return Cursor{}, err
	}
	return o.arranged(c, false), nil
}

// BeginFirst opens a walk over the entity that comes first, which may be none. It sorts nothing.
func (o *Ordered) BeginFirst() Cursor { return o.arranged(o.made().begin(), true) }

// BeginFirstOf is BeginFirst for the sources of a relation's target.
func (o *Ordered) BeginFirstOf(id RelationID, target Entity) (Cursor, error) {
	c, err := o.made().beginTarget(id, target)
	if err != nil {
		return Cursor{}, err
	}
	return o.arranged(c, true), nil
}

// All visits the entities in their order: for e := range o.All. Structure is locked until the loop ends.
func (o *Ordered) All(yield func(Entity) bool) {
	c := o.Begin()
	defer c.End()
	for c.Next() {
		if !yield(c.Entity()) {
			return
		}
	}
}

// First returns the entity that comes first, [None] if there is none.
func (o *Ordered) First() Entity {
	c := o.BeginFirst()
	defer c.End()
	if c.Next() {
		return c.Entity()
	}
	return None
}

// arranged ends a plain walk, and returns one over the same rows in order, or over the first of them.
func (o *Ordered) arranged(plain Cursor, first bool) Cursor {
	o.note(&plain)
	c := o.query.begin()
	c.ordered, c.choice = true, o.query.world.takeChoice()
	if o.n == 0 {
		return c
	}
	if first && len(o.levels) > 0 {
		at := o.place(o.least())
		c.choice.runs = append(c.choice.runs, rowRun{at.match, at.row, at.row + 1})
		return c
	}
	if len(o.levels) == 0 {
		o.shuffle()
	} else {
		o.sort()
	}
	items := o.items
	if first {
		items = items[:1]
	}
	for len(items) > 0 {
		at, n := o.place(items[0]), 1
		if o.whole.match != nil {
			for n < len(items) && items[n] == items[0]+uint32(n) {
				n++
			}
		} else {
			for n < len(items) && o.rows[items[n]] == (rowPlace{at.match, at.row + n}) {
				n++
			}
		}
		c.choice.runs, items = append(c.choice.runs, rowRun{at.match, at.row, at.row + n}), items[n:]
	}
	return c
}

// advanceRun moves to the next run of rows. At the end it ends the cursor and reports false. If the query has conditions on rows, a run is given as a mask, as other
// walks over such a query give it.
func (c *Cursor) advanceRun() bool {
	if c.query.testsRows() {
		return c.advanceRunByWords()
	}
	if c.span == len(c.choice.runs) {
		c.End()
		return false
	}
	r := &c.choice.runs[c.span]
	c.span++
	c.match, c.row, c.end = r.match, r.from, r.to
	return true
}

// advanceRunByWords is advanceRun row by row, with the other rows of the run that are in the same block in c.word.
func (c *Cursor) advanceRunByWords() bool {
	word := c.word
	if word == 0 {
		if c.span == len(c.choice.runs) {
			c.End()
			return false
		}
		r := &c.choice.runs[c.span]
		c.match, c.block = r.match, r.from>>blockShift
		end := min(r.to, (c.block+1)<<blockShift)
		word = ^uint64(0) >> (blockRows - (end - r.from)) << (r.from & (blockRows - 1))
		if r.from = end; end == r.to {
			c.span++
		}
	}
	c.row = c.block<<blockShift + bits.TrailingZeros64(word)
	c.word = word & (word - 1)
	return true
}

// made returns the query.
func (o *Ordered) made() *Query {
	made(o.query != nil, "Ordered", "Query.Ordered")
	return o.query
}

// startOrdered opens a typed walk in an order of its query.
func (t *typed) startOrdered(q *Query, o *Ordered) Visit {
	made(t.world != nil, "Query", "ecs.NewQuery1 to ecs.NewQuery8")
	given(o != nil, "StartOrdered", "an order")
	if o.made() != q {
		panic("ecs: StartOrdered: the order is of another query; make it with Query.Ordered of this one")
	}
	return t.openLong(o.Begin())
}
