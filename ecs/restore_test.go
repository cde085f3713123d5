package ecs

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// trail runs frames and returns the digest and a print of the stamps after each.
func trail(t *testing.T, s *Schedule, frames int) string {
	t.Helper()
	var b strings.Builder
	for range frames {
		ok(t, s.Run(0.1))
		fmt.Fprintln(&b, s.world.Frame(), s.world.Tick(), s.world.Digest(), stamps(s.world))
	}
	check(t, s.world)
	return b.String()
}

// A copied simulation goes the way of the original; so does the original once it is restored, however often, and from whatever frame.
func TestCopyAndRestoreGoTheSameWay(t *testing.T) {
	for name, o := range map[string]Options{"heap": {Seed: 5}, "memory": {Seed: 5, Memory: &countingMemory{}}, "limited": {Seed: 5, MaxBytes: 1 << 22}} {
		t.Run(name, func(t *testing.T) {
			s := newSimulation(t, newWorld(o))
			ok(t, s.RunStartup())
			for _, frames := range []int{0, 1, 9, 4, 13} { // "sometimes" draws from its stream only after the second of these
				run(t, s, frames)
				copied := must[*Schedule](t)(s.Copy(bindSimulation(t)))
				saved := must[*Schedule](t)(s.Copy(nil))
				want := trail(t, s, 25)
				if trail(t, copied, 25) != want {
					t.Fatalf("a copy of frame %d goes another way", frames)
				}
				for i := range 2 {
					if i == 1 { // another course: entities, tables, tags and events that the first did not have
						must[Entity](t)(s.world.Spawn(1, 3, 5))
						Raw.AppendEvent(s.world, 0)
						run(t, s, 3)
					}
					ok(t, s.Restore(saved))
					if trail(t, s, 25) != want {
						t.Fatalf("after it was restored to frame %d it goes another way", frames)
					}
				}
				ok(t, s.Restore(saved))
			}
		})
	}
}

// A world is restored between two turns of a frame, which then goes on: the turn of the system in between has not happened.
func TestRestoreTakesATurnBack(t *testing.T) {
	simulate := func(spoil bool) string {
		s := newSimulation(t, newWorld(Options{Seed: 9}))
		if spoil {
			w := newSimulationWorld(t, s.world)
			s.Add("spoil", func(*World, float64) error {
				w.add(1)
				must[Entity](t)(w.Spawn(w.parts[3], w.info))
				w.near.Near(0, 0, 1, func(Entity, float64) bool { return true })
				w.Random().Float64()
				w.hit.Read()
				w.Drain(w.hit.ID())
				return errors.New("spoilt")
			})
		} else {
			s.Add("spoil", func(*World, float64) error { return nil })
		}
		var saved *Schedule
		s.Before = func(sys *System) {
			if sys.Name() == "spoil" {
				saved = must[*Schedule](t)(s.Copy(nil))
			}
		}
		s.After = func(sys *System) {
			if sys.Name() == "spoil" {
				ok(t, s.Restore(saved))
			}
		}
		s.OnError = func(*System, error) error { return nil }
		ok(t, s.RunStartup())
		return trail(t, s, 12)
	}
	if simulate(true) != simulate(false) {
		t.Error("the turn has left a trace")
	}
}

