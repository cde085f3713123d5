package ecs

import (
	"errors"
	"fmt"
	"slices"
)

// spawnOp makes one entity, in one of three ways.
func (r *machine) spawnOp(op int) {
	w, m := r.w, r.m
	switch {
	case op < 8:
		ids, targets := r.some(), r.targets()
		e, err := w.SpawnRelated(targets, ids...)
		r.say("w.SpawnRelated(%s%s) -> %s, %v", r.related(targets), r.list(ids), e, err)
		if slices.ContainsFunc(targets, func(to Target) bool { return m.entities[to.Entity] == nil }) {
			r.same("a dead target", errors.Is(err, ErrDead), true)
		} else if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			r.settleRelated(e, ids, targets)
			r.born(e)
		}
	case op < 12:
		r.copyEntity()
	case op < 30:
		ids := r.some()
		e, err := w.Spawn(ids...)
		r.say("w.Spawn(%s) -> %s, %v", r.components(ids), e, err)
		m.table(ids)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			m.settle(e, ids)
			r.born(e)
		}
	case op < 45:
		b := r.bundles[op%3]
		e, err := b.Spawn()
		r.say("bundles[%d].Spawn() -> %s, %v", op%3, e, err)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			m.settle(e, b.Components())
			r.born(e)
		}
	default:
		ids := r.some()
		v := modelLabel{fmt.Sprint("built", op), float64(op)}
		b := r.pos.With(r.label.With(w.Build().With(ids...), v), position{1, 2}).Tag(r.tags[op%2])
		e, err := b.Spawn()
		ids = append(ids, r.pos.ID(), r.label.ID())
		r.say("w.Build().With(%s).Tag(%d).Spawn() -> %s, %v", r.components(ids), op%2, e, err)
		m.table(ids)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			m.settle(e, ids)
			m.set(e, r.label.ID(), v.fields())
			m.set(e, r.pos.ID(), []FieldValue{{0, Number(1)}, {1, Number(2)}})
			m.tag(e, r.tags[op%2])
			r.born(e)
		}
	}
}

// copyEntity copies one entity.
func (r *machine) copyEntity() {
	m, e := r.m, r.entity()
	made, err := r.w.CopyEntity(e)
	r.say("w.CopyEntity(%s) -> %s, %v", e, made, err)
	en := m.entities[e]
	if en == nil {
		r.same("a copy of the dead", errors.Is(err, ErrDead), true)
		return
	}
	if r.refuse(1, err) {
		return
	}
	r.same("handle", made, m.take())
	m.settle(made, en.table.ids)
	r.born(made)
	for _, o := range en.comps {
		m.entities[made].own(o.id).fields = slices.Clone(o.c.fields)
	}
	for _, rel := range m.relations {
		for _, target := range m.targetsOf(e, rel) {
			rel.sources[target] = append(rel.sources[target], made)
			if rel.targets != nil {
				rel.targets[made] = append(rel.targets[made], target)
			}
		}
	}
	for _, id := range r.tags {
		if slices.Contains(m.tags[id], e) {
			m.tag(made, id)
		}
	}
}

// manyOp spawns a batch, up to 140 rows at once so that blocks of 64 fill.
func (r *machine) manyOp(op int) {
	b, n := r.bundles[op%3], r.pick(20)
	if op%8 == 0 {
		n = 60 + r.pick(80)
	}
	calls := 0
	es, err := b.SpawnMany(n, func(t *Table, from, to int) {
		calls++
		r.same("rows", to-from, n)
		if _, err := r.w.Spawn(); !errors.Is(err, ErrLocked) {
			r.fail("spawn inside the init of SpawnMany: %v", err)
		}
		if col := r.pos.Slice(t); col != nil {
			for i := from; i < to; i++ {
				col[i] = position{float64(i - from), 7}
			}
		}
	})
	r.say("bundles[%d].SpawnMany(%d) -> %d, %v", op%3, n, len(es), err)
	if r.refuse(n, err) {
		r.same("calls of init", calls, 0)
		return
	}
	r.same("calls of init", calls, 1)
	for i, e := range es {
		r.same("handle", e, r.m.take())
		r.m.settle(e, b.Components())
		if c := r.m.entities[e].own(r.pos.ID()); c != nil {
			c.fields = []Value{Number(float64(i)), Number(7)}
		}
		r.born(e)
	}
}

func (r *machine) despawnOp() {
	n := 1
	if len(r.m.entities) > 350 {
		n = 40
	}
	for range n {
		e := r.entity()
		got, err := r.w.Despawn(e)
		r.say("w.Despawn(%s) -> %v", e, got)
		r.ok(err)
		r.same("despawn", got, r.m.despawn(e))
	}
}

