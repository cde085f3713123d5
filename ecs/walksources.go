package ecs

// This file is the short way of a typed walk over the sources of a target (StartTarget). As long as the sources are in
// one table, the walk does not search: it follows the list of the relation (relation.go) and makes a run of all sources
// that lie in consecutive rows. Structure is locked, so neither the list nor the rows can change. All else is left to
// walk.next: conditions on rows, shared values, and a journal that must be told of each run.

// settleNear prepares together for the table of the run that next has found: rows count from row 0 of the table, so that
// the addresses which the caller holds stay the same from run to run.
func (w *walk) settleNear() {
	c, t := &w.cursor, w.typed
	if c.query.rows != nil || c.sources.pairs != nil || c.match.inherit || t.lacks(c.match) || (c.query.world.journal != nil && len(t.writes) > 0) {
		return
	}
	w.near, w.begin, w.from = true, uint32(w.from), 0
	for i := range t.types {
		w.bases[i] = c.match.cols[t.term[i]].base
	}
}

// together makes a run of source s, which lies in the table of the walk, and of those in the rows right after it. s is
// slot index + 1.
func (w *walk) together(s uint32) Visit {
	all, links, table := w.typed.world.slots.all, &w.cursor.sources.links, w.cursor.match.table.id
	sl := &all[s-1]
	begin := sl.row
	end := begin + 1
	for {
		if w.step == 1 { // then the next ones probably follow, too: compare slot after slot, in one page of the links
			page, slots := links.page(s - 1)[(s-1)&slotMask:], all[s:]
			n := min(len(page), len(slots))
			page, slots = page[:n], slots[:n]
			i := uint32(0)
			for ; int(i) < len(page) && page[i].next == s+i+1 && slots[i].row == end+i && slots[i].table == table; i++ {
			}
			s, end = s+i, end+i
		}
		// Entities that were made in turns have slots with equal steps between them.
		if next := links.at(s - 1).next; next == s+w.step {
			s += w.step // the same number, for which the processor need not wait
		} else {
			w.step = next - s
			s = next
		}
		if s == 0 {
			break
		}
		if sl = &all[s-1]; sl.row != end || sl.table != table {
			break
		}
		end++
	}
	w.cursor.source, w.begin, w.whole = s, begin, false
	w.run--
	run := uint64(w.run) << 32
	w.end = run | uint64(end)
	return Visit{row: run | uint64(begin), walk: w}
}

// startTarget opens a walk over the sources of a target and returns the first one. A query without conditions on rows
// goes the short way from the beginning, as in walkwhole.go.
func (t *typed) startTarget(q *Query, id RelationID, target Entity) (Visit, error) {
	w, world := t.own, t.world
	made(world != nil, "Query", "ecs.NewQuery1 to ecs.NewQuery8")
	r, err := world.relation("query", target, id)
	if err != nil {
		return walkOver.visit(), err
	}
	if w == nil || w.open || !q.simple || r.pairs != nil || world.slots.guarded || world.changing != 0 || uint64(w.run) <= uint64(len(world.slots.all)+len(world.tables)) {
		c, err := q.beginTarget(id, target)
		t.renew(q)
		return t.openLong(c), err
	}
	if !world.Alive(target) {
		return walkOver.visit(), nil
	}
	world.locks++
	world.walks = append(world.walks, w)
	w.first, w.open, w.near, w.step, w.cursor.sources, w.cursor.source = w.run, true, true, 1, r, r.head(uint32(target)).first
	return w.source(), nil
}

// source moves a walk of the short way to the next source that matches, in whatever table, and ends it if there is none.
func (w *walk) source() Visit {
	c := &w.cursor
	s, m := c.nextSource(c.source)
	if s == 0 {
		w.end = 0
		w.close()
		return Visit{walk: walkOver}
	}
	c.match = m
	w.bases[0] = m.cols[0].base
	if n := w.typed.types; n > 1 {
		w.bases[1] = m.cols[1].base
		if n > 2 {
			w.further(m)
		}
	}
	return w.together(s)
}

// The rest of this file is the third way of a Cursor to advance: over the sources of one target of a relation, along the list
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
	c.standOn(c.sources.source(s-1), m)
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
		c.choice.sources = append(c.choice.sources, c.sources.source(s-1))
	}
}

// nextSource returns the first source from s on that matches, and its match. s and the result are places in the list of the
// relation + 1; 0 means none.
func (c *Cursor) nextSource(s uint32) (uint32, *match) {
	q := c.query
	for ; s != 0; s = c.sources.links.at(s - 1).next {
		sl := &q.world.slots.all[c.sources.source(s-1)]
		if m := q.matchOf(sl.table); m != nil && q.meets(m, sl, c.in) {
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
