package ecs

import (
	"slices"
	"strings"
	"testing"
)

// A schedule that is changed between frames: systems stay themselves, new ones see what an added system sees, and
// those left out are gone with what they held.
func TestReschedule(t *testing.T) {
	w := newWorld(Options{Seed: 3})
	pos := MustRegister[position](w, "Pos")
	var ran []string
	spec := func(name string, after ...string) SystemSpec {
		return SystemSpec{Name: name, After: after, Run: func(w *World, _ float64) error {
			ran = append(ran, name)
			return nil
		}}
	}
	s := NewSchedule(w)
	for _, name := range []string{"a", "b", "c"} {
		if _, err := s.AddSystem(spec(name)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(want string) {
		t.Helper()
		ran = nil
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ran, ""); got != want {
			t.Errorf("ran %q, want %q", got, want)
		}
	}
	run("abc")
	b, c := s.Find("b"), s.Find("c")
	c.TrackRemoved(pos.ID())
	if err := s.Reschedule([]SystemSpec{spec("c"), spec("d"), spec("a", "b"), spec("b")}); err != nil {
		t.Fatal(err)
	}
	run("cdba")
	if s.Find("b") != b || b.Turns() != 2 || s.Find("d").Turns() != 1 {
		t.Errorf("b had %d turns", b.Turns())
	}
	if err := s.Reschedule([]SystemSpec{spec("d"), spec("b")}); err != nil {
		t.Fatal(err)
	}
	if s.Find("c") != nil || len(s.Systems()) != 2 || slices.Contains(w.component(pos.ID()).lost.systems, c) {
		t.Error("c is still there")
	}
	run("db")
	for want, list := range map[string][]SystemSpec{
		"a system needs a name":                                       {spec("d"), spec("")},
		`system "d" is there already`:                                 {spec("d"), spec("d")},
		`system "x" has no function`:                                  {{Name: "x"}},
		`system "b" is in stage update and cannot move to stage last`: {spec("d"), {Name: "b", Stage: Last, Run: spec("b").Run}},
		`system "d" runs after "e"`:                                   {spec("d", "e"), spec("b")},
		"run after each other: d after b after d":                     {spec("d", "b"), spec("b", "d")},
	} {
		if err := s.Reschedule(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		run("db")
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}

// A system that is left out keeps no events; one that is added sees as changed what an added system sees: nothing from before.
func TestRescheduledReadersAndWindows(t *testing.T) {
	w := newWorld(Options{Seed: 3})
	pos := MustRegister[position](w, "Pos").ID()
	hit, err := RegisterEvent[int64](w, "Hit")
	if err != nil {
		t.Fatal(err)
	}
	changed := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos}, Changed: []ComponentID{pos}}))
	seen := 0
	s := NewSchedule(w)
	reads := SystemSpec{Name: "reads", Run: func(*World, float64) error { hit.Read(); return nil }}
	looks := SystemSpec{Name: "looks", Run: func(*World, float64) error { seen = changed.Count(); return nil }}
	other := SystemSpec{Name: "other", Run: func(*World, float64) error { return nil }}
	ok(t, s.Reschedule([]SystemSpec{reads, other}))
	must[Entity](t)(w.Spawn(pos))
	hit.Send(1)
	ok(t, s.Run(1))
	ok(t, s.Reschedule([]SystemSpec{other, looks}))
	for range 3 {
		hit.Send(2)
		ok(t, s.Run(1))
		if seen != 0 {
			t.Errorf("a system that was added sees %d changes from before", seen)
		}
	}
	if n := len(w.events[hit.ID()].readers); n != 0 {
		t.Errorf("%d readers of a system that is gone are open", n)
	}
}
