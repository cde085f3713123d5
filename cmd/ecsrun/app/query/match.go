package query

import (
	"github.com/ecsrun/ecsrun/ecs"
)

// Takes reports whether rows of a table may match.
func (q *Query) Takes(t *ecs.Table) bool {
	if t.Len() == 0 || t.Prefab() {
		return false
	}
	for _, id := range q.required {
		if !t.Has(id) && !q.shares(t) {
			return false
		}
	}
	for _, id := range q.without {
		if t.Has(id) {
			return false
		}
	}
	for _, p := range q.Pairs {
		if !p.Not && !t.Has(p.Relation) || p.Not && p.target == ecs.None && t.Has(p.Relation) {
			return false
		}
	}
	return true
}

// Whole reports whether all rows of a table match that the query takes.
func (q *Query) Whole(t *ecs.Table) bool {
	if len(q.tagged)+len(q.untagged)+len(q.changed) > 0 {
		return false
	}
	for _, id := range q.required {
		if !t.Has(id) {
			return false
		}
	}
	for _, p := range q.Pairs {
		if p.target != ecs.None && t.Has(p.Relation) {
			return false
		}
	}
	return len(q.without) == 0 || !q.shares(t)
}

// Row reports whether a row of a table matches that the query takes.
func (q *Query) Row(t *ecs.Table, row int) bool {
	w, e := q.world, t.Entities()[row]
	for _, id := range q.tagged {
		if !w.Tagged(e, id) {
			return false
		}
	}
	for _, id := range q.untagged {
		if w.Tagged(e, id) {
			return false
		}
	}
	for _, id := range q.required {
		if !t.Has(id) && !w.Has(e, id) {
			return false
		}
	}
	if q.shares(t) {
		for _, id := range q.without {
			if w.Has(e, id) {
				return false
			}
		}
	}
	for _, p := range q.Pairs {
		if p.target != ecs.None && w.Relates(e, p.Relation, p.target) == p.Not {
			return false
		}
	}
	for _, c := range q.changed {
		if tick, _ := Written(w, e, c.id); tick < c.since {
			return false
		}
	}
	return true
}

// shares reports whether the entities of a table have a base.
func (q *Query) shares(t *ecs.Table) bool { return q.inherits && t.Has(q.isA) }

// Written returns the tick of the last write of a component of an entity, and whose component it is: its own, or that of a base.
func Written(w *ecs.World, e ecs.Entity, id ecs.ComponentID) (ecs.Tick, ecs.Entity) {
	isA, inherits := w.LookupRelation(ecs.IsA)
	for e != ecs.None {
		t, row := w.TableOf(e)
		if t == nil {
			break
		}
		if c := t.Column(id); c != nil {
			return c.Changed(row), e
		}
		if !inherits {
			break
		}
		e = w.Related(e, isA)
	}
	return 0, ecs.None
}

// Any reports whether an entity matches.
func (q *Query) Any() bool {
	for _, t := range q.world.Tables() {
		if !q.Takes(t) {
			continue
		}
		if q.Whole(t) {
			return true
		}
		for row := range t.Len() {
			if q.Row(t, row) {
				return true
			}
		}
	}
	return false
}
