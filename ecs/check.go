package ecs

import (
	"fmt"
	"slices"
)

// This file is the column "check" of [sections]: one function for each part of a world, which returns an error for
// the first invariant that does not hold. [World.Check] calls them. They cost O(world) and serve tests and
// debugging; no frame calls them.

// checkBytes compares the count behind [World.Bytes] with the memory that the world actually holds.
func checkBytes(w *World) error {
	if singles, counted := w.measureSingles(), w.heap.singles.Load(); singles != counted {
		return fmt.Errorf("single stamps of %d bytes are there, but %d are counted", singles, counted)
	}
	if rows, counted := w.measureElseRows(), w.heap.elseRows.Load(); rows != counted {
		return fmt.Errorf("slots of rows: %d bytes are counted, there are %d", counted, rows)
	}
	if there, counted := w.measureElsewhere(), w.heap.elsewhere.Load(); there != counted {
		return fmt.Errorf("%d bytes are in Options.Memory, the count says %d", there, counted)
	}
	if held, counted := w.measure(), w.bytes.Load(); held != counted {
		return fmt.Errorf("%d bytes are held, the count says %d", held, counted)
	}
	return nil
}

// checkSlots verifies the slots: a slot on the free list is free and listed once; every other slot is alive,
// reserved by a queued spawn, or retired; a living entity is in the row that its slot names; the counts are right.
func checkSlots(w *World) error {
	free := make([]bool, len(w.slots.all))
	for _, index := range w.slots.free {
		if free[index] {
			return fmt.Errorf("slot %d is on the free list twice", index)
		}
		free[index] = true
		if w.slots.all[index].meta&slotFree == 0 {
			return fmt.Errorf("slot %d is on the free list and in use", index)
		}
		if w.slots.all[index].meta&slotSpent != 0 {
			return fmt.Errorf("slot %d is on the free list, and knows of generations that are used up", index)
		}
	}
	living, reserved, targets := 0, 0, 0
	for index := range w.slots.all {
		sl := &w.slots.all[index]
		generation := sl.meta & generationMask
		if generation == 0 {
			return fmt.Errorf("slot %d has generation 0", index)
		}
		if sl.meta&slotFree != 0 {
			if sl.table != noTable {
				return fmt.Errorf("free slot %d points at table %d", index, sl.table)
			}
			if !free[index] && generation != MaxGeneration {
				reserved++
			}
			continue
		}
		living++
		if sl.meta&slotTarget != 0 {
			targets++
		}
		e := makeEntity(uint32(index), generation)
		if int(sl.table) >= len(w.tables) {
			return fmt.Errorf("%s points at table %d of %d", e, sl.table, len(w.tables))
		}
		t := w.tables[sl.table]
		if int(sl.row) >= len(t.entities) || t.entities[sl.row] != e {
			return fmt.Errorf("%s points at row %d of table %d, which is not its own", e, sl.row, t.id)
		}
	}
	if living != w.living {
		return fmt.Errorf("%d slots live, the count says %d", living, w.living)
	}
	if targets != w.slots.targets {
		return fmt.Errorf("%d slots are targets, the count says %d", targets, w.slots.targets)
	}
	if reserved > w.pending {
		return fmt.Errorf("%d slots are reserved, the count says %d", reserved, w.pending)
	}
	return nil
}

// checkTables verifies the tables: each has the columns of its mask and is found by it; there is one row for each
// living entity; the components' own index of columns agrees; the graph is right.
func checkTables(w *World) error {
	rows := 0
	for i, t := range w.tables {
		if int(t.id) != i || w.byMask[string(tableKey(nil, t.mask, t.prefab))] != t {
			return fmt.Errorf("table %d is not the table of its mask", i)
		}
		if !slices.Equal(t.ids, t.mask.ids()) || len(t.columns) != len(t.ids) {
			return fmt.Errorf("table %d: columns and mask differ", i)
		}
		rows += len(t.entities)
		if len(t.entities) > t.capacity {
			return fmt.Errorf("table %d has %d rows in room for %d", i, len(t.entities), t.capacity)
		}
		for j := range t.columns {
			if err := w.checkColumn(t, &t.columns[j], t.ids[j]); err != nil {
				return fmt.Errorf("table %d, column %s: %w", i, t.columns[j].info.name, err)
			}
		}
	}
	if rows != w.living {
		return fmt.Errorf("%d rows for %d living entities", rows, w.living)
	}
	for _, c := range w.components {
		for id, t := range w.tables {
			if has := t.mask.has(c.id); has != (c.column(uint32(id)) != nil) || has != (c.base(uint32(id)) != nil) {
				return fmt.Errorf("component %s and table %d disagree", c.name, id)
			}
		}
	}
	return w.checkGraph()
}

