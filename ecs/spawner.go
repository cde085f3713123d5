package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// This file is what typed spawners of all numbers of types have in common (zz_spawner.go). A spawner
// keeps its table and the columns of its types, so that an entity costs a handle, a slot, and for each type a value
// and its stamps. Defaults are not written, because every column of the table gets a value.

// A spawner is the part of a typed spawner that does not depend on its types.
type spawner struct {
	world    *World
	ids      []ComponentID          // ascending
	infos    [typedTerms]*component // in the order of the types
	table    *Table                 // of exactly these components
	columns  [typedTerms]*Column    // of infos in table
	tags     []TagID
	restored uint64 // World.restored when the table was found

	other        *Table // where Set was last asked to write that has further components
	otherColumns [typedTerms]*Column
}

// newSpawner finds the components of the types and makes their table.
func (w *World) newSpawner(tags []TagID, types ...reflect.Type) (spawner, error) {
	given(w != nil, "NewSpawner", "a world")
	w.mustBeAlone()
	s := spawner{world: w, tags: slices.Clone(tags)}
	for _, id := range tags {
		w.tag(id)
	}
	for i, of := range types {
		c, err := w.componentOf(of)
		if err != nil {
			return s, fail("spawn", None, "", err)
		}
		if slices.Contains(s.ids, c.id) {
			return s, fail("spawn", None, c.name, fmt.Errorf("the component is listed twice"))
		}
		s.infos[i], s.ids = c, append(s.ids, c.id)
	}
	s.ids = sorted(s.ids)
	return s, s.find()
}

// find finds the table and its columns. Error: [ErrBytes].
func (s *spawner) find() error {
	t, err := s.world.tables[0].with(s.ids)
	if err != nil {
		return fail("spawn", None, "", err)
	}
	for i, c := range s.infos {
		if c != nil {
			s.columns[i] = c.column(t.id)
		}
	}
	s.table, s.restored = t, s.world.restored
	return nil
}

// place makes an entity in a new row, stamped as added now. The caller writes the values, and then calls finish.
func (s *spawner) place() (Entity, int, error) {
	made(s.world != nil, "Spawner", "ecs.NewSpawner1 to ecs.NewSpawner8")
	w, t := s.world, s.table
	if w.locks != 0 || w.living+w.pending >= w.options.MaxEntities || s.restored != w.restored || len(t.entities) == t.capacity || w.journal != nil {
		if err := s.prepare(1); err != nil {
			return None, 0, err
		}
		if t = s.table; w.journal != nil {
			w.journal.adds(t, 1)
		}
	}
	w.beginChange()
	row, now, e := len(t.entities), w.now, w.slots.take()
	if row == 0 {
		t.occupy()
	}
	t.entities = t.entities[:row+1]
	t.entities[row] = e
	w.slots.settle(e, t.id, uint32(row))
	w.living++
	at := row >> blockShift
	for i := range t.columns {
		c := &t.columns[i]
		b := c.block(at)
		if !b.allNow(now) {
			c.stampAdded(b, row, now)
		}
	}
	w.endChange()
	return e, row, nil
}

// prepare checks whether n entities can be made, and makes room for them. Nothing has changed if it returns an error.
func (s *spawner) prepare(n int) error {
	w := s.world
	if w.locks != 0 {
		return fail("spawn", None, "", w.lockedBy())
	}
	if err := w.room(n); err != nil {
		return err
	}
	if s.restored != w.restored {
		if err := s.find(); err != nil {
			return err
		}
	}
	if err := s.table.reserve(n); err != nil {
		return fail("spawn", None, "", err)
	}
	return nil
}

// plain reports whether nothing is left to do once the values are written.
func (s *spawner) plain() bool {
	return len(s.tags) == 0 && s.world.quiet(s.table)
}

