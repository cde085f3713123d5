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
		c.source = r.head(uint32(target)).first
	}
	return c, nil
}

// advanceSource moves to the next source whose entity matches.
func (c *Cursor) advanceSource() bool {
	q := c.query
	for c.source != 0 {
		sl := &q.world.slots.all[c.source-1]
		c.source = c.sources.links[c.source-1].next
		if m := q.matchOf(sl.table); m != nil {
			if (m.inherit && !q.sees(sl, c.in)) || (!m.inherit && q.rows != nil && !q.rows.row(q, sl, c.in)) {
				continue
			}
			c.match, c.table, c.row = m, sl.table, int(sl.row)
			return true
		}
	}
	c.End()
	return false
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
