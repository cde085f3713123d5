package ecs

import (
	"bytes"
	"errors"
	"testing"
)

// The limit of events counts all kinds together, exactly, also when the room of one log is not used any more.
func TestLimitOfEvents(t *testing.T) {
	w := newWorld(Options{MaxEvents: 100})
	schema := must[*Schema](t)(NewSchema(Field{Name: "n", Type: F64}))
	a, b := must[EventID](t)(w.DeclareEvent("A", schema)), must[EventID](t)(w.DeclareEvent("B", schema))
	sent := 0
	for w.Send([]EventID{a, b}[sent%2]) == nil {
		sent++
	}
	if sent != 100 {
		t.Fatalf("%d events were sent, want 100", sent)
	}
	err := w.Send(b)
	if !errors.Is(err, ErrLimit) || !errors.Is(err, ErrEvents) || errors.Is(err, ErrBytes) {
		t.Fatalf("the error is %v", err)
	}
	if want := "send B: limit reached: 100 events"; err.Error() != want {
		t.Fatalf("the error is %q, want %q", err, want)
	}
	w.Drain(a) // in the same tick: its 50 places are free for the other kind
	for sent = 0; w.Send(b) == nil; sent++ {
	}
	if sent != 50 {
		t.Fatalf("%d events found room after 50 were drained", sent)
	}
	w.SetLimits(Options{MaxEvents: 20})
	w.EndFrame()
	w.EndFrame()
	for sent = 0; w.Send(a) == nil; sent++ {
	}
	if sent != 20 {
		t.Fatalf("%d events found room under a new limit of 20", sent)
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
}

// Events that were drained do not count, whether older ones are kept for a slow reader, whether it has looked at them since, and in whichever world.
func TestLimitOfEventsWithoutDrainedOnes(t *testing.T) {
	schema := must[*Schema](t)(NewSchema(Field{Name: "n", Type: F64}))
	for _, c := range []struct {
		name string
		then func(w *World, slow *EventReader) *World
	}{
		{"as it is", func(w *World, slow *EventReader) *World { return w }},
		{"looked at", func(w *World, slow *EventReader) *World { slow.Unread(); return w }},
		{"copied", func(w *World, slow *EventReader) *World { return must[*World](t)(w.Copy()) }},
		{"loaded", func(w *World, slow *EventReader) *World {
			return must[*World](t)(Load(bytes.NewReader(saved(t, w)), Options{}))
		}},
	} {
		w := newWorld(Options{MaxEvents: 100})
		a, b := must[EventID](t)(w.DeclareEvent("A", schema)), must[EventID](t)(w.DeclareEvent("B", schema))
		slow := w.EventReader(a)
		send := func(id EventID, n int) {
			for range n {
				ok(t, w.Send(id))
			}
		}
		send(a, 10)
		w.EndFrame()
		w.EndFrame() // the ten are kept for the reader
		send(a, 60)
		w.Take(a, 50)
		w = c.then(w, slow)
		left := Raw.EventsLeft(w)
		send(b, 40)
		send(a, 40)
		if err := w.Send(a); left != 80 || !errors.Is(err, ErrEvents) {
			t.Errorf("%s: %d left, and after 80 more: %v", c.name, left, err)
		}
		if n := w.Stats().Events; n != 100 {
			t.Errorf("%s: %d events", c.name, n)
		}
		w.EndFrame()
		if n := w.eventCapacity(); n > 100 {
			t.Errorf("%s: room for %d events", c.name, n)
		}
		check(t, w)
	}
}

// The limit of tags counts the entries of all tags together, exactly.
func TestLimitOfTags(t *testing.T) {
	w := newWorld(Options{MaxTags: 100})
	a, b := must[TagID](t)(w.DeclareTag("A")), must[TagID](t)(w.DeclareTag("B"))
	var all []Entity
	for range 200 {
		all = append(all, must[Entity](t)(w.Spawn()))
	}
	set := 0
	for i, e := range all {
		if ok, err := w.TryTag(e, []TagID{a, b}[i%2]); !ok {
			if !errors.Is(err, ErrLimit) || errors.Is(err, ErrBytes) || i != 100 {
				t.Fatalf("entity %d: %v", i, err)
			}
			break
		}
		set++
	}
	if _, err := w.TryTag(all[150], a); !errors.Is(err, ErrTags) || err.Error() != "tag A 150v1: limit reached: 100 tag entries" {
		t.Fatalf("the error is %v", err)
	}
	if w.Tag(all[150], a) || w.Tagged(all[150], a) {
		t.Fatal("a tag that found no room is set")
	}
	for _, e := range all[:100] { // the places of A are free for B
		w.Untag(e, a)
	}
	for set = 0; w.Tag(all[100+set], b); set++ {
	}
	if set != 50 {
		t.Fatalf("%d entries found room after 50 were removed", set)
	}
	w.SetLimits(Options{MaxTags: 10})
	if w.Tag(all[199], a) || !w.Tagged(all[1], b) {
		t.Fatal("a lower limit takes tags away, or lets one in")
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
}