// finish gives an entity its tags and tells the observers.
func (s *spawner) finish(e Entity) {
	w := s.world
	if len(s.tags) == 0 {
		w.observers.spawned(s.table, e)
		return
	}
	w.holdReports()
	defer w.releaseReports()
	if w.observers != nil {
		w.observers.spawned(s.table, e)
	}
	for _, id := range s.tags {
		w.Tag(e, id)
	}
}

// placeMany is place for as many entities as there are values. Panics if the slices have different lengths.
func (s *spawner) placeMany(lengths ...int) (from int, err error) {
	made(s.world != nil, "Spawner", "ecs.NewSpawner1 to ecs.NewSpawner8")
	n := sameLength(lengths)
	if err := s.prepare(n); err != nil {
		return 0, err
	}
	from = s.world.claim(s.table, n)
	for i := range s.table.columns {
		s.table.columns[i].stampAddedRange(from, from+n, s.world.now)
	}
	return from, nil
}

// sameLength returns the length of all slices of values. It panics if they differ.
func sameLength(lengths []int) int {
	for _, l := range lengths {
		if l != lengths[0] {
			panic(fmt.Sprintf("ecs: SpawnMany: slices of different lengths: %d", lengths))
		}
	}
	return lengths[0]
}

// finishMany is finish for the entities from row from on. It appends them to a list.
func (s *spawner) finishMany(list []Entity, from int) []Entity {
	w, made := s.world, s.table.entities[from:]
	if list = append(list, made...); s.plain() {
		return list
	}
	if len(s.tags) == 0 {
		w.observers.spawnedRows(s.table, from, from+len(made))
	} else {
		w.holdReports()
		defer w.releaseReports()
		for _, e := range made {
			if w.observers != nil {
				w.observers.spawned(s.table, e)
			}
			for _, id := range s.tags {
				w.Tag(e, id)
			}
		}
	}
	return list
}

// fill copies values to the rows of a column from row from on. The column is of the type.
func fill[T any](c *Column, from int, values []T) {
	if len(values) > 0 {
		copy(unsafe.Slice((*T)(c.at(from)), len(values)), values)
	}
}

// queue queues the spawning of an entity. The caller queues the values, and then calls queued.
func (s *spawner) queue(q *Commands, targets []Target) (Entity, error) {
	made(s.world != nil, "Spawner", "ecs.NewSpawner1 to ecs.NewSpawner8")
	given(q != nil, "Spawner.Queue", "a queue")
	s.world.mustBe(q.world)
	e, err := q.SpawnRelated(targets, s.ids...)
	if err == nil {
		q.Join(true)
	}
	return e, err
}

// queued queues the tags.
func (s *spawner) queued(q *Commands, e Entity) {
	for _, id := range s.tags {
		q.Tag(e, id)
	}
	q.Join(false)
}

// queueAdd queues the addition of the components. The caller queues the values.
func (s *spawner) queueAdd(q *Commands, e Entity) {
	made(s.world != nil, "Spawner", "ecs.NewSpawner1 to ecs.NewSpawner8")
	given(q != nil, "Spawner.QueueSet", "a queue")
	s.world.mustBe(q.world)
	q.mayQueue()
	q.queueIDs(addCommand, e, s.ids)
}

// The rest of this file is what the typed spawners have in common to write the values of entities that exist (Spawner2.Set).

// columnsIn returns the columns of the types in a table, nil if it lacks one of them.
func (s *spawner) columnsIn(table uint32) *[typedTerms]*Column {
	t := s.world.tables[table]
	if s.other == t {
		return &s.otherColumns
	}
	if slices.ContainsFunc(s.ids, func(id ComponentID) bool { return !t.mask.has(id) }) {
		return nil
	}
	for i, c := range s.infos[:len(s.ids)] {
		s.otherColumns[i] = c.column(table)
	}
	s.other = t
	return &s.otherColumns
}

// setElsewhere calls set, which writes the values one by one, after it has added the components that the entity lacks.
// The entity is alive, and lacks some.
func (s *spawner) setElsewhere(e Entity, set func()) (bool, error) {
	w := s.world
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
