package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

var errFailed = errors.New("failed")

// failedTurn gives the system "failing" a turn that writes and then fails, under RollBack.
func failedTurn(t *testing.T, s *Schedule, write func(w *World)) {
	t.Helper()
	ok(t, s.Swap("failing", func(w *World, _ float64) error {
		write(w)
		return errFailed
	}))
	s.RollBack = true
	s.world.rollBack(true)
	if err := s.turn(s.Find("failing"), 1); !errors.Is(err, errFailed) {
		t.Fatalf("got %v", err)
	}
}

// differentState names the first difference between a world after a turn that was taken back and a copy from before
// the turn. Not compared are ticks, and memory that stays reserved: lengths of lists by slot, marks that nothing uses. Handles that the turn has
// given out are used up in both afterwards.
func differentState(w, before *World) error {
	given, was := Raw.GivenOut(w), Raw.GivenOut(before)
	for i := range was {
		if given[i] < was[i] {
			return fmt.Errorf("slot %d will give out generation %d again, after %d", i, given[i], was[i]-1)
		}
	}
	Raw.UseUp(before, given)
	before.waits.last = w.waits.last   // numbers are used up, too
	if w.tickBase != before.tickBase { // the base of the stamps has moved since the copy was made: raise that of the copy as well
		before.now = uint32(w.tickBase-before.tickBase) + 1<<31
		before.rebase()
	}
	if len(w.tables) != len(before.tables) {
		return fmt.Errorf("%d and %d tables", len(w.tables), len(before.tables))
	}
	for i, t := range w.tables {
		o := before.tables[i]
		if !slices.Equal(t.mask, o.mask) || !slices.Equal(t.entities, o.entities) || t.capacity != o.capacity || len(t.edges) != len(o.edges) {
			return fmt.Errorf("table %d: %v and %v, room for %d and %d, %d and %d edges", i, t.entities, o.entities, t.capacity, o.capacity, len(t.edges), len(o.edges))
		}
		for k := range t.columns {
			if err := differentColumn(&t.columns[k], &o.columns[k]); err != nil {
				return fmt.Errorf("table %d, %s: %w", i, t.columns[k].info.name, err)
			}
		}
	}
	s, o := &w.slots, &before.slots
	same := func(a, b slot) bool {
		return a.meta&(liveMask|slotSpent) == b.meta&(liveMask|slotSpent) && a.table == b.table && a.row == b.row
	}
	if !slices.EqualFunc(s.all, o.all, same) || !slices.Equal(s.free, o.free) || s.targets != o.targets || w.living != before.living || w.pending != before.pending {
		return fmt.Errorf("slots: %v %v and %v %v", s.all, s.free, o.all, o.free)
	}
	for i, set := range w.tags {
		if !slices.Equal(set.dense, before.tags[i].dense) || cap(set.dense) != cap(before.tags[i].dense) {
			return fmt.Errorf("tag %s: %v and %v, room for %d and %d", set.name, set.dense, before.tags[i].dense, cap(set.dense), cap(before.tags[i].dense))
		}
	}
	for i, r := range w.relations {
		for _, t := range w.tables {
			for _, e := range t.entities {
				a, b := w.Sources(nil, r.info.id, e), before.Sources(nil, r.info.id, e)
				if !slices.Equal(a, b) || w.target(r, e) != before.target(before.relations[i], e) {
					return fmt.Errorf("relation %s of %s: %v and %v", r.info.name, e, a, b)
				}
			}
		}
	}
	for i, l := range w.events {
		o := before.events[i]
		if l.first != o.first || l.end != o.end || l.hole != o.hole || l.previous != o.previous || l.current != o.current || l.capacity != o.capacity || len(l.readers) < len(o.readers) {
			return fmt.Errorf("event %s: %d %d %d %d %d %d, %d readers, and %d %d %d %d %d %d, %d readers", l.name, l.first, l.end, l.hole, l.previous, l.current, l.capacity, len(l.readers),
				o.first, o.end, o.hole, o.previous, o.current, o.capacity, len(o.readers))
		}
		for k, r := range l.readers {
			if k >= len(o.readers) { // a system has opened it in a failed turn: it begins where that turn began
				if r.free || r.log != l || r.next != l.previous {
					return fmt.Errorf("event %s: reader %d of a failed turn is at %d, not %d", l.name, k, r.next, l.previous)
				}
				continue
			}
			if r.next != o.readers[k].next || r.root != o.readers[k].root || r.log != l {
				return fmt.Errorf("event %s: reader %d is at %d and %d", l.name, k, r.next, o.readers[k].next)
			}
		}
	}
	for i, g := range w.grids {
		if o := before.grids[i]; g.built && o.built && (g.tick != o.tick || !slices.EqualFunc(g.points, o.points, samePoint)) {
			return fmt.Errorf("grid %s: other points", g.spec.Name)
		}
	}
	for i, l := range w.events { // readers of a failed turn, which are compared above
		all := l.readers
		l.readers = all[:len(before.events[i].readers)]
		defer func() { l.readers = all }()
	}
	c := newStateComparison()
	for _, part := range []func(w *World) any{
		func(w *World) any { return w.events }, func(w *World) any { return w.resources }, func(w *World) any { return w.streams }, func(w *World) any { return &w.clock.moment },
		func(w *World) any { return &w.ending }, func(w *World) any { return &w.structure },
	} {
		c.values("", reflect.ValueOf(part(w)), reflect.ValueOf(part(before)))
	}
	for i, lost := range w.tracked {
		if o := before.tracked[i]; !slices.Equal(lost.lost.entries, o.lost.entries) {
			c.say("removals of "+lost.name, lost.lost.entries, o.lost.entries)
		}
	}
	if len(w.tracked) != len(before.tracked) {
		c.say("tracked", len(w.tracked), len(before.tracked))
	}
	if len(c.differs) > 0 {
		return errors.New(c.differs[0])
	}
	if w.Digest() != before.Digest() {
		return errors.New("the digest is another one")
	}
	return w.Check()
}

