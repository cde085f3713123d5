package ecs

import (
	"errors"
	"fmt"
	"slices"
)

// eventOp sends, reads, peeks or drains.
func (r *machine) eventOp(op int) {
	w, m := r.w, r.m
	switch op {
	case 200, 201, 202:
		hit := modelHit{r.entity(), float64(r.byte())}
		r.say("hit.Send(%v)", hit)
		r.typed.Send(hit)
		m.events = append(m.events, modelEvent{fields: []Value{EntityOf(hit.Target), Number(hit.Amount)}, frame: m.frame})
	case 203, 204:
		v := Number(float64(r.byte()))
		r.say("w.Send(Hit, amount = %s)", v)
		r.ok(w.Send(r.event, FieldValue{1, v}))
		m.events = append(m.events, modelEvent{fields: []Value{EntityOf(None), v}, frame: m.frame})
	case 205:
		r.say("w.EventReader(Hit) -> reader %d", len(r.readers))
		r.readers = append(r.readers, w.EventReader(r.event))
		m.readers = append(m.readers, m.firstPeek())
	case 206, 207:
		if len(r.readers) > 0 {
			i := r.pick(len(r.readers))
			r.say("reader %d.Read()", i)
			if m.readers[i] >= 0 {
				r.sameEvents(r.readers[i].Read(), m.unread(m.readers[i]))
				m.readers[i] = len(m.events)
			} else {
				r.same("events of a closed reader", r.readers[i].Read().Len(), 0)
			}
		}
	case 208:
		if len(r.readers) > 0 {
			i := r.pick(len(r.readers))
			row, ok := r.readers[i].Next()
			r.say("reader %d.Next() -> %v", i, ok)
			var want []int
			if m.readers[i] >= 0 {
				want = m.unread(m.readers[i])
			}
			r.same("next", ok, len(want) > 0)
			if ok {
				r.sameRow(None, "event", row, m.events[want[0]].fields)
				m.readers[i] = want[0] + 1
			}
		}
	case 209:
		if len(r.readers) > 0 && r.byte()%4 == 0 {
			i := r.pick(len(r.readers))
			r.say("reader %d.Close()", i)
			r.readers[i].Close()
			m.readers[i] = -1
		}
	case 210:
		r.say("w.Peek(Hit)")
		r.sameEvents(w.Peek(r.event), m.peek())
		r.same("typed peek", len(r.typed.Peek()), len(m.peek()))
	default:
		want := m.peek()
		d := w.Drain(r.event)
		r.say("w.Drain(Hit) -> %d", d.Len())
		r.same("drained", d.Len(), len(want))
		for i, n := range want {
			r.sameRow(None, "drained event", d.Row(i), m.events[n].fields)
			m.events[n].drained = true
		}
	}
}

func (r *machine) sameEvents(got Events, want []int) {
	r.same("events", got.Len(), len(want))
	for i, n := range want {
		r.sameRow(None, "event", got.Row(i), r.m.events[n].fields)
	}
}

func (r *machine) sameRow(e Entity, what string, row Row, want []Value) {
	for i, v := range want {
		if got := row.Get(i); !got.Equal(v) {
			r.fail("%s of %s, field %d: the world says %s, the model %s", what, e, i, got, v)
		}
	}
}