// Typed components, queries, bundles, tags, events, resources, streams and readers are good after a Restore, and what was made since is gone.
func TestHandlesOutliveARestore(t *testing.T) {
	w := newWorld(Options{Seed: 2})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	hit := hits(t, w)
	tag := must[TagID](t)(w.DeclareTag("red"))
	score := must[*float64](t)(RegisterResource[float64](w, "score"))
	likes := must[RelationID](t)(w.DeclareRelation("Likes"))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	both := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}}))
	early, closed := w.EventReader(hit.ID()), w.EventReader(hit.ID())
	a := must[Entity](t)(w.Spawn(pos.ID()))
	pos.Write(a).X = 7
	hit.Send(hitEvent{Amount: 1})
	*score = 5
	table, _ := w.TableOf(a)
	saved := must[*World](t)(w.Copy())
	n := len(w.Tables())

	bundle := must[*Bundle](t)(w.Bundle(pos.ID(), vel.ID()))
	b := must[Entity](t)(bundle.Spawn())
	must[bool](t)(w.Relate(b, likes, a))
	must[bool](t)(bundle.Add(a))
	w.Tag(a, tag)
	hit.Send(hitEvent{Amount: 2})
	early.Read()
	closed.Close()
	late := w.EventReader(hit.ID())
	late.Read()
	*score = 6
	wind := w.Stream("wind")
	first := wind.Float64()
	ref := w.Ref(a, pos.ID())

	ok(t, w.Restore(saved))
	check(t, w)
	if w.Digest() != saved.Digest() || len(w.Tables()) != n || w.Alive(b) || w.Tagged(a, tag) || *score != 5 || w.SourceCount(likes, a) != 0 {
		t.Error("something that was done since is still there")
	}
	if now, _ := w.TableOf(a); now != table {
		t.Error("the table is another object")
	}
	if x, err := ref.Number(0); err != nil || x != 7 || pos.Get(a).X != 7 {
		t.Error("the value is lost", x, err)
	}
	if q.Count() != 1 || both.Count() != 0 {
		t.Errorf("the queries find %d and %d", q.Count(), both.Count())
	}
	for what, r := range map[string]*EventReader{"early": early, "closed since": closed, "opened since": late} {
		if r.Len() != 1 {
			t.Errorf("the reader that was %s has %d events", what, r.Len())
		}
	}
	hit.Send(hitEvent{Amount: 3})
	if got := amounts(hit.Peek()); got != "1 3" {
		t.Errorf("events %s", got)
	}
	if again := w.Stream("wind"); again != wind || again.Float64() != first {
		t.Error("the stream does not start again")
	}
	c := must[Entity](t)(bundle.Spawn())
	if c != b || len(w.Tables()) != n+1 || both.Count() != 1 {
		t.Error("the bundle does not find its table", c, len(w.Tables()), both.Count())
	}
	must[bool](t)(bundle.Add(a))
	must[bool](t)(w.Relate(c, likes, a))
	w.Tag(c, tag)
	if both.Count() != 2 || w.SourceCount(likes, a) != 1 || len(w.TagMembers(tag)) != 1 {
		t.Error("the handles do not work")
	}
	check(t, w)
}

// A restored world makes its tables in the order of the new course, not of the one that was taken back.
func TestRestoreForgetsTheOrderOfTables(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	q := must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	saved := must[*World](t)(w.Copy())
	fresh := must[*World](t)(saved.Copy())
	must[Entity](t)(w.Spawn(ids[0], ids[1]))
	must[Entity](t)(w.Spawn(ids[0], ids[2]))
	ok(t, w.Restore(saved))
	for _, x := range []*World{w, fresh} {
		must[Entity](t)(x.Spawn(ids[0], ids[2]))
		must[Entity](t)(x.Spawn(ids[0], ids[1]))
	}
	if w.Digest() != fresh.Digest() {
		t.Error("the digest shows what was taken back")
	}
	if q.First().Index() != 0 {
		t.Error("the query visits in the old order")
	}
	check(t, w)
}