func (r *machine) moveOp(op int) {
	w, m, e := r.w, r.m, r.entity()
	var got, want bool
	var err error
	switch {
	case op < 135:
		ids := r.some()
		got, err = w.Add(e, ids...)
		r.say("w.Add(%s%s) -> %v", e, r.list(ids), got)
		want = m.add(e, ids)
	case op < 150:
		ids := r.some()
		if op%4 == 0 {
			ids = append(ids, r.all[len(r.ids)+op/4%4])
		}
		got, err = w.Remove(e, ids...)
		r.say("w.Remove(%s%s) -> %v", e, r.list(ids), got)
		want = m.remove(e, ids)
	case op < 155:
		b := r.bundles[op%3]
		got, err = b.Add(e)
		r.say("bundles[%d].Add(%s) -> %v", op%3, e, got)
		want = m.add(e, b.Components())
	default:
		b := r.bundles[op%3]
		got, err = b.Remove(e)
		r.say("bundles[%d].Remove(%s) -> %v", op%3, e, got)
		want = m.remove(e, b.Components())
	}
	r.ok(err)
	r.same("lives", got, want)
}

// relateOp gives an entity a target or ends a relation.
func (r *machine) relateOp(op int) {
	w, m, rel := r.w, r.m, r.m.relations[op%4]
	way := r.byte() % 8
	if op < 184 && (way == 1 || way == 2) {
		r.relateMany(rel, way == 1)
		return
	}
	if op < 184 && way == 0 {
		err := w.SortByTarget(rel.id)
		r.say("w.SortByTarget(%q) -> %v", r.names[rel.id], err)
		r.ok(err)
		m.sortByTarget(rel)
		return
	}
	e := r.entity()
	if op < 184 {
		target := r.target(rel)
		got, err := w.Relate(e, rel.id, target)
		r.say("w.Relate(%s, %q, %s) -> %v, %v", e, r.names[rel.id], target, got, err)
		want, wantErr := m.relate(e, rel, target)
		if got != want || !errors.Is(err, wantErr) || (wantErr == nil && err != nil) {
			r.fail("relate: the world says %v, %v, the model %v, %v", got, err, want, wantErr)
		}
		if want {
			r.same("target", w.Relates(e, rel.id, target), true)
		}
		return
	}
	if way < 4 {
		target := r.target(rel)
		got, err := w.UnrelateFrom(e, rel.id, target)
		r.say("w.UnrelateFrom(%s, %q, %s) -> %v", e, r.names[rel.id], target, got)
		r.ok(err)
		r.same("unrelate from", got, m.unrelate(e, rel, target))
		return
	}
	got, err := w.Unrelate(e, rel.id)
	r.say("w.Unrelate(%s, %q) -> %v", e, r.names[rel.id], got)
	r.ok(err)
	en := m.entities[e]
	r.same("unrelate", got, en != nil && en.own(rel.id) != nil)
	m.remove(e, []ComponentID{rel.id})
}

// relateMany gives several entities a target: those of a list, or all that have another target.
func (r *machine) relateMany(rel *modelRelation, listed bool) {
	w, m := r.w, r.m
	var list []Entity
	target, from := r.target(rel), None
	if listed {
		for range r.pick(6) {
			list = append(list, r.entity())
		}
	} else {
		from = r.entity()
		if r.byte()%4 != 0 && len(rel.sources) > 0 { // one that has sources
			for _, e := range r.handles {
				if len(rel.sources[e]) > len(rel.sources[from]) {
					from = e
				}
			}
		}
		list = slices.Clone(rel.sources[from])
	}
	var want error
	n := 0
	for _, e := range append([]Entity{None}, list...) {
		if err := m.mayRelate(e, rel, target); want == nil && (e == None || m.entities[e] != nil) {
			want = err
		}
	}
	if want == nil {
		for _, e := range list {
			if ok, _ := m.relate(e, rel, target); ok {
				n++
			}
		}
		if !listed && rel.targets != nil && from != target {
			for _, e := range list {
				m.unrelate(e, rel, from)
			}
		}
	}
	var got int
	var err error
	if listed {
		got, err = w.RelateMany(list, rel.id, target)
	} else {
		got, err = w.Retarget(rel.id, from, target)
	}
	r.say("RelateMany or Retarget(%v of %s, %q, %s) -> %d, %v", list, from, r.names[rel.id], target, got, err)
	if got != n || !errors.Is(err, want) || want == nil && err != nil {
		r.fail("relate many: the world says %d, %v, the model %d, %v", got, err, n, want)
	}
}

// sortByTarget sorts the rows of each table by their targets.
func (m *model) sortByTarget(rel *modelRelation) {
	for _, t := range m.tables {
		if !slices.Contains(t.ids, rel.id) {
			continue
		}
		old := t.rows
		t.rows = nil
		for _, e := range old {
			if slices.Contains(t.rows, e) {
				continue
			}
			for _, s := range rel.sources[m.entities[e].own(rel.id).fields[0].Entity()] {
				if m.entities[s].table == t && !slices.Contains(t.rows, s) {
					t.rows = append(t.rows, s)
				}
			}
		}
	}
}

// settleRelated makes e live in the model with components and living targets.
func (r *machine) settleRelated(e Entity, ids []ComponentID, targets []Target) {
	ids = slices.Clone(ids)
	for _, to := range targets {
		ids = append(ids, to.Relation)
	}
	r.m.settle(e, ids)
	for _, to := range targets {
		for _, rel := range r.m.relations {
			if rel.id == to.Relation {
				_, err := r.m.relate(e, rel, to.Entity)
				r.ok(err)
			}
		}
	}
}
