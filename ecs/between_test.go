package ecs

import (
	"errors"
	"testing"
)

// A turn between frames is seen by every system once, has its own tick, random stream and readers, and leaves nothing behind if it fails.
func TestTurnsBetweenFrames(t *testing.T) {
	w := NewWorld(Options{Seed: 1})
	at := MustRegister[struct{ X float64 }](w, "At")
	ping, err := RegisterEvent[struct{ N int64 }](w, "Ping")
	mustNot(t, err)
	q, err := w.Query(Filter{Required: []ComponentID{at.ID()}, Changed: []ComponentID{at.ID()}})
	mustNot(t, err)
	changed, turns := 0, 0
	s := NewSchedule(w).Add("look", func(w *World, dt float64) error {
		changed = q.Count()
		return nil
	})
	s.Before = func(sys *System) {
		if sys.Name() == "hand" {
			turns++
		}
	}
	e := Must(w.Spawn(at.ID()))
	frame := func(want int) {
		t.Helper()
		mustNot(t, s.Run(1))
		if changed != want {
			t.Errorf("%d changed, want %d", changed, want)
		}
	}
	frame(1)
	frame(0)
	mustNot(t, s.Between("hand", func(w *World, _ float64) error {
		_, err := at.Set(e, struct{ X float64 }{3})
		w.Commands().Tag(e, Must(w.DeclareTag("t")))
		return err
	}))
	if id, _ := w.LookupTag("t"); !w.Tagged(e, id) {
		t.Error("commands are not applied")
	}
	frame(1)
	frame(0)

	before := w.Digest()
	no := errors.New("no")
	if err := s.Between("hand", func(w *World, _ float64) error {
		_, _ = at.Set(e, struct{ X float64 }{4})
		w.Random().Float64()
		ping.Send(struct{ N int64 }{1})
		w.Drain(ping.ID())
		w.Commands().Despawn(e)
		return no
	}); !errors.Is(err, no) || w.Digest() != before || turns != 2 {
		t.Errorf("%v, %d turns", err, turns)
	}
	frame(0)
	func() {
		defer func() { _ = recover() }()
		_ = s.Between("hand", func(*World, float64) error { _, _ = at.Set(e, struct{ X float64 }{5}); panic("no") })
	}()
	if w.Digest() != before {
		t.Error("a panic leaves something behind")
	}
	mustNot(t, s.Between("hand", func(w *World, _ float64) error { w.Random().Float64(); return nil }))
	if w.Digest() == before {
		t.Error("its random stream is no state")
	}
	if err := s.Between("", nil); err == nil {
		t.Error("a turn without a name")
	}
	mustNot(t, w.Check())
	frame(0)
}
