package ecs

import "unsafe"

// This file is what the typed spawners have in common to make entities with relations: checks and a row come first, then
// the spawner writes the values, and then the entity gets its targets and tags, so that observers find the values.

// placeRelated makes an entity in a new row of the table with the components and these relations, at its defaults.
// The caller writes the values, and then calls finishRelated.
func (s *spawner) placeRelated(targets []Target) (Entity, error) {
	w := s.world
	if w.locks != 0 {
		return None, fail("spawn", None, "", w.lockedBy())
	}
	if err := w.checkTargets(targets); err != nil {
		return None, err
	}
	if err := w.room(1); err != nil {
		return None, err
	}
	var buf [16]ComponentID
	t, err := w.roomFor(Raw.Upcoming(w, 0), targets, append(buf[:0], s.ids...))
	if err != nil {
		return None, fail("spawn", None, "", err)
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	e := w.slots.take()
	w.place(e, t)
	return e, nil
}

// cell returns the address of the value of a type of the spawner.
func (s *spawner) cell(i int, e Entity) unsafe.Pointer {
	sl := &s.world.slots.all[uint32(e)]
	return s.infos[i].column(sl.table).at(int(sl.row))
}

// finishRelated gives an entity its targets and tags, and tells the observers.
func (s *spawner) finishRelated(e Entity, targets []Target) {
	w := s.world
	w.holdReports()
	defer w.releaseReports()
	if w.observers != nil {
		w.observers.spawned(w.tables[w.slots.all[uint32(e)].table], e)
	}
	for _, to := range targets {
		w.relate(w.components[to.Relation].relation, e, &w.slots.all[uint32(e)], to.Entity)
	}
	for _, id := range s.tags {
		w.Tag(e, id)
	}
}