func differentColumn(c, o *Column) error {
	if c.newest != o.newest {
		return fmt.Errorf("newest %v and %v", c.newest, o.newest)
	}
	for row := range c.Len() {
		if c.stampOf(row) != o.stampOf(row) || c.blocks[row>>blockShift].summary() != o.blocks[row>>blockShift].summary() {
			return fmt.Errorf("row %d is stamped %v, block %v, and %v, block %v", row, c.stampOf(row), c.blocks[row>>blockShift].summary(), o.stampOf(row), o.blocks[row>>blockShift].summary())
		}
		for i := range c.info.schema.fields {
			x, y := Row{schema: c.info.schema, ptr: c.at(row)}.Get(i), Row{schema: o.info.schema, ptr: o.at(row)}.Get(i)
			if !x.Equal(y) {
				return fmt.Errorf("row %d, field %d: %v and %v", row, i, x, y)
			}
		}
	}
	return nil
}

// bindFailing is bindSimulation with a system that does nothing.
func bindFailing(t *testing.T) func(*World, SystemSpec) (SystemFunc, func(*World) (bool, error), error) {
	bind := bindSimulation(t)
	return func(w *World, spec SystemSpec) (SystemFunc, func(*World) (bool, error), error) {
		if spec.Name == "failing" {
			return func(*World, float64) error { return nil }, nil, nil
		}
		return bind(w, spec)
	}
}

// TestAFailedTurnLeavesNoTrace does all that changes a world, each in a turn that fails.
func TestAFailedTurnLeavesNoTrace(t *testing.T) {
	for name, write := range journalWrites {
		if name == "EndFrame" || name == "waiting events that come" || name == "Untag and PutBack" { // a turn does not end its frame; PutBack is what a turn is taken back with
			continue
		}
		t.Run(name, func(t *testing.T) {
			schedule := fullSimulation(t, Options{Seed: 3, MaxBytes: 1 << 30})
			w := schedule.world
			s := newSimulationWorld(t, w)
			parent, base := must[Entity](t)(w.Spawn(s.pos.ID())), must[Entity](t)(w.Spawn(s.parts[1]))
			e := must[Entity](t)(w.SpawnRelated([]Target{{s.childOf, parent}, {s.isA, base}}, s.pos.ID(), s.parts[0], s.info))
			must[Entity](t)(w.SpawnRelated([]Target{{s.childOf, e}}, s.pos.ID()))
			w.Tag(e, s.tags[0])
			s.hit.Send(hitEvent{e, 1})
			table, _ := w.TableOf(e)
			must[*System](t)(schedule.AddSystem(SystemSpec{Name: "failing", Run: func(*World, float64) error { return nil }}))
			twin := must[*Schedule](t)(schedule.Copy(bindFailing(t)))
			for range 2 { // the second time the log has its memory
				if failedTurn(t, schedule, func(*World) { write(s, e, table) }); t.Failed() {
					return
				}
				if err := differentState(w, twin.world); err != nil {
					t.Fatal(err)
				}
			}
			ok(t, schedule.Swap("failing", func(*World, float64) error { return nil }))
			for frame := range 5 {
				ok(t, schedule.Run(1))
				ok(t, twin.Run(1))
				if w.Digest() != twin.world.Digest() {
					t.Fatalf("frame %d: the digests differ", frame)
				}
			}
		})
	}
}
