package ecs

import "math/bits"

// This file has the functions of a Cursor for callers that walk runs of rows by themselves: the loops of scripts
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
		c.behind, c.taken = false, 0
	} else {
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
