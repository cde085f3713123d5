package ecs

// This file is the short way of a typed walk over the sources of a target (StartTarget). As long as the sources are in
// one table, the walk does not search: it follows the list of the relation (relation.go) and makes a run of all sources
// that lie in consecutive rows. Structure is locked, so neither the list nor the rows can change. All else is left to
// walk.next: the first source, one in another table, conditions on rows, shared values, and a journal that must be told
// of each run.

// settleNear prepares beside for the table of the run that next has found: rows count from row 0 of the table, so that
// the addresses which the caller holds stay the same from run to run.
func (w *walk) settleNear() {
	c, t := &w.cursor, w.typed
	if c.query.rows != nil || c.match.inherit || t.lacks(c.match) || (c.query.world.journal != nil && len(t.writes) > 0) {
		return
	}
	w.near, w.begin, w.from = true, uint32(w.from), 0
	for i := range t.types {
		w.bases[i] = c.match.cols[t.term[i]].base
	}
}

// beside moves to the next source and makes it and those in the rows right behind it the run. It returns the row of
// the Visit there. It returns 0 and does nothing if the next source is in another table, or there is none, or the walk
// has gone on without the Visit.
func (w *walk) beside(row uint64) uint64 {
	s := w.cursor.source
	if !w.near || s == 0 || uint32(row>>32) != w.run {
		return 0
	}
	all, links, table := w.typed.world.slots.all, &w.cursor.sources.links, w.cursor.match.table.id
	sl := &all[s-1]
	if sl.table != table {
		return 0
	}
	if len(w.typed.writes) > 0 {
		w.leave(uint32(row))
	}
	begin := sl.row
	end := begin + 1
	for { // entities that were made in turns have slots with equal steps between them
		if next := links.at(s - 1).next; next == s+w.step {
			s += w.step // the same number, for which the processor need not wait
		} else {
			w.step = next - s
			if s = next; s == 0 {
				break
			}
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
	return run | uint64(begin)
}
