package ecs

import (
	"slices"
	"strings"
	"testing"
)

// A schedule that is changed between frames: systems stay themselves, new ones see what an added system sees, and
// those left out are gone with what they held.
func TestReschedule(t *testing.T) {
	w := NewWorld(Options{Seed: 3})
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
