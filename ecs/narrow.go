package ecs

// This file is the third way of a Cursor to advance: over the sources of one target of a relation, along the list
// in relation.go, instead of over tables.

// beginTarget opens a walk over the sources of a relation's target; see [RawAccess.BeginTarget].
func (q *Query) beginTarget(id RelationID, target Entity) (Cursor, error) {
	r, err := q.world.relation("query", target, id)
	if err != nil {
		return Cursor{}, err
	}
	c := q.begin()
	c.sources = r
	c.openWindow()
	if q.world.Alive(target) {
		head := r.head(uint32(target))
		c.source, c.stop = head.first, int(head.count)
	}
	return c, nil
}

// advanceSource moves to the next source that matches. If the query has conditions on tags or changes, the first
// call decides for all sources, because the walk may change what the conditions test.
func (c *Cursor) advanceSource() bool {
	if c.query.rows != nil {
		return c.advanceChosenSource()
	}
	s, m := c.nextSource(c.source)
	if s == 0 {
		c.End()
		return false
	}
	c.standOn(s-1, m)
	c.source = c.sources.links.at(s - 1).next
	return true
}

// advanceChosenSource moves to the next source of the choice.
func (c *Cursor) advanceChosenSource() bool {
	c.chooseSources()
	if c.span == len(c.choice.sources) {
		c.End()
		return false
	}
	index := c.choice.sources[c.span]
	c.standOn(index, c.query.matchOf(c.query.world.slots.all[index].table))
	c.span++
	return true
}

// chooseSources makes the choice of sources to visit, unless it is made already.
func (c *Cursor) chooseSources() {
	if c.choice != nil {
		return
	}
	c.choice = c.query.world.takeChoice()
	for s, _ := c.nextSource(c.source); s != 0; s, _ = c.nextSource(c.sources.links.at(s - 1).next) {
		c.choice.sources = append(c.choice.sources, s-1)
	}
}

// nextSource returns the first source from s on that matches, and its match. s and the result are slot index + 1;
// 0 means none.
func (c *Cursor) nextSource(s uint32) (uint32, *match) {
	q := c.query
	for ; s != 0; s = c.sources.links.at(s - 1).next {
		sl := &q.world.slots.all[s-1]
		m := q.matchOf(sl.table)
		switch {
		case m == nil:
		case m.inherit && q.sees(sl, c.in), !m.inherit && (q.rows == nil || q.rows.row(q, sl, c.in)):
			return s, m
		}
	}
	return 0, nil
}

// standOn moves the cursor to the entity of a slot.
func (c *Cursor) standOn(index uint32, m *match) {
	c.match, c.row = m, int(c.query.world.slots.all[index].row)
}

// matchOf returns the match of a table, nil if the table does not match. It is a binary search: matches are in the
// order of table ids.
func (q *Query) matchOf(table uint32) *match {
	lo, hi := 0, len(q.matches)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if q.matches[mid].table.id < table {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(q.matches) && q.matches[lo].table.id == table {
		return &q.matches[lo]
	}
	return nil
}
