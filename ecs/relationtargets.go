package ecs

import "iter"

// This file has what changes and reads the targets of one entity, in relations with one target and with many.

// A RelationOption says what a relation is beside its name. See the example of [World.Targets].
type RelationOption uint8

// ManyTargets declares a relation in which an entity may have many targets: [World.Relate] adds one. See the example of
// [World.Targets].
const ManyTargets RelationOption = 1

// relateAnother gives a living e one more target, which it does not have. There is room for it.
func (w *World) relateAnother(r *relation, e Entity, sl *slot, target Entity) {
	w.beginChange()
	cell := w.targetCell(r, sl)
	r.info.column(sl.table).stampChanged(int(sl.row), w.now)
	if *cell == None {
		*cell = target
	}
	r.pairs.add(w, r, uint32(e), uint32(target))
	w.becomesTarget(r, target)
	w.endChange()
	if w.observers != nil {
		w.observers.related(r, e, target)
	}
}

// dropTarget ends one pair of a living source that has others.
func (w *World) dropTarget(r *relation, sl *slot, number uint32) {
	w.beforeRelation(r)
	w.beginChange()
	pair := *r.pairs.all.at(number - 1)
	r.info.column(sl.table).stampChanged(int(sl.row), w.now)
	if pair.previous == 0 {
		*w.targetCell(r, sl) = w.slots.handle(r.pairs.all.at(pair.next - 1).target)
	}
	r.pairs.remove(w, r, number)
	w.endChange()
}

// handle returns the handle of the living entity in a slot.
func (s *slots) handle(index uint32) Entity {
	return makeEntity(index, s.all[index].meta&generationMask)
}

// UnrelateFrom takes one target of e away and reports whether e had it. With its last target, e loses the relation, as by
// [World.Unrelate]. It costs O(targets of e), or O(sources of target) where these are fewer. Errors: [ErrLocked], [ErrUnknown], [ErrBytes].
func (w *World) UnrelateFrom(e Entity, id RelationID, target Entity) (bool, error) {
	r, err := w.relation("unrelate", e, id)
	if err != nil {
		return false, err
	}
	if w.locks != 0 {
		return false, fail("unrelate", e, r.info.name, w.lockedBy())
	}
	if !w.Relates(e, id, target) {
		return false, nil
	}
	if r.pairs == nil || r.pairs.lists.at(uint32(e)).count == 1 {
		return w.Unrelate(e, id)
	}
	if w.observers != nil {
		w.observers.parting(r, e, target)
	}
	number, steps := r.find(uint32(e), uint32(target))
	w.work += uint64(steps)
	w.dropTarget(r, w.slots.find(e), number)
	return true, nil
}

// Relates reports whether target is the target of e, or one of its targets. It is false for the dead. The cost is that of
// [World.UnrelateFrom].
func (w *World) Relates(e Entity, id RelationID, target Entity) bool {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil || !w.Alive(e) || !w.Alive(target) {
		return false
	}
	r := w.components[id].relation
	if r.pairs == nil {
		return w.target(r, e) == target
	}
	at, _ := r.find(uint32(e), uint32(target))
	return at != 0
}

// Targets returns the targets of e for a loop, in the order in which they came. There are none if e is dead. Structure is
// locked while the loop runs: collect the targets with [slices.Collect] to change relations, or queue the changes.
func (w *World) Targets(e Entity, id RelationID) iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		first := w.Related(e, id)
		if first == None {
			return
		}
		if !w.slots.parallel {
			w.locks++
			defer w.unlock(w.hold)
		}
		r := w.components[id].relation
		if r.pairs == nil {
			yield(first)
			return
		}
		for at := r.pairs.lists.at(uint32(e)).first; at != 0; {
			pair := r.pairs.all.at(at - 1)
			if !yield(w.slots.handle(pair.target)) {
				return
			}
			at = pair.next
		}
	}
}

// TargetCount returns how many targets e has, in O(1).
func (w *World) TargetCount(e Entity, id RelationID) int {
	switch {
	case w.Related(e, id) == None:
		return 0
	case w.components[id].relation.pairs == nil:
		return 1
	}
	return int(w.components[id].relation.pairs.lists.at(uint32(e)).count)
}

// appendTargets appends the targets of the entity at sl, which has the relation.
func (w *World) appendTargets(list []Target, r *relation, e Entity, sl *slot) []Target {
	if r.pairs == nil {
		return append(list, Target{r.info.id, *w.targetCell(r, sl)})
	}
	for at := r.pairs.lists.at(uint32(e)).first; at != 0; at = r.pairs.all.at(at - 1).next {
		list = append(list, Target{r.info.id, w.slots.handle(r.pairs.all.at(at - 1).target)})
	}
	return list
}
