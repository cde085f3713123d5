package ecs

import "slices"

// This file is what the typed spawners have in common to write the values of entities that exist (Spawner2.Set).

// setElsewhere calls set, which writes the values one by one, after it has added the components that the entity lacks.
func (s *spawner) setElsewhere(e Entity, set func()) (bool, error) {
	w := s.world
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if t := w.tables[sl.table]; !slices.ContainsFunc(s.ids, func(id ComponentID) bool { return !t.mask.has(id) }) {
		set()
		return true, nil
	}
	if w.locks != 0 {
		return false, fail("set", e, w.list(s.ids), w.lockedBy())
	}
	w.holdReports()
	defer w.releaseReports()
	if _, err := w.Add(e, s.ids...); err != nil {
		return false, err
	}
	set()
	return true, nil
}

// wrote tells the observers of the components that their values were written.
func (s *spawner) wrote(e Entity) {
	for _, c := range s.infos[:len(s.ids)] {
		if c.watch != nil {
			s.world.wrote(c, e)
		}
	}
}
