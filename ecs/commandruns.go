package ecs

import (
	"math"
	"slices"
	"unsafe"
)

// This file is the short way of [Spawner2.Queue]. Entities that one spawner queues one behind the other are a run: their handles and values lie in columns, and they are made
// together. Whatever looks at single commands writes the run out first (plain); the world becomes the same either way. While a world has observers there are no runs.

// A spawnRun is what a command of kind runCommand stands for.
type spawnRun struct {
	by       *spawner
	from, to int                // its handles that are not alive yet, in Commands.made
	values   [typedTerms]uint32 // where the values of each type begin in Commands.values
}

// join queues the spawning of an entity as part of a run, and returns its handle. The caller writes each value with nextValue. It returns None, and has done nothing, if the entity
// must be queued alone.
func (s *spawner) join(q *Commands) Entity {
	w := s.world
	if w == nil || q == nil || q.world != w || w.observers != nil || len(s.tags) > 0 || q.joins || q.worker || w.slots.parallel ||
		w.living+w.pending >= w.options.MaxEntities {
		return None
	}
	if w.journal != nil {
		w.journal.slots()
	}
	if n := len(q.ops); n == 0 || q.ops[n-1].op != runCommand || q.ops[n-1].place != q.place || q.runs[len(q.runs)-1].by != s {
		q.beginRun(s)
	}
	if q.free == 0 {
		q.grow(s)
	}
	q.free--
	e := w.slots.take()
	w.pending++
	q.made = append(q.made, e)
	q.runs[len(q.runs)-1].to++
	return e
}

// nextValue returns where the value of a type of the entity goes that join has queued.
func nextValue[T any](q *Commands, info *component) *T {
	v := &q.values[info.id]
	v.n++
	return (*T)(unsafe.Add(v.base, uintptr(v.n-1)*unsafe.Sizeof(*new(T))))
}

// grow makes room for another value of each type of the last run.
func (c *Commands) grow(by *spawner) {
	c.free = math.MaxInt
	for _, info := range by.types() {
		v := &c.values[info.id]
		if v.n == v.capacity {
			v.resize(info.schema, max(2*v.capacity, 16))
		}
		c.free = min(c.free, v.capacity-v.n)
	}
}

// beginRun queues a run without entities. The caller must add one.
func (c *Commands) beginRun(by *spawner) {
	r := spawnRun{by: by, from: len(c.made), to: len(c.made)}
	for i, info := range by.types() {
		r.values[i] = uint32(c.storeOf(info).n)
	}
	c.free = 0
	c.ops = append(c.ops, command{op: runCommand, place: c.place, id: uint32(len(c.runs))})
	c.runs = append(c.runs, r)
}

// types returns the components in the order of the types.
func (s *spawner) types() []*component { return s.infos[:len(s.ids)] }

// handles returns the handles of a run that are not alive yet.
func (c *Commands) handles(run uint32) []Entity { return c.made[c.runs[run].from:c.runs[run].to] }

// makeRun makes the entities of a run. Error: as that of a spawn; then those that there was room for are alive.
func (c *Commands) makeRun(run uint32) error {
	w, r := c.world, &c.runs[run]
	s := r.by
	if s.restored != w.restored {
		if err := s.find(); err != nil {
			return err
		}
	}
	t := s.table
	for list := c.handles(run); len(list) > 0; list = c.handles(run) {
		from := len(t.entities)
		if from == t.capacity {
			if err := t.reserve(1); err != nil { // grows as it does for single entities
				return fail("spawn", None, "", err)
			}
		}
		n := min(len(list), t.capacity-from)
		if w.journal != nil {
			w.journal.adds(t, n)
		}
		w.beginChange()
		t.entities = append(t.entities, list[:n]...)
		t.occupy()
		for k, e := range list[:n] {
			w.slots.settle(e, t.id, uint32(from+k))
		}
		w.living += n
		w.pending -= n
		for i, info := range s.types() {
			info.schema.copyRows(s.columns[i].at(from), unsafe.Add(c.values[info.id].base, uintptr(r.values[i])*info.schema.size), n)
			r.values[i] += uint32(n)
		}
		for i := range t.columns {
			t.columns[i].stampAddedRange(from, from+n, w.now)
		}
		w.endChange()
		r.from += n
	}
	return nil
}

// releaseRun gives back the handles of a run, the last one first.
func (c *Commands) releaseRun(run uint32) {
	for _, e := range slices.Backward(c.handles(run)) {
		c.world.pending--
		c.world.slots.release(uint32(e))
	}
}

// plain returns the queue with its runs written out as single commands: c itself if it has none, or a queue that shares its other lists.
func (c *Commands) plain() *Commands {
	if len(c.runs) == 0 {
		return c
	}
	p := *c
	p.ops, p.ids, p.runs, p.made = make([]command, 0, c.Len()), slices.Clip(c.ids), nil, nil
	for i := range c.ops {
		op := c.ops[i]
		if op.op != runCommand {
			p.ops = append(p.ops, op)
			continue
		}
		r := &c.runs[op.id]
		from, to := uint32(len(p.ids)), uint32(len(p.ids)+len(r.by.ids))
		p.ids = append(append(p.ids, r.by.ids...), 0) // no targets
		for k, e := range c.handles(op.id) {
			p.ops = append(p.ops, command{op: spawnCommand, place: op.place, entity: e, id: uint32(len(p.goals)), from: from, to: to})
			for i, info := range r.by.types() {
				p.ops = append(p.ops, command{op: storeCommand, joined: true, place: op.place, entity: e, id: uint32(info.id), from: r.values[i] + uint32(k)})
			}
		}
	}
	return &p
}

// writeOut replaces the runs of the queue by single commands.
func (c *Commands) writeOut() {
	if len(c.runs) > 0 {
		*c = *c.plain()
	}
}
