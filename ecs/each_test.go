package ecs

// Walks without Go types, as the tests of cursors want them.

// each visits every matching entity. The cursor is valid in the loop body only.
func (q *Query) each(yield func(Entity, *Cursor) bool) {
	c := q.begin()
	defer c.End()
	for c.Next() {
		if !yield(c.Entity(), &c) {
			return
		}
	}
}

// at returns the value at the cursor for reading, nil if its table lacks the component.
func (c Component[T]) at(cur *Cursor) *T {
	col := cur.Table().Column(c.ID())
	if col == nil {
		return nil
	}
	return (*T)(col.at(cur.RowIndex()))
}

// mutAt is at for writing: it marks the value as changed.
func (c Component[T]) mutAt(cur *Cursor) *T {
	p := c.at(cur)
	if p != nil {
		cur.Table().Column(c.ID()).Stamp(cur.RowIndex())
	}
	return p
}
