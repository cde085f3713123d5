package ecs

import (
	"slices"
	"unsafe"
)

// This file makes entities with relations: World.SpawnRelated at the defaults of their components, the typed spawners
// with values. Checks and a row come first, then the spawner writes the values, and then the entity gets its targets and
// tags, so that observers find the values.

// A Target is a relation with its target.
type Target struct {
	Relation RelationID
	Entity   Entity
}

// SpawnRelated makes an entity with these relations, and with these components at their defaults, directly in its
// table. Errors: those of [World.Spawn], [ErrDead] for a dead target, and [ErrDepth].
func (w *World) SpawnRelated(targets []Target, ids ...ComponentID) (Entity, error) {
	if w.locks != 0 {
		return None, fail("spawn", None, "", w.lockedBy())
	}
	var buf [16]ComponentID
	sorted, err := w.sortIDs("spawn", buf[:0], ids)
	if err != nil {
		return None, err
	}
	if err := w.checkTargets(targets); err != nil {
		return None, err
	}
	if err := w.room(1); err != nil {
		return None, err
	}
	t, err := w.roomFor(Raw.Upcoming(w, 0), targets, sorted)
	if err != nil {
		return None, fail("spawn", None, "", err)
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	e := w.slots.take()
	w.placeRelated(e, targets, t)
	return e, nil
}

// checkTargets returns an error if a new entity cannot have these relations.
func (w *World) checkTargets(targets []Target) error {
	for _, to := range targets {
		r, err := w.relation("spawn", None, to.Relation)
		if err != nil {
			return err
		}
		if err := w.checkTarget(r, None, to.Entity); err != nil {
			return fail("spawn", None, r.info.name, err)
		}
	}
	return nil
}

// roomFor returns the table for e with these components and targets, and makes room there for a row, and in the
// relations. Error: [ErrBytes].
func (w *World) roomFor(e Entity, targets []Target, ids []ComponentID) (*Table, error) {
	return w.roomIn(w.tables[0], e, targets, ids)
}

// roomIn is roomFor for tables that are reached from the one without components of prefabs, or of all others.
func (w *World) roomIn(empty *Table, e Entity, targets []Target, ids []ComponentID) (*Table, error) {
	for i, to := range targets {
		ids = append(ids, to.Relation)
		if err := w.components[to.Relation].relation.reserve(w, uint32(e), uint32(to.Entity), i); err != nil {
			return nil, err
		}
	}
	t, err := empty.with(sorted(ids))
	if err == nil && len(t.entities) == t.capacity {
		err = t.reserve(1)
	}
	return t, err
}

// placeRelated makes a reserved handle live in the table that roomFor returned. The targets are checked.
func (w *World) placeRelated(e Entity, targets []Target, t *Table) {
	if w.observers != nil && len(targets) > 0 {
		w.holdReports()
		defer w.releaseReports()
	}
	w.place(e, t)
	if !w.quiet(t) {
		w.observers.spawned(t, e)
	}
	w.relateAll(e, targets)
}

// counts reports whether a new entity gets target i: the last one of its relation, or each if it may have many.
func (w *World) counts(targets []Target, i int) bool {
	return w.components[targets[i].Relation].relation.pairs != nil || !slices.ContainsFunc(targets[i+1:], func(later Target) bool { return later.Relation == targets[i].Relation })
}

// relateAll gives a new entity its targets.
func (w *World) relateAll(e Entity, targets []Target) {
	for i, to := range targets {
		r := w.components[to.Relation].relation
		if w.counts(targets, i) && (r.pairs == nil || !w.relates(r, e, to.Entity)) {
			w.relate(r, e, &w.slots.all[uint32(e)], to.Entity)
		}
	}
}

// placeRelated makes an entity in a new row of the table with the components and these relations, at its defaults.
// The caller writes the values, and then calls finishRelated.
func (s *spawner) placeRelated(targets []Target) (Entity, error) {
	made(s.world != nil, "Spawner", "ecs.NewSpawner1 to ecs.NewSpawner8")
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
	w.relateAll(e, targets)
	for _, id := range s.tags {
		w.Tag(e, id)
	}
}

// placeManyRelated is placeRelated for as many entities as there are values: it returns their table and first row. The
// caller writes the values, and then calls finishManyRelated. Panics if the slices have different lengths.
func (s *spawner) placeManyRelated(targets []Target, lengths ...int) (*Table, int, error) {
	made(s.world != nil, "Spawner", "ecs.NewSpawner1 to ecs.NewSpawner8")
	w, n := s.world, sameLength(lengths)
	if w.locks != 0 {
		return nil, 0, fail("spawn", None, "", w.lockedBy())
	}
	if err := w.checkTargets(targets); err != nil {
		return nil, 0, err
	}
	if err := w.room(n); err != nil {
		return nil, 0, err
	}
	var buf [16]ComponentID
	t, err := w.roomFor(Raw.Upcoming(w, 0), targets, append(buf[:0], s.ids...))
	for i := 1; i < n && err == nil; i++ {
		for j, to := range targets {
			if err = w.components[to.Relation].relation.reserve(w, uint32(Raw.Upcoming(w, i)), uint32(to.Entity), i*len(targets)+j); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = t.reserve(n)
	}
	if err != nil {
		return nil, 0, fail("spawn", None, "", err)
	}
	from := w.claim(t, n)
	for i := range t.columns {
		t.columns[i].stampAddedRange(from, from+n, w.now)
	}
	for _, c := range t.targets {
		c.fillDefault(from, from+n)
	}
	return t, from, nil
}

// finishManyRelated is finishRelated for the entities from row from on. It appends them to a list.
func (s *spawner) finishManyRelated(list []Entity, t *Table, from int, targets []Target) []Entity {
	w, made := s.world, t.entities[from:]
	w.holdReports()
	defer w.releaseReports()
	if w.observers != nil {
		w.observers.spawnedRows(t, from, from+len(made))
	}
	for _, e := range made {
		w.relateAll(e, targets)
		for _, id := range s.tags {
			w.Tag(e, id)
		}
	}
	return append(list, made...)
}
