package ecs

import "slices"

// This file changes all entities of a query at once: [Query.DespawnAll], [Bundle.AddAll], [Bundle.RemoveAll]. A
// query without conditions on rows matches whole tables; then columns are copied as a whole, and no row is looked
// at. Otherwise the entities are changed one by one. Both ways give the same world as the operations on single
// entities in the order of the query.

// wholeTables returns the matching tables that have rows. ok is false if the query has conditions on rows, so that
// the rows have to be tested one by one.
func (q *Query) wholeTables() (tables []*Table, ok bool) {
	if q.testsRows() {
		return nil, false
	}
	for i := q.filled(0); i < len(q.matches); i = q.filled(i + 1) {
		tables = append(tables, q.matches[i].table)
	}
	return tables, true
}

// DespawnAll despawns every matching entity and returns how many there were. Entities that die with them, such as
// children, are not counted. Errors: [ErrLocked], and [ErrPrefab] for a query with prefabs; then nothing happened.
func (q *Query) DespawnAll() (int, error) {
	w := q.use()
	if w.locks != 0 {
		return 0, fail("despawn", None, "", w.lockedBy())
	}
	tables, whole := q.wholeTables()
	whole = whole && len(w.tracked) == 0
	for _, t := range tables {
		whole = whole && len(t.targets) == 0 && !t.prefab && w.untargeted(t) && (w.observers == nil || !w.observers.watchesEnd(t))
	}
	if !whole { // an end may move or end other entities: one by one
		return w.DespawnMany(q.AppendEntities(nil))
	}
	n := 0
	for _, t := range tables {
		n += len(t.entities)
		w.clearTable(t)
	}
	return n, nil
}

// untargeted reports whether no entity of t was ever the target of a relation.
func (w *World) untargeted(t *Table) bool {
	if w.slots.targets == 0 {
		return true
	}
	var flags uint32
	for _, e := range t.entities {
		flags |= w.slots.all[uint32(e)].meta
	}
	return flags&slotTarget == 0
}

// clearTable despawns all entities of t, in row order, and releases their slots in that order. The caller has made
// sure that none of them is a target or has one, and that nobody tracks removals.
func (w *World) clearTable(t *Table) {
	w.beginChange()
	defer w.endChange()
	if w.journal != nil {
		w.journal.removes(t, 0, len(t.entities))
	}
	all, free := w.slots.all, slices.Grow(w.slots.free, len(t.entities))
	room := free[:cap(free)]
	n := len(free)
	for _, e := range t.entities {
		sl := &all[uint32(e)]
		meta := sl.meta
		if meta&slotTagged != 0 {
			w.untag(e)
		}
		if len(w.indexes) > 0 {
			w.unindex(e, t)
		}
		next, more := sl.next()
		if w.slots.log != nil {
			w.slots.log.noteRelease(uint32(e), *sl, more)
		}
		if *sl = (slot{meta: next | slotFree, table: noTable}); more { // see slots.release
			room[n] = uint32(e)
			n++
		}
	}
	w.slots.free = room[:n]
	w.slots.deaths += uint64(len(t.entities))
	w.living -= len(t.entities)
	t.truncate()
}

// truncate removes all rows. It clears their pointers for the garbage collector. The entities must have left the table.
func (t *Table) truncate() {
	if t.typed {
		for row := range t.entities {
			t.forget(row)
		}
	}
	t.entities = t.entities[:0]
	t.tags.allMoved()
}

// DespawnMany despawns the living entities of a list and returns how many were alive. Errors: [ErrLocked], [ErrPrefab]; then
// nothing happened.
func (w *World) DespawnMany(list []Entity) (int, error) {
	if w.locks != 0 {
		return 0, fail("despawn", None, "", w.lockedBy())
	}
	for _, e := range list {
		if w.isPrefab(e) {
			return 0, fail("despawn", e, "", ErrPrefab)
		}
	}
	n := 0
	for _, e := range list {
		if sl := w.slots.find(e); sl != nil {
			w.despawn(e, sl)
			n++
		}
	}
	return n, nil
}

// AddAll adds to every matching entity those components of the set that it lacks, and returns how many entities
// matched. If init is not nil, it is called with each table and the range of rows that gained a component; their
// new values are the defaults. Structure is locked during init. Errors: [ErrLocked] and [ErrBytes]; the returned
// number says how many entities were done before the error. Panics for a query of another world.
func (b *Bundle) AddAll(q *Query, init func(t *Table, from, to int)) (int, error) {
	return b.moveAll("add", q, (*Table).adding, init)
}

// RemoveAll removes the components of the set from every matching entity and returns how many entities matched.
// Its errors are those of [Bundle.AddAll].
func (b *Bundle) RemoveAll(q *Query) (int, error) {
	return b.moveAll("remove", q, (*Table).removing, nil)
}