// commandOp queues a command, applies the queue or drops it.
func (r *machine) commandOp(op int) {
	w, m, q := r.w, r.m, r.queue
	switch op {
	case 230:
		ids, targets := r.some(), r.targets()
		e, err := q.SpawnRelated(targets, ids...)
		r.say("queue.SpawnRelated(%v%s) -> %s, %v", targets, r.list(ids), e, err)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			m.reserved[e] = true
			r.born(e)
			r.queued = append(r.queued, func() {
				delete(m.reserved, e)
				var alive []Target
				for _, to := range targets {
					if m.entities[to.Entity] != nil {
						alive = append(alive, to)
					} else if to.Relation == m.relations[0].id { // an orphan is not born
						m.release(e)
						return
					}
				}
				r.settleRelated(e, ids, alive)
			})
		}
	case 212, 213, 214:
		ids := r.some()
		e, err := q.Spawn(ids...)
		r.say("queue.Spawn(%s) -> %s, %v", r.list(ids), e, err)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			r.same("alive before apply", w.Alive(e), false)
			m.reserved[e] = true
			r.born(e)
			r.queued = append(r.queued, func() {
				delete(m.reserved, e)
				m.settle(w, e, ids, r.now())
			})
		}
	case 215, 216:
		e := r.entity()
		r.say("queue.Despawn(%s)", e)
		q.Despawn(e)
		r.queued = append(r.queued, func() { m.despawn(w, e, r.now()) })
	case 217, 218:
		e, ids := r.entity(), r.some()
		r.say("queue.Add(%s%s)", e, r.list(ids))
		r.ok(q.Add(e, ids...))
		r.queued = append(r.queued, func() { m.add(w, e, ids, r.now()) })
	case 219, 220:
		e, ids := r.entity(), r.some()
		r.say("queue.Remove(%s%s)", e, r.list(ids))
		r.ok(q.Remove(e, ids...))
		r.queued = append(r.queued, func() { m.remove(w, e, ids, r.now()) })
	case 221, 222:
		e, id := r.entity(), r.ids[r.pick(len(r.ids))]
		fields := r.fields(id)
		r.say("queue.Set(%s%s, %v)", e, r.list([]ComponentID{id}), fields)
		r.ok(q.Set(e, id, fields...))
		r.queued = append(r.queued, func() { m.set(w, e, id, fields, r.now()) })
	case 223, 224:
		e, v := r.entity(), modelLabel{fmt.Sprint("queued", r.byte()), 4}
		r.say("label.QueueSet(%s, %v)", e, v)
		r.label.QueueSet(q, e, v)
		r.queued = append(r.queued, func() {
			m.set(w, e, r.label.ID(), []FieldValue{{0, Text(v.Text)}, {1, Number(v.N)}}, r.now())
		})
	case 225:
		e, id := r.entity(), r.tags[r.pick(2)]
		r.say("queue.Tag(%s, %d)", e, id)
		q.Tag(e, id)
		r.queued = append(r.queued, func() { m.tag(e, id) })
	case 226:
		e, id := r.entity(), r.tags[r.pick(2)]
		r.say("queue.Untag(%s, %d)", e, id)
		q.Untag(e, id)
		r.queued = append(r.queued, func() { m.untag(e, id) })
	case 227:
		v := Number(float64(r.byte()))
		r.say("queue.Send(Hit, amount = %s)", v)
		r.ok(q.Send(r.event, FieldValue{1, v}))
		r.queued = append(r.queued, func() {
			m.events = append(m.events, modelEvent{fields: []Value{EntityOf(None), v}, frame: m.frame})
		})
	case 229:
		e, rel := r.entity(), m.relations[r.pick(3)]
		target := r.target(rel)
		r.say("queue.Relate(%s, %q, %s)", e, r.names[rel.id], target)
		r.ok(q.Relate(e, rel.id, target))
		r.queued = append(r.queued, func() {
			if _, err := m.relate(w, e, rel, target, r.now()); errors.Is(err, ErrCycle) {
				r.cycles++
			}
		})
	case 228:
		r.say("queue.Drop()")
		q.Drop()
		for _, e := range slices.Backward(r.handles) { // handles are in order of reservation
			if m.reserved[e] {
				delete(m.reserved, e)
				m.release(e)
			}
		}
		r.queued = nil
	default:
		r.say("queue.Apply()")
		err := q.Apply()
		r.cycles = 0
		for _, run := range r.queued {
			run()
		}
		r.queued = nil
		if r.cycles > 0 != errors.Is(err, ErrCycle) || (r.cycles == 0 && err != nil) {
			r.fail("%d relations would form cycles, the error is %v", r.cycles, err)
		}
	}
	r.same("queued", q.Len(), len(r.queued))
}

