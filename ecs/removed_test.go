package ecs

import (
	"slices"
	"testing"
)

func TestRemoved_2_13(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	ids := letters(t, w, "A")
	spawn := func() Entity { return must[Entity](t)(w.Spawn(pos.ID(), ids[0])) }
	early, a, b, c, d := spawn(), spawn(), spawn(), spawn(), spawn()
	must[bool](t)(w.Despawn(early)) // nobody was asking yet
	var lists [][]Entity
	s := NewSchedule(w)
	note := func(w *World, _ float64) error {
		lists = append(lists, w.Removed(nil, pos.ID()))
		return nil
	}
	s.Add("watcher", note)
	turn := func(what string, want ...Entity) {
		t.Helper()
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
		if got := lists[len(lists)-1]; !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
	turn("nothing was tracked before")
	must[bool](t)(w.Despawn(c))
	must[bool](t)(w.Remove(a, pos.ID()))
	must[bool](t)(w.Remove(b, pos.ID(), ids[0]))
	must[bool](t)(w.Add(b, pos.ID())) // has it again
	must[bool](t)(w.Remove(d, ids[0]))
	turn("in order of loss", c, a)
	turn("each once")
	must[bool](t)(w.Remove(d, pos.ID()))
	must[bool](t)(w.Add(d, pos.ID()))
	must[bool](t)(w.Remove(d, pos.ID()))
	turn("twice lost", d)
	if err := s.Swap("watcher", func(w *World, _ float64) error { // its own removals are no news to it
		must[bool](t)(w.Despawn(b))
		lists = append(lists, w.Removed(nil, pos.ID()))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	turn("what it does itself") // asked in the same turn, under the same tick
	if err := s.Swap("watcher", note); err != nil {
		t.Fatal(err)
	}
	turn("what it did itself")
	if n := len(w.components[pos.ID()].lost.entries); n > 1 {
		t.Fatalf("%d removals are kept for nobody", n)
	}
}

func TestRemovedForASeldomSystem_1_16(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	var changed, removed int
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{pos.ID()}}))
	s := NewSchedule(w)
	seldom := must[*System](t)(s.AddSystem(SystemSpec{Name: "seldom", Every: 10, Run: func(w *World, _ float64) error {
		changed += q.Count()
		removed += len(w.Removed(nil, pos.ID()))
		return nil
	}}))
	seldom.TrackRemoved(pos.ID())
	s.Add("worker", func(w *World, _ float64) error {
		e, err := w.Spawn(pos.ID())
		if err != nil {
			return err
		}
		if w.Frame()%2 == 0 {
			_, err = w.Despawn(e)
		}
		return err
	})
	for range 40 {
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
	}
	if changed != 20 || removed != 19 { // the worker runs after it: its turn of frame 40 comes later
		t.Fatalf("%d changed and %d removed were seen in 39 turns of the worker", changed, removed)
	}
}

// Removals are kept for the systems that ask for them, and for no others, however long those wait for a turn.
func TestRemovalsAreKeptForThoseWhoAsk(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	s := NewSchedule(w)
	never := func(*World) (bool, error) { return false, nil }
	idle := func(*World, float64) error { return nil }
	for _, spec := range []SystemSpec{{Name: "waits", When: never}, {Name: "seldom", Every: 1 << 30}, {Name: "begins", Stage: Startup}, {Name: "off"}} {
		spec.Run = idle
		must[*System](t)(s.AddSystem(spec))
	}
	s.Find("begins").TrackRemoved(pos.ID())
	s.Find("off").TrackRemoved(pos.ID())
	s.Find("off").SetEnabled(false)
	seen := 0
	s.Add("asks", func(w *World, _ float64) error {
		seen += len(w.Removed(nil, pos.ID()))
		return nil
	})
	s.Add("churns", func(w *World, _ float64) error {
		e, err := w.Spawn(pos.ID())
		if err == nil {
			_, err = w.Despawn(e)
		}
		return err
	})
	run := func(frames int) int {
		for range frames {
			ok(t, s.Run(1))
		}
		return len(w.components[pos.ID()].lost.entries)
	}
	if n := run(100); n > 2 || seen < 98 {
		t.Fatalf("%d removals are kept after 100 frames, %d were seen", n, seen)
	}
	s.Find("waits").TrackRemoved(pos.ID())
	if n := run(50); n < 50 {
		t.Fatalf("%d removals are kept for a system that asks and has waited for 50 frames", n)
	}
	s.Find("waits").SetEnabled(false)
	if n := run(1); n > 2 {
		t.Fatalf("%d removals are kept for a system that is disabled", n)
	}
}

// A component that an entity inherits again once its own is removed is lost all the same.
func TestRemovedOfWhatIsInheritedAgain(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	base := must[Entity](t)(w.Spawn(pos.ID()))
	e := must[Entity](t)(w.SpawnRelated([]Target{{isA, base}}, pos.ID()))
	since := w.Tick()
	w.TrackRemoved(pos.ID())
	w.advanceTick()
	must[bool](t)(w.Remove(e, pos.ID()))
	if got := w.RemovedSince(nil, pos.ID(), since); !slices.Equal(got, []Entity{e}) || !w.Has(e, pos.ID()) {
		t.Errorf("lost: %v, inherits %v", got, w.Has(e, pos.ID()))
	}
}