// moveAll is the common part of AddAll and RemoveAll. op names the operation in errors; plan returns the move from
// a table, nil if there is nothing to move. It moves entities one by one if the query tests rows, or if entities
// of the table inherit components or removals are tracked; otherwise it moves whole tables.
func (b *Bundle) moveAll(op string, q *Query, plan func(*Table, []ComponentID) *move, init func(t *Table, from, to int)) (int, error) {
	given(q != nil, "Bundle.AddAll or RemoveAll", "a query")
	w := b.world
	w.mustBe(q.world)
	q.use()
	if w.locks != 0 {
		return 0, fail(op, None, w.list(b.ids), w.lockedBy())
	}
	call := func(mv *move, from, to int) {
		if init != nil {
			w.initRows(init, mv.to, from, to)
		}
		if w.observers != nil {
			w.observers.gainedRows(mv, from, to)
		}
	}
	n := 0
	tables, whole := q.wholeTables()
	if !whole {
		for _, e := range q.AppendEntities(nil) {
			n++
			sl := &w.slots.all[uint32(e)]
			if mv := plan(w.tables[sl.table], b.ids); mv != nil {
				if err := mv.ask(w); err != nil {
					return n - 1, fail(op, e, w.list(b.ids), err)
				}
				if w.observers != nil && w.observers.leaving(e, w.tables[sl.table], mv) {
					sl = w.slots.find(e)
				}
				w.migrate(e, sl, mv)
				call(mv, int(sl.row), int(sl.row)+1)
			}
		}
		return n, nil
	}
	matched := make([]int, len(tables)) // the rows before the first move: a table may gain rows from an earlier one of the list
	for i, t := range tables {
		matched[i] = len(t.entities)
	}
	for i, t := range tables {
		mv := plan(t, b.ids)
		if mv == nil {
			n += matched[i]
			continue
		}
		if mv == noRoom {
			return n, fail(op, None, w.list(b.ids), mv.ask(w))
		}
		if err := mv.to.reserve(len(t.entities)); err != nil {
			return n, fail(op, None, w.list(b.ids), err)
		}
		if !mv.planned {
			mv.plan(t)
		}
		if w.observers != nil {
			w.observers.leavingRows(t, mv)
		}
		if w.inherits(t) || len(w.tracked) > 0 { // no relation ends here: a bundle has none
			from := mv.to.Len()
			for _, e := range append([]Entity(nil), t.entities...) {
				w.migrate(e, &w.slots.all[uint32(e)], mv)
			}
			n += matched[i]
			call(mv, from, mv.to.Len())
			continue
		}
		n += matched[i]
		from := w.migrateTable(t, mv)
		call(mv, from, mv.to.Len())
	}
	return n, nil
}

// migrateTable moves all rows of t along mv and returns the first new row. The rows keep their order. The target
// table has room for them, and nothing is inherited or tracked. The cost is one copy per column, not one per row.
func (w *World) migrateTable(t *Table, mv *move) int {
	w.beginChange()
	defer w.endChange()
	to, n := mv.to, len(t.entities)
	if w.journal != nil {
		w.journal.removes(t, 0, n)
		w.journal.adds(to, n)
	}
	from := len(to.entities)
	to.entities = to.entities[:from+n]
	to.occupy()
	copy(to.entities[from:], t.entities)
	all, id := w.slots.all, to.id
	for i, e := range t.entities {
		sl := &all[uint32(e)]
		sl.table, sl.row = id, uint32(from+i)
	}
	for _, p := range mv.shared.all {
		p.dst.info.schema.copyRows(p.dst.at(from), p.src.base, n)
		p.dst.carryStamps(from, p.src, n)
	}
	for _, c := range mv.fresh {
		c.fillDefault(from, from+n)
		c.stampAddedRange(from, from+n, w.now)
	}
	if len(w.indexes) > 0 {
		for _, e := range t.entities {
			w.unindexLost(e, mv)
		}
	}
	t.truncate()
	return from
}

// carryStamps gives the new rows from..from+n-1 of c, the last ones of its table, the stamps of the first n rows of src,
// which are about to go. If blocks of the two columns line up, their stamps change places.
func (c *Column) carryStamps(from int, src *Column, n int) {
	c.noteNewest(src.newest)
	if from&(blockRows-1) == 0 {
		for i := range (n + blockRows - 1) >> blockShift {
			b, s := c.block(from>>blockShift+i), src.block(i)
			*b, *s = *s, *b
		}
		return
	}
	for row := from; row < from+n; {
		end := min(row|(blockRows-1)+1, from+n)
		b, s, last := c.block(row>>blockShift), src.block((row-from)>>blockShift), src.block((end-1-from)>>blockShift)
		all := rowStamp{s.changedAll, s.addedAll}
		same := s.saysAll() && last.saysAll() && all == (rowStamp{last.changedAll, last.addedAll})
		switch {
		case same && row&(blockRows-1) == 0:
			b.begin(all)
		case same && b.saysAll() && all == (rowStamp{b.changedAll, b.addedAll}): // nothing to do
		default:
			for i := row; i < end; i++ {
				c.follow(i, src.stampOf(i-from))
			}
		}
		row = end
	}
}