// checkColumn verifies one column: its component refers to it, it has blocks for all rows of its capacity, no
// stamp is in the future, and the summaries of blocks and column are at least as new as their rows, those that are gone
// included.
func (w *World) checkColumn(t *Table, c *Column, id ComponentID) error {
	if c.info.id != id || c.table != t || c.info.column(t.id) != c || c.info.base(t.id) != c.base {
		return fmt.Errorf("it is not where its component says")
	}
	if len(c.blocks) != (t.capacity+blockRows-1)>>blockShift {
		return fmt.Errorf("%d blocks for %d rows", len(c.blocks), t.capacity)
	}
	for i := range c.blocks {
		b := &c.blocks[i]
		for row := 0; b.single != nil && row < blockRows; row++ {
			if s := b.single[row]; i<<blockShift+row >= len(t.entities) && (s.changed > max(b.changedAll, b.changedNewest) || s.added > max(b.addedAll, b.addedNewest)) {
				return fmt.Errorf("the stamps of single rows of block %d are newer than the block", i)
			}
		}
	}
	for row := range t.entities {
		s, b := c.stampOf(row), c.blocks[row>>blockShift]
		if s.changed > w.now || s.added > s.changed {
			return fmt.Errorf("row %d: added at %d, changed at %d, now is %d", row, s.added, s.changed, w.now)
		}
		if s.added == 0 { // as changed is, too, where it is 0
			return fmt.Errorf("row %d has no stamp", row)
		}
		if s.changed > max(b.changedNewest, b.changedAll) || s.added > max(b.addedNewest, b.addedAll) || s.changed > c.newest.changed || s.added > c.newest.added {
			return fmt.Errorf("row %d is newer than the newest of its block or column", row)
		}
		if b.changedAll >= b.changedNewest {
			continue // so the row was changed then: it is neither before, being written over, nor after
		}
		if newest := b.newestRows>>(row&(blockRows-1))&1 != 0; !newest && s.changed > b.changedBefore {
			return fmt.Errorf("row %d, changed at %d: its block says newest %d (%v), before that %d", row, s.changed, b.changedNewest, newest, b.changedBefore)
		}
	}
	return nil
}

// checkGraph verifies that each cached move leads to the table that has the components added or removed.
func (w *World) checkGraph() error {
	for _, t := range w.tables {
		for i := range t.edges {
			e := &t.edges[i]
			changed := maskOf(e.ids)
			if e.add != nil && (e.add.to == t || !slices.Equal(e.add.to.mask, t.mask.with(e.ids)) || e.add.to.prefab != t.prefab) {
				return fmt.Errorf("table %d: the edge adding %v leads to table %d", t.id, e.ids, e.add.to.id)
			}
			if e.remove != nil && (e.remove.to == t || !slices.Equal(e.remove.to.mask, t.mask.minus(changed)) || e.remove.to.prefab != t.prefab) {
				return fmt.Errorf("table %d: the edge removing %v leads to table %d", t.id, e.ids, e.remove.to.id)
			}
		}
	}
	return nil
}

// checkQueries compares the matches of each query, which are updated when a table appears, with matches computed
// anew.
func (w *World) checkQueries() error {
	for _, t := range w.tables {
		if len(t.entities) > 0 && w.occupied[t.id>>6]&(1<<(t.id&63)) == 0 {
			return fmt.Errorf("table %d has rows, queries skip it", t.id)
		}
	}
	for i, q := range w.queries {
		fresh := &Query{world: w, filter: q.filter, rows: q.rows, terms: q.terms, required: q.required, without: q.without, any: q.any}
		for _, t := range w.tables {
			fresh.consider(t)
		}
		if !slices.EqualFunc(fresh.matches, q.matches, func(a, b match) bool { return a.table == b.table && slices.Equal(a.cols, b.cols) }) {
			return fmt.Errorf("query %d has not the tables it should", i)
		}
		if !slices.Equal(fresh.matched.tables, q.matched.tables) || !slices.Equal(fresh.matched.before, q.matched.before) {
			return fmt.Errorf("query %d does not find its tables by id", i)
		}
	}
	return nil
}

// checkKept verifies the rows that the tag remembers, unless they are known to be unknown.
func (s *tagSet) checkKept() error {
	for _, r := range s.kept {
		if r == nil || int(r.table.id) >= len(s.world.tables) || s.world.tables[r.table.id] != r.table {
			continue
		}
		for block := range r.words {
			known := min(r.rows, len(r.table.entities)) - block<<blockShift
			if known <= 0 || (r.stale[block>>blockShift]|r.table.tags.moved[block>>blockShift])>>(block&(blockRows-1))&1 != 0 {
				continue
			}
			mask := ^uint64(0)
			if known < blockRows {
				mask = 1<<known - 1
			}
			if word := s.word(r.table, block); r.words[block]&mask != word&mask {
				return fmt.Errorf("tag %s: of block %d of table %d it remembers %x, not %x", s.name, block, r.table.id, r.words[block], word)
			}
		}
	}
	return nil
}

