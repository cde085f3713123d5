package ecs

// World returns the world that is walked, nil when the cursor has ended.
func (c *Cursor) World() *World {
	if c.query == nil {
		return nil
	}
	return c.query.world
}

// NextRows is [Cursor.Next] for callers that walk rows by themselves: it moves to the next matching entity and returns how many rows of its
// table, from there on, match one after the other: always 1 where a condition looks at rows; 0 at the end, where the cursor has ended
// itself. The next call goes on behind them, whatever [Cursor.Skip] did.
func (c *Cursor) NextRows() int {
	c.row = max(c.row, c.end-1)
	switch {
	case !c.Next():
		return 0
	case c.end > 0:
		return c.end - c.row
	}
	return 1
}

// Skip moves the cursor n rows on (back, when negative) within the rows of the last [Cursor.NextRows]. [Cursor.Next] goes on from there.
func (c *Cursor) Skip(n int) { c.row += n }
