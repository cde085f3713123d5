package ecs

import "math/bits"

// World returns the world that is walked, nil when the cursor has ended.
func (c *Cursor) World() *World {
	if c.query == nil {
		return nil
	}
	return c.query.world
}

// NextRows is [Cursor.Next] for callers that walk rows by themselves: it moves to the next matching entity and returns how many rows of its
// table, from there on, to visit before the next call; 0 at the end, where the cursor has ended itself. mask is 0 when they all match. Where
// a condition looks at rows there are at most 64, and bit i of mask says whether the i-th of them is to be visited. The next call goes on
// behind them, whatever [Cursor.Skip] did, unless [Cursor.Continue] was called.
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

// Continue makes the next [Cursor.NextRows] begin right behind the current row, as [Cursor.Next] does, though earlier calls of NextRows have given
// rows behind it. It is for callers that stop within such rows and go on later.
func (c *Cursor) Continue() { c.behind = true }

// Skip moves the cursor n rows on (back, when negative) within the rows of the last [Cursor.NextRows]. [Cursor.Next] goes on from there. It may
// end up right behind the last row of the table, where it has no entity; it panics when it would go further.
func (c *Cursor) Skip(n int) {
	t := c.here().table
	n += c.row
	if uint(n) > uint(len(t.entities)) {
		panic("ecs: Cursor.Skip leaves the rows of the table")
	}
	c.row, c.table = n, t.id
	if n == len(t.entities) {
		c.table = noTable // which has no columns, so that Component.At gives nothing
	}
	if c.taken != 0 {
		c.word = c.taken &^ (1<<max(0, c.row+1-c.block<<blockShift) - 1)
	}
}

// Rows returns how many entities the walk visits. It is asked before the first Next. Where conditions look at rows it decides about all of
// them, as that Next would; otherwise it costs O(tables). A walk that [Query.BeginTarget] opened without such conditions visits Rows entities
// or fewer: that many have the target.
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