// checkTags verifies that the sparse and the dense part of each tag agree, and that all members are alive and
// marked.
func checkTags(w *World) error {
	for _, s := range w.tags {
		entries := 0
		for index, entry := range s.sparse.all {
			if entry.generation == untagged {
				continue
			}
			entries++
			if at := entry.place; int(at) >= len(s.dense) || s.dense[at] != makeEntity(uint32(index), entry.generation) {
				return fmt.Errorf("tag %s: slot %d is not where it says", s.name, index)
			}
		}
		if entries != len(s.dense) {
			return fmt.Errorf("tag %s: %d entries for %d members", s.name, entries, len(s.dense))
		}
		if err := s.checkKept(); err != nil {
			return err
		}
		for _, e := range s.dense {
			if sl := w.slots.find(e); sl == nil || sl.meta&slotTagged == 0 || !s.marked.has(uint32(e), s.bit) {
				return fmt.Errorf("tag %s holds %s, which is dead or does not know of it", s.name, e)
			}
		}
	}
	for slot := range w.slots.all {
		if sl := &w.slots.all[slot]; sl.meta&(slotFree|slotTagged) == 0 && len(w.tagMarks.list(nil, uint32(slot))) > 0 {
			return fmt.Errorf("slot %d has marks of tags, which its end would not clear", slot)
		}
	}
	return w.checkMarks(&w.tagMarks)
}

// checkEvents verifies that the marks of each log are in order, and that no reader is outside of it.
func checkEvents(w *World) error {
	for _, l := range w.events {
		if l.first > l.previous || l.previous > l.current || l.current > l.end || l.end > l.full {
			return fmt.Errorf("event %s: marks %d %d %d %d in room for %d", l.name, l.first, l.previous, l.current, l.end, l.full-l.first)
		}
		if l.hole < l.first || l.hole > l.previous {
			return fmt.Errorf("event %s: taken from %d on, and held from %d, shown from %d", l.name, l.hole, l.first, l.previous)
		}
		for _, r := range l.readers {
			if r.next < l.first || r.next > l.end {
				return fmt.Errorf("event %s: a reader at %d of %d to %d", l.name, r.next, l.first, l.end)
			}
		}
	}
	return nil
}

// checkMarks verifies that only living entities have marks, and that the levels of marks agree.
func (w *World) checkMarks(m *slotMarks) error {
	for level, rows := range m.levels {
		for row, r := range rows {
			for slot, at := range r.words.all {
				word := *at
				if word != 0 && w.slots.all[slot].meta&slotFree != 0 {
					return fmt.Errorf("the free slot %d has marks", slot)
				}
				if level+1 == len(m.levels) {
					continue
				}
				above := *m.levels[level+1][row>>6].words.at(uint32(slot))
				if (word != 0) != (above>>(row&63)&1 != 0) {
					return fmt.Errorf("slot %d: level %d of the marks does not know of row %d", slot, level+1, row)
				}
			}
		}
	}
	return nil
}

// checkRelations verifies the list of sources of each target: its links, its count, that each source names the
// target in its column or its pair, and that each row with the relation is in one list.
func checkRelations(w *World) error {
	for _, r := range w.relations {
		sources := 0
		for target, h := range r.heads.all {
			var previous, n uint32
			for at := h.first; at != 0; at = r.links.at(at - 1).next {
				sl := &w.slots.all[r.source(at-1)]
				if r.links.at(at-1).previous != previous || !w.tables[sl.table].mask.has(r.info.id) {
					return fmt.Errorf("relation %s: the list of slot %d is broken at slot %d", r.info.name, target, at-1)
				}
				to := *w.targetCell(r, sl)
				if r.pairs != nil {
					to = w.slots.handle(r.pairs.all.at(at - 1).target)
				}
				if to.Index() != uint32(target) || !w.Alive(to) || w.slots.all[target].meta&slotTarget == 0 || !r.marked.has(uint32(target), r.bit) {
					return fmt.Errorf("relation %s: slot %d is in the list of slot %d, its target is %s", r.info.name, at-1, target, to)
				}
				previous, n = at, n+1 // a list that came back to a slot would be broken there
			}
			if h.last != previous || h.count != n {
				return fmt.Errorf("relation %s: slot %d has %d sources, the count says %d", r.info.name, target, n, h.count)
			}
			sources += int(n)
		}
		rows := 0
		for _, t := range w.tables {
			if col := r.info.column(t.id); col != nil {
				rows += col.Len()
			}
		}
		if r.pairs != nil {
			if err := r.pairs.check(w, r, rows); err != nil {
				return fmt.Errorf("relation %s: %w", r.info.name, err)
			}
			rows = int(r.pairs.count)
		}
		if rows != sources {
			return fmt.Errorf("relation %s: %d rows, %d in lists", r.info.name, rows, sources)
		}
		if r.forest != nil {
			if err := w.checkForest(r); err != nil {
				return fmt.Errorf("relation %s: %w", r.info.name, err)
			}
		}
	}
	return w.checkMarks(&w.targets)
}
