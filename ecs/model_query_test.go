package ecs

import (
	"errors"
	"slices"
)

// queryOp is a turn of one of three systems: it walks a query with its own window, may write in the loop, and moves its window.
func (r *machine) queryOp(op int) {
	w, m := r.w, r.m
	i, k := r.pick(len(r.filters)), op%3
	f, q, since := &r.filters[i], r.queries[i], r.windows[k]
	w.advanceTick()
	want := m.query(f, since)
	r.say("system %d: w.Query(%s) since tick %d -> %d entities", k, r.filter(f), since, len(want))
	write, stop := r.byte()%3 == 0, -1
	if r.byte()%5 == 0 && len(want) > 0 {
		stop = r.byte() % len(want)
	}
	r.expand(600, func() {
		if stop < 0 && op%2 == 0 {
			r.runsOver(q, since, want, write)
			r.typedOver(f, since, m.query(f, since), write)
			want = m.query(f, since)
		}
		r.loopOver(q, since, want, stop, func(c *Cursor) {
			e := c.Entity()
			r.sameTerms(q, f, c)
			if write && len(f.Required) > 0 && m.entities[e].own(f.Required[0]) != nil {
				c.Stamp(0)
				m.entities[e].own(f.Required[0]).changed = r.now()
			}
			r.disturb(write, true)
			if _, err := w.Despawn(e); !errors.Is(err, ErrLocked) {
				r.fail("despawn inside the loop: %v", err)
			}
		})
	})
	r.same("locked after the loop", w.Locked(), false)
	lost := r.ids[r.pick(2)]
	if got, want := w.RemovedSince(nil, lost, since), m.removed(lost, since); !slices.Equal(got, want) {
		r.fail("removed %s since %d: the world says %v, the model %v", r.names[lost], since, got, want)
	}
	r.windows[k] = r.now()
	w.advanceTick()
	list := m.query(f, m.watermark)
	r.same("count", q.Count(), len(list))
	r.same("first", q.First(), append(list, None)[0])
	at := r.byte() % (len(list) + 1)
	r.same("entity at a place", q.EntityAt(at), append(list, None)[at])
	r.expand(200, func() { r.narrowed(q, f, write) })
}

// disturb changes what conditions look at, in the middle of a walk: which rows that walk visits was decided when it began. Now and then
// it walks another query within, which sees what was changed.
func (r *machine) disturb(write, nests bool) {
	if !write {
		return
	}
	switch op := r.byte(); {
	case op%8 == 0:
		r.tagOp(186 + r.byte()%14)
	case op%8 == 1:
		r.stampOp(op / 8)
	case op == 2 && nests:
		i := r.pick(len(r.filters))
		f, since := &r.filters[i], r.windows[op%3]
		r.say("within: w.Query(%s)", r.filter(f))
		r.runsOver(r.queries[i], since, r.m.query(f, since), true)
	}
}

// loopOver walks a query to its end, or leaves after visit number stop unless that is negative.
func (r *machine) loopOver(q *Query, since Tick, want []Entity, stop int, visit func(c *Cursor)) {
	c, n := q.beginSince(since), 0
	r.same("rows of the walk", c.Rows(), len(want))
	for ; c.Next(); n++ {
		if n >= len(want) {
			r.fail("the query visits %s beyond the %d it should", c.Entity(), len(want))
		}
		r.same("visit", c.Entity(), want[n])
		visit(&c)
		if n == stop {
			c.End()
			return
		}
	}
	r.same("visits", n, len(want))
}

// sameTerms compares what the cursor shows of the query's terms.
func (r *machine) sameTerms(q *Query, f *Filter, c *Cursor) {
	for t, id := range q.Terms() {
		seen := r.m.seen(f, r.m.entities[c.Entity()], id)
		r.same("term present", c.Row(t).Valid(), seen != nil)
		if seen != nil {
			r.sameRow(c.Entity(), r.names[id], c.Row(t), seen.fields)
		}
	}
}

// runsOver walks a query by runs of rows.
func (r *machine) runsOver(q *Query, since Tick, want []Entity, write bool) {
	c := q.beginSince(since)
	var got []Entity
	for n, mask := c.NextRows(); n > 0; n, mask = c.NextRows() {
		for i := range n {
			if mask == 0 || mask>>i&1 != 0 {
				got = append(got, c.Entity())
				r.disturb(write, false)
			}
			c.Skip(1)
		}
		c.Skip(-n) // where it stands does not matter to the next run
	}
	if !slices.Equal(got, want) {
		r.fail("runs of rows visit %v, the model %v", got, want)
	}
}

// typedOver walks a typed query, where the filter requires two components that have a Go type.
func (r *machine) typedOver(f *Filter, since Tick, want []Entity, write bool) {
	typed := *f
	typed.Required = slices.DeleteFunc(slices.Clone(f.Required), func(id ComponentID) bool { return id == r.pos.ID() || id == r.label.ID() })
	if len(typed.Required) != len(f.Required)-2 {
		return
	}
	q, err := NewQuery2[position, modelLabel](r.w, typed)
	r.ok(err)
	defer q.Release()
	var got []Entity
	for p := q.StartSince(since); p.Ok(); p = p.Next() {
		e := p.Entity()
		got = append(got, e)
		r.disturb(write, true)
		at, name := p.Get()
		r.same("position", Number(at.X), r.m.seen(f, r.m.entities[e], r.pos.ID()).fields[0])
		r.same("label", name.Text, r.m.seen(f, r.m.entities[e], r.label.ID()).fields[0].Str())
	}
	if !slices.Equal(got, want) {
		r.fail("a typed walk visits %v, the model %v", got, want)
	}
}

// narrowed walks the sources of a target that match.
func (r *machine) narrowed(q *Query, f *Filter, write bool) {
	rel := r.m.relations[r.pick(4)]
	target := r.target(rel)
	var want []Entity
	for _, e := range rel.sources[target] {
		if r.m.matches(f, e, r.m.watermark) {
			want = append(want, e)
		}
	}
	for _, e := range rel.sources[target] {
		r.same("a source matches", q.Matches(e), slices.Contains(want, e))
	}
	r.same("nobody matches", q.Matches(None), false)
	c, err := q.beginTarget(rel.id, target)
	r.ok(err)
	if c.First() {
		r.same("first of the narrowed walk", c.Entity(), append(want, None)[0])
		r.same("more than the first", c.Next(), false)
	} else {
		r.same("first of the narrowed walk", None, append(want, None)[0])
	}
	c, err = q.beginTarget(rel.id, target)
	r.ok(err)
	var got []Entity
	if n := c.Rows(); q.rows != nil {
		r.same("rows of the narrowed walk", n, len(want))
	} else {
		r.same("sources of the target", n, len(rel.sources[target]))
	}
	for c.Next() {
		got = append(got, c.Entity())
		r.disturb(write, true)
	}
	r.same("rows of a walk that is over", c.Rows(), 0)
	r.say("w.Query(%s).beginTarget(%q, %s) -> %v", r.filter(f), r.names[rel.id], target, got)
	if !slices.Equal(got, want) {
		r.fail("narrowed to %q %s: the world visits %v, the model %v", r.names[rel.id], target, got, want)
	}
}
