package ecs

import (
	"maps"
	"math"
	"unsafe"
)

// The waiting events as a part of the state: see [sections].

const waitSection = "waiting events"

func restoreWaits(w, from *World) {
	q, o := &w.waits, &from.waits
	q.last, q.gone, q.heaps = o.last, o.gone, o.heaps
	q.all = likeHeap(q.all, o.all)
	q.keys = maps.Clone(o.keys)
	for len(q.stores) < len(o.stores) {
		q.store(EventID(len(q.stores)))
	}
	q.stores = q.stores[:len(o.stores)]
	for i := range q.stores {
		s, old, schema := &q.stores[i], &o.stores[i], w.events[i].schema
		held := s.n
		if s.capacity != old.capacity {
			s.n, held = 0, 0
			s.resize(schema, old.capacity)
		}
		schema.copyRows(s.base, old.base, old.n)
		s.n = old.n
		s.clear(schema, s.n, held)
	}
}

func saveWaits(w *World, s *saver) {
	q := &w.waits
	s.number(q.last)
	s.count(len(q.all))
	s.count(cap(q.all) - len(q.all))
	for i := range q.all {
		s.waiting(&q.all[i])
		s.flag(q.all[i].gone)
	}
	s.count(len(q.stores))
	for i := range q.stores {
		s.count(q.stores[i].capacity - q.stores[i].n)
		s.rows(w.events[i].schema, q.stores[i].base, q.stores[i].n)
	}
}

// waiting writes what is known of a waiting event beside its row.
func (s *saver) waiting(e *waiting) {
	s.number(e.number)
	s.number(uint64(e.event))
	s.flag(e.inTime)
	s.float(e.due)
	s.text(e.key)
}

func (l *loader) waiting(w *World) waiting {
	e := waiting{number: l.number(), event: EventID(l.below(uint64(len(w.events)), "an event")), inTime: l.flag(), due: l.float(), key: l.text()}
	if math.IsNaN(e.due) || math.IsInf(e.due, 0) || !e.inTime && (e.due < 0 || e.due > 1<<53 || e.due != math.Trunc(e.due)) {
		l.fail("an event waits for %v", e.due)
	}
	return e
}

func loadWaits(w *World, l *loader) {
	q := &w.waits
	q.last = l.below(provisionalNumber, "the number of a waiting event")
	n := l.count(12)
	q.all = make([]waiting, n, l.unused(n, uint64(unsafe.Sizeof(waiting{}))))
	rows := make([]int, len(w.events))
	before := uint64(0)
	for i := range q.all {
		e := l.waiting(w)
		if e.number <= before || e.number > q.last {
			l.fail("the numbers of waiting events are not in order")
		}
		before = e.number
		e.row = uint32(rows[e.event])
		rows[e.event]++
		if e.gone = l.flag(); e.gone {
			q.gone++
		} else if e.key != "" && q.keys[waitKey{e.event, e.key}] != 0 {
			l.fail("two events wait under the key %q", e.key)
		}
		q.all[i] = e
		if !e.gone {
			q.name(&e)
		}
	}
	n = l.count(1)
	if n > len(w.events) {
		l.fail("%d events wait, %d are declared", n, len(w.events))
	}
	for i := range n {
		s, schema := q.store(EventID(i)), w.events[i].schema
		if schema.shortest(rows[i]) > l.c.Left() {
			l.fail("%d waiting events do not fit into the section", rows[i])
		}
		l.charge(rows[i], max(schema.size, 1))
		s.n, s.capacity = rows[i], l.unused(rows[i], uint64(schema.size))
		s.base, _ = allocRows(nil, schema, s.capacity)
		l.rows(schema, s.base, s.n)
	}
	for i := n; i < len(rows); i++ {
		if rows[i] > 0 {
			l.fail("the rows of %d waiting events are missing", rows[i])
		}
	}
	q.rebuild()
}

// orders writes the orders of a queue.
func (s *saver) orders(list []waitOrder) {
	s.count(len(list))
	for i := range list {
		s.waiting(&list[i].waiting)
	}
}

func (l *loader) orders(c *Commands) {
	c.orders = make([]waitOrder, l.count(12))
	for i := range c.orders {
		c.orders[i].waiting = l.waiting(c.world)
	}
}

// digestWaits hashes the events that wait, in the order of sending, without their numbers.
func digestWaits(w *World, d *digester) {
	if w.waits.live() > 0 {
		d.text("waiting")
		d.waiting(w, 0)
	}
}

// waiting hashes the events that wait, from entry i on.
func (d *digester) waiting(w *World, i int) {
	for ; i < len(w.waits.all); i++ {
		e := &w.waits.all[i]
		if !e.gone {
			d.text(w.events[e.event].name)
			d.wait(w, e)
		}
	}
}

// waitingOf hashes those of one type, with their places among all.
func (d *digester) waitingOf(w *World, id EventID) {
	place := uint64(0)
	for i := range w.waits.all {
		e := &w.waits.all[i]
		if e.gone {
			continue
		}
		if e.event == id {
			d.u64(place)
			d.wait(w, e)
		}
		place++
	}
}

func (d *digester) wait(w *World, e *waiting) {
	if e.inTime {
		d.u64(1)
	} else {
		d.u64(0)
	}
	d.u64(canonicalBits(e.due))
	d.text(e.key)
	d.row(w.events[e.event].schema, w.waitRow(e))
}

func countWaits(w *World, s *Stats) { s.Waiting = w.waits.live() }
