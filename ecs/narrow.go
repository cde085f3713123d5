package ecs

// BeginTarget opens a walk over the sources of a relation's target that match the query, in the order they were related; there are none
// when the target is dead. It costs O(sources), whatever the number of entities. The error is [ErrUnknown], when id is no relation.
func (q *Query) BeginTarget(id RelationID, target Entity) (Cursor, error) {
	r, err := q.world.relation("query", target, id)
	if err != nil {
		return Cursor{}, err
	}
	c := q.Begin()
	c.sources = r
	c.openWindow()
	if q.world.Alive(target) {
		head := r.head(uint32(target))
		c.source, c.stop = head.first, int(head.count)
	}
	return c, nil
}

// advanceSource moves to the next source whose entity matches. Where a condition may change during the walk, the first call decides about
// all of them.
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
	c.source = c.sources.links[s-1].next
	return true
}

// advanceChosenSource moves to the next source of the walk's choice.
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

// chooseSources decides, once, which sources the walk visits.
func (c *Cursor) chooseSources() {
	if c.choice != nil {
		return
	}
	c.choice = c.query.world.takeChoice()
	for s, _ := c.nextSource(c.source); s != 0; s, _ = c.nextSource(c.sources.links[s-1].next) {
		c.choice.sources = append(c.choice.sources, s-1)
	}
}

// nextSource returns the first source from s on whose entity matches, as slot index + 1, and the match; 0 when there is none.
func (c *Cursor) nextSource(s uint32) (uint32, *match) {
	q := c.query
	for ; s != 0; s = c.sources.links[s-1].next {
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

// standOn moves to the entity of a slot.
func (c *Cursor) standOn(index uint32, m *match) {
	c.match, c.table, c.row = m, m.table.id, int(c.query.world.slots.all[index].row)
}

// matchOf returns the match of a table, nil when the table does not match. Matches are in the order of table ids.
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