// queryOp is a turn of one of three systems: it walks a query with its own window, may write in the loop, and moves its window.
func (r *machine) queryOp(op int) {
	w, m := r.w, r.m
	i, k := r.pick(len(r.filters)), op%3
	f, q, since := &r.filters[i], r.queries[i], r.windows[k]
	w.advanceTick()
	want := m.query(f, since)
	r.say("system %d, window %d, query %d %+v -> %d entities", k, since, i, *f, len(want))
	write, stop := r.byte()%3 == 0, -1
	if r.byte()%5 == 0 && len(want) > 0 {
		stop = r.byte() % len(want)
	}
	if !write && stop < 0 && op%2 == 0 {
		r.stepOver(q, since, want)
	}
	c := q.BeginSince(since)
	n := 0
	for c.Next() {
		if n >= len(want) {
			r.fail("the query visits %s beyond the %d it should", c.Entity(), len(want))
		}
		e := c.Entity()
		r.same("visit", e, want[n])
		for t, id := range q.Terms() {
			seen := m.seen(f, m.entities[e], id)
			r.same("term present", c.Row(t).Valid(), seen != nil)
			if seen != nil {
				r.sameRow(e, r.names[id], c.Row(t), seen.fields)
			}
		}
		if write && len(f.Required) > 0 && m.entities[e].comps[f.Required[0]] != nil {
			c.Stamp(0)
			m.entities[e].comps[f.Required[0]].changed = r.now()
		}
		if n == 0 {
			if _, err := w.Despawn(e); !errors.Is(err, ErrLocked) {
				r.fail("despawn inside the loop: %v", err)
			}
		}
		if n++; n-1 == stop {
			c.End()
			break
		}
	}
	if stop < 0 {
		r.same("visits", n, len(want))
	}
	r.same("locked after the loop", w.Locked(), false)
	lost := r.ids[r.pick(2)]
	if got, want := w.RemovedSince(nil, lost, since), m.removed(lost, since); !slices.Equal(got, want) {
		r.fail("removed %s since %d: the world says %v, the model %v", r.names[lost], since, got, want)
	}
	r.windows[k] = r.now()
	w.advanceTick()
	r.same("count", q.Count(), len(m.query(f, m.watermark)))
	r.narrowed(q, f)
}

// narrowed walks the sources of a target that match.
func (r *machine) narrowed(q *Query, f *Filter) {
	rel := r.m.relations[r.pick(3)]
	target := r.target(rel)
	var want []Entity
	for _, e := range rel.sources[target] {
		if r.m.matches(f, e, r.m.watermark) {
			want = append(want, e)
		}
	}
	c, err := q.BeginTarget(rel.id, target)
	r.ok(err)
	var got []Entity
	for c.Next() {
		got = append(got, c.Entity())
	}
	r.say("query %+v narrowed to %q %s -> %v", *f, r.names[rel.id], target, got)
	if !slices.Equal(got, want) {
		r.fail("narrowed to %q %s: the world visits %v, the model %v", r.names[rel.id], target, got, want)
	}
}

// compare checks everything the model knows.
func (r *machine) compare() {
	w, m := r.w, r.m
	r.ok(w.Check())
	r.same("living", w.Len(), len(m.entities))
	for _, e := range r.handles {
		if w.Alive(e) != (m.entities[e] != nil) {
			r.fail("alive %s: the world says %v", e, w.Alive(e))
		}
		for _, id := range r.ids {
			en := m.entities[e]
			r.same("owns", w.Owns(e, id), en != nil && en.comps[id] != nil)
			r.same("has", w.Has(e, id), en != nil && m.visible(en, id) != nil)
		}
	}
	r.same("tables", len(w.Tables()), len(m.tables))
	for i, t := range w.Tables() {
		if !slices.Equal(t.Components(), m.tables[i].ids) {
			r.fail("table %d has %v, not %v", i, t.Components(), m.tables[i].ids)
		}
		if !slices.Equal(t.Entities(), m.tables[i].rows) {
			r.fail("table %d holds %v, not %v", i, t.Entities(), m.tables[i].rows)
		}
		for row, e := range t.Entities() {
			for id, c := range m.entities[e].comps {
				col := t.Column(id)
				r.sameRow(e, r.names[id], col.Row(row), c.fields)
				if col.Changed(row) != c.changed || col.Added(row) != c.added {
					r.fail("%s of %s: changed %d, added %d; the model says %d, %d", r.names[id], e, col.Changed(row), col.Added(row), c.changed, c.added)
				}
			}
		}
	}
	for _, rel := range m.relations {
		for _, e := range r.handles {
			if got := w.Sources(nil, rel.id, e); !slices.Equal(got, rel.sources[e]) {
				r.fail("the sources of %s in %s are %v, not %v", e, r.names[rel.id], got, rel.sources[e])
			}
		}
	}
	for id, members := range m.tags {
		if !slices.Equal(w.TagMembers(TagID(id)), members) {
			r.fail("tag %d is on %v, not %v", id, w.TagMembers(TagID(id)), members)
		}
	}
	r.same("events", w.Peek(r.event).Len(), len(m.peek()))
	if got := w.Resource(r.score).Get(0); !got.Equal(m.resource) {
		r.fail("score is %s, not %s", got, m.resource)
	}
}
