package ecs

import (
	"errors"
	"testing"
)

// TestCopyGoesTheSameWay copies a world in the middle of a run and runs both on.
func TestCopyGoesTheSameWay(t *testing.T) {
	run := func(w *World, frames int) {
		pos := MustRegister[position](w, "Position")
		ev, err := RegisterEvent[velocity](w, "Gust")
		if err != nil {
			t.Fatal(err)
		}
		tag, err := w.DeclareTag("tag")
		if err != nil {
			t.Fatal(err)
		}
		q, err := w.Query(Filter{Required: []ComponentID{pos.ID()}})
		if err != nil {
			t.Fatal(err)
		}
		for range frames {
			w.BeginFrame(0.1)
			r := w.Stream("wind")
			for e, c := range q.each {
				pos.mutAt(c).X += r.Float64()
				if r.Between(1, 10) == 1 {
					w.Commands().Despawn(e)
				}
				if r.Between(1, 5) == 1 {
					w.Tag(e, tag)
				}
			}
			ev.Send(velocity{r.Float64(), 0})
			if err := w.Commands().Apply(); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Spawn(pos.ID()); err != nil {
				t.Fatal(err)
			}
			w.EndFrame()
		}
	}
	w, _, _ := bulkWorld(t, true, true)
	run(w, 5)
	pos, _ := w.LookupComponent("Position")
	w.TrackRemoved(pos)
	queued, err := w.Commands().Spawn(pos)
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.Copy()
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range []*World{w, c} {
		if err := x.Check(); err != nil {
			t.Fatalf("world %d: %v", i, err)
		}
	}
	if w.Digest() != c.Digest() || stamps(w) != stamps(c) || w.Frame() != c.Frame() || w.Time() != c.Time() || w.Tick() != c.Tick() {
		t.Fatal("the copy differs")
	}
	if c.Commands().Len() != 1 || c.Alive(queued) {
		t.Error("the queued spawn was not copied")
	}
	before := w.Digest()
	run(c, 20)
	if w.Digest() != before {
		t.Error("running the copy changed the original")
	}
	run(w, 20)
	if w.Digest() != c.Digest() || stamps(w) != stamps(c) {
		t.Error("the copy went another way")
	}
	s := c.Stats()
	if s.Entities != c.Len() || s.Retired != 0 || s.Tables != len(c.Tables()) || s.TagEntries == 0 || s.Events == 0 {
		t.Errorf("stats: %+v", s)
	}
}

func TestCopyIsRefusedInsideALoop(t *testing.T) {
	w, q, _ := bulkWorld(t, false, false)
	c := q.begin()
	if _, err := w.Copy(); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	c.End()
}

func TestReleaseGivesBackEmptyTables(t *testing.T) {
	w, q, _ := bulkWorld(t, false, false)
	full := w.Bytes()
	if n, err := w.Release(); err != nil || n != 0 {
		t.Errorf("released %d bytes of tables in use, %v", n, err)
	}
	if _, err := q.DespawnAll(); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Release(); err != nil || n != full || w.Bytes() != 0 {
		t.Errorf("released %d of %d bytes, %v", n, full, err)
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}

// A caller with a frame loop of its own must not grow the removal log for ever.
func TestRemovalsAreForgottenWithoutASchedule(t *testing.T) {
	w, _, ids := bulkWorld(t, false, false)
	w.TrackRemoved(ids[0])
	for range 100 {
		w.BeginFrame(1)
		e, err := w.Spawn(ids[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Despawn(e); err != nil {
			t.Fatal(err)
		}
		if got := w.Removed(nil, ids[0]); len(got) != 1 {
			t.Fatalf("%d removed in this frame", len(got))
		}
		w.EndFrame()
	}
	if n := len(w.components[ids[0]].lost.entries); n > 2 {
		t.Errorf("%d removals are kept", n)
	}
}