func TestRestoreRefuses(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	must[Entity](t)(w.Spawn(pos.ID()))
	saved := must[*World](t)(w.Copy())
	c := q.begin()
	if err := w.Restore(saved); !errors.Is(err, ErrLocked) {
		t.Errorf("in a loop: %v", err)
	}
	c.End()
	s := NewSchedule(w).Add("one", func(*World, float64) error { return nil })
	scheduled := must[*Schedule](t)(s.Copy(nil))
	s.Add("restore", func(*World, float64) error { return w.Restore(saved) })
	if err := s.Run(1); !errors.Is(err, ErrLocked) {
		t.Errorf("in a system: %v", err)
	}
	if err := s.Restore(scheduled); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), `system "restore" is not in the schedule to restore from`) {
		t.Errorf("with another system: %v", err)
	}
	if err := scheduled.Restore(s); !errors.Is(err, ErrMismatch) {
		t.Errorf("with a system less: %v", err)
	}
	if err := scheduled.Run(1); err == nil || !strings.Contains(err.Error(), `system "one" belongs to a copy`) {
		t.Errorf("a copy without functions runs: %v", err)
	}
	before := w.Digest()
	for what, declare := range map[string]func(w *World) error{
		`component "New"`: func(w *World) error { _, err := Register[velocity](w, "New"); return err },
		`tag "New"`:       func(w *World) error { _, err := w.DeclareTag("New"); return err },
		`event "New"`:     func(w *World) error { _, err := RegisterEvent[velocity](w, "New"); return err },
		`resource "New"`:  func(w *World) error { _, err := w.DeclareResource("New", F64, Value{}); return err },
		`grid "New"`: func(w *World) error {
			_, err := w.DeclareGrid(GridSpec{Name: "New", Component: 0, X: "x", Y: "y", Cell: 1})
			return err
		},
	} {
		more := must[*World](t)(saved.Copy())
		ok(t, declare(more))
		if err := more.Restore(saved); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), what+" is not declared in the world to restore from") {
			t.Errorf("%s: %v", what, err)
		}
		if err := w.Restore(more); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s, there only: %v", what, err)
		}
	}
	if w.Digest() != before {
		t.Error("a refused Restore has changed something")
	}
	_, err := s.Copy(func(w *World, spec SystemSpec) (SystemFunc, func(*World) (bool, error), error) {
		MustRegister[velocity](w, "New")
		return spec.Run, nil, nil
	})
	if !errors.Is(err, ErrMismatch) {
		t.Errorf("a copy whose systems declare something new: %v", err)
	}
}

// A copy that goes on without the readers of the original keeps no events for them.
func TestACopyKeepsNothingForReadersItHasNot(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	r := w.EventReader(hit.ID())
	hit.Send(hitEvent{})
	c := must[*World](t)(w.Copy())
	for range 3 {
		c.EndFrame()
		w.EndFrame()
	}
	if n := c.Stats().Events; n != 0 {
		t.Errorf("%d events are kept", n)
	}
	if r.Len() != 1 {
		t.Error("the original has lost one")
	}
}

// A restored world is near its limit of bytes exactly where the first was.
func TestLimitsAreRestored(t *testing.T) {
	w := newWorld(Options{MaxBytes: 200_000})
	ids := letters(t, w, "A", "B", "C", "D", "E")
	tag := must[TagID](t)(w.DeclareTag("red"))
	hit := hits(t, w)
	fill := func(w *World) string {
		var log []string
		for i := range 3000 {
			e, err := w.Spawn(ids[i%5])
			if err != nil {
				log = append(log, fmt.Sprint(i, err))
			}
			if _, err := w.TryTag(e, tag); err != nil {
				log = append(log, fmt.Sprint(i, err))
			}
			if i%3 == 0 {
				if _, err := w.Add(e, ids[i%4+1]); err != nil {
					log = append(log, fmt.Sprint(i, err))
				}
				if err := w.Send(hit.ID()); err != nil {
					log = append(log, fmt.Sprint(i, err))
				}
			}
			if i%100 == 0 {
				w.advanceTick()
			}
		}
		return fmt.Sprint(len(log), log[:min(20, len(log))], w.Bytes(), w.structure)
	}
	for range 100 {
		e := must[Entity](t)(w.Spawn(ids[0], ids[1]))
		w.Tag(e, tag)
	}
	saved := must[*World](t)(w.Copy())
	other := must[*World](t)(saved.Copy())
	want := fill(w)
	if !strings.Contains(want, "limit reached") {
		t.Fatal("the limit was not reached")
	}
	if got := fill(other); got != want {
		t.Errorf("the copy: %s\nnot %s", got, want)
	}
	for range 2 {
		ok(t, w.Restore(saved))
		if got := fill(w); got != want {
			t.Errorf("restored: %s\nnot %s", got, want)
		}
	}
}
