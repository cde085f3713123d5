package ecs

import "slices"

// This file is the short way of a typed walk: that of a query without conditions on rows, optional types and shared
// values, which is not narrowed to the sources of a target. It visits whole tables, so it needs no Cursor: it goes
// through the matches of the query itself. All other walks begin in walk.next. Both ways leave the same stamps.
// A query over a single entity takes mostly the time of this file, so each load and store of it counts.

// start opens a walk and returns its first entity; at the end that is a visit of walkOver. A query keeps one walk for
// the short way. A walk inside a walk of the same query takes the long one.
func (t *typed) start(q *Query) Visit {
	w, world := t.own, t.world
	if w == nil || w.open || !q.simple || world.slots.guarded || world.changing != 0 || w.spent() {
		return t.startLong(q)
	}
	i := q.filled(0)
	if i == len(q.matches) {
		return Visit{walk: walkOver}
	}
	world.locks++
	world.walks = append(world.walks, w)
	w.first, w.open, w.near, w.begin = w.run, true, false, 0
	return w.table(q, i)
}

// startLong is start in all cases.
//
//go:noinline
func (t *typed) startLong(q *Query) Visit {
	c := q.begin()
	t.renew(q)
	return t.openLong(c)
}

// renew makes the walk of the short way, if there is none or it is spent.
func (t *typed) renew(q *Query) {
	if t.whole && (t.own == nil || !t.own.open && uint64(t.own.run) <= uint64(len(t.world.slots.all)+len(t.world.tables))) {
		t.own = &walk{run: firstRun, first: firstRun, typed: t, query: q, cursor: Cursor{query: q}}
	}
}

// spent reports whether there may be too few numbers left for another walk.
func (w *walk) spent() bool { return uint64(w.run) <= uint64(len(w.typed.world.tables)) }

// openLong is start for a cursor that has just begun.
func (t *typed) openLong(c Cursor) Visit {
	w := t.begin(c)
	if !w.next(0) {
		w = walkOver
	}
	return w.visit()
}

// table moves a walk of the short way to match i of the query.
func (w *walk) table(q *Query, i int) Visit {
	m := &q.matches[i]
	w.cursor.match, w.at, w.whole = m, i, false
	w.bases[0] = m.cols[0].base // all types are required, so they are the first terms, in the same order
	if n := w.typed.types; n > 1 {
		w.bases[1] = m.cols[1].base
		if n > 2 {
			w.further(m)
		}
	}
	w.run--
	run := uint64(w.run) << 32
	w.end = run | uint64(len(m.table.entities))
	return Visit{row: run, walk: w}
}

// further sets the addresses of the third and further columns.
func (w *walk) further(m *match) {
	for k, col := range m.cols[2:w.typed.types] {
		w.bases[2+k] = col.base
	}
	w.spread()
}

// visit returns the first entity of the current run.
func (w *walk) visit() Visit {
	return Visit{row: uint64(w.run)<<32 | uint64(w.begin), walk: w}
}

// onward is Next where the run ends: it moves to the next one. It panics if the walk is over, or has moved on without
// this visit.
func (p Visit) onward() Visit {
	w := p.walk
	q, current := w.query, uint32(p.row>>32) == w.run && w.open
	if w.near && current {
		if s := w.cursor.source; s != 0 && w.typed.world.slots.all[s-1].table == w.cursor.match.table.id {
			if len(w.typed.writes) > 0 {
				w.leave(uint32(p.row))
			}
			return w.together(s)
		}
	}
	if q == nil || w.near || !current {
		return p.after(uint32(p.row))
	}
	t, m := w.typed, w.cursor.match
	n, now := uint32(w.end), t.world.now
	for _, i := range t.writes {
		col := m.cols[i]
		if b := col.block(0); n == 1 && b.changedNewest == now {
			b.newestRows |= 1
		} else {
			col.StampRange(0, int(n))
		}
	}
	if i := q.filled(w.at + 1); i < len(q.matches) {
		return w.table(q, i)
	}
	w.end, w.open = 0, false
	t.world.locks--
	if k := len(t.world.walks) - 1; t.world.walks[k] == w {
		t.world.walks = t.world.walks[:k]
	} else {
		t.world.forget(w)
	}
	return Visit{walk: walkOver}
}

// close unlocks structure at the end of a walk.
func (w *walk) close() {
	t := w.typed
	if world := t.world; world.walks[len(world.walks)-1] == w {
		world.walks = world.walks[:len(world.walks)-1]
	} else {
		world.forget(w)
	}
	w.open, w.bits = false, false
	if w.query != nil {
		t.world.locks--
		return
	}
	w.cursor.End()
	w.spare, t.spare = t.spare, w
}

// forget removes a walk that is not the last one that has begun.
func (w *World) forget(gone *walk) {
	w.walks = slices.DeleteFunc(w.walks, func(o *walk) bool { return o == gone })
}
