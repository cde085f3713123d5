package ecs

import (
	"errors"
	"slices"
)

// relateOp gives an entity a target or ends a relation.
func (r *machine) relateOp(op int) {
	w, m, rel := r.w, r.m, r.m.relations[op%3]
	e := r.entity()
	if op < 184 {
		target := r.target(rel)
		got, err := w.Relate(e, rel.id, target)
		r.say("w.Relate(%s, %q, %s) -> %v, %v", e, r.names[rel.id], target, got, err)
		want, wantErr := m.relate(w, e, rel, target, r.now())
		if got != want || !errors.Is(err, wantErr) || (wantErr == nil && err != nil) {
			r.fail("relate: the world says %v, %v, the model %v, %v", got, err, want, wantErr)
		}
		if want {
			r.same("target", w.Related(e, rel.id), target)
		}
		return
	}
	got, err := w.Unrelate(e, rel.id)
	r.say("w.Unrelate(%s, %q) -> %v", e, r.names[rel.id], got)
	r.ok(err)
	en := m.entities[e]
	r.same("unrelate", got, en != nil && en.comps[rel.id] != nil)
	m.remove(w, e, []ComponentID{rel.id}, r.now())
}

// stepOver walks a query by steps.
func (r *machine) stepOver(q *Query, since Tick, want []Entity) {
	n := 0
	for s := q.StartSince(since); s.Ok(); s = s.Next() {
		if n >= len(want) || s.Entity() != want[n] {
			r.fail("step %d is at %s, the model has %v", n, s.Entity(), want)
		}
		n++
	}
	r.same("steps", n, len(want))
	r.same("locked after the steps", r.w.Locked(), false)
}

// wholeOp changes all entities of a query at once, copies the world or gives memory back.
func (r *machine) wholeOp(op int) {
	w, m := r.w, r.m
	i, b := r.pick(len(r.filters)), r.bundles[op%3]
	q := r.queries[i]
	list := m.query(&r.filters[i], m.watermark)
	switch r.byte() % 6 {
	case 0:
		n, err := b.AddAll(q, func(t *Table, from, to int) {
			if from >= to || to > t.Len() || !w.Locked() {
				r.fail("init of rows %d to %d of %d", from, to, t.Len())
			}
		})
		r.say("bundle %d.AddAll(query %d %+v) -> %d", op%3, i, r.filters[i], n)
		r.ok(err)
		r.same("matches", n, len(list))
		for _, e := range list {
			m.add(w, e, b.Components(), r.now())
		}
	case 1:
		n, err := b.RemoveAll(q)
		r.say("bundle %d.RemoveAll(query %d %+v) -> %d", op%3, i, r.filters[i], n)
		r.ok(err)
		r.same("matches", n, len(list))
		for _, e := range list {
			m.remove(w, e, b.Components(), r.now())
		}
	case 2:
		if len(list) > 40 && r.byte()%8 > 0 {
			return // keep some alive
		}
		n, err := q.DespawnAll()
		r.say("query %d %+v.DespawnAll() -> %d", i, r.filters[i], n)
		r.ok(err)
		want := 0
		for _, e := range list {
			if m.despawn(w, e, r.now()) {
				want++
			}
		}
		r.same("despawned", n, want)
	case 3:
		var some []Entity
		for range r.byte() % 20 {
			some = append(some, r.entity())
		}
		n, err := w.DespawnMany(some)
		r.say("w.DespawnMany(%v) -> %d", some, n)
		r.ok(err)
		want := 0
		for _, e := range some {
			if m.despawn(w, e, r.now()) {
				want++
			}
		}
		r.same("despawned", n, want)
	case 4:
		r.say("w.Release()")
		_, err := w.Release()
		r.ok(err)
	default:
		r.say("w.Copy()")
		c, err := w.Copy()
		r.ok(err)
		r.ok(c.Check())
		if c.Digest() != w.Digest() {
			r.fail("the copy of the world has another digest")
		}
		for i, t := range w.Tables() {
			if !slices.Equal(c.Tables()[i].Entities(), t.Entities()) {
				r.fail("table %d of the copy holds other entities", i)
			}
			for _, id := range t.Components() {
				for row := range t.Len() {
					if a, b := t.Column(id), c.Tables()[i].Column(id); a.Changed(row) != b.Changed(row) || a.Added(row) != b.Added(row) {
						r.fail("row %d of table %d of the copy has other stamps", row, i)
					}
				}
			}
		}
	}
}

// target picks what has sources already, where it finds it.
func (r *machine) target(rel *modelRelation) Entity {
	e := r.entity()
	if en := r.m.entities[e]; en != nil && en.comps[rel.id] != nil {
		return en.comps[rel.id].fields[0].Entity()
	}
	return e
}

// targets picks up to two relations with targets.
func (r *machine) targets() []Target {
	var list []Target
	for i, rel := range r.m.relations {
		if r.byte()>>i&1 == 1 {
			list = append(list, Target{rel.id, r.entity()})
		}
	}
	return list
}

// settleRelated makes e live in the model with components and living targets.
func (r *machine) settleRelated(e Entity, ids []ComponentID, targets []Target) {
	ids = slices.Clone(ids)
	for _, to := range targets {
		ids = append(ids, to.Relation)
	}
	r.m.settle(r.w, e, ids, r.now())
	for _, to := range targets {
		for _, rel := range r.m.relations {
			if rel.id == to.Relation {
				_, err := r.m.relate(r.w, e, rel, to.Entity, r.now())
				r.ok(err)
			}
		}
	}
}
