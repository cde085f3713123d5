package ecs

import (
	"errors"
	"testing"
)

// The limit of events counts all kinds together, exactly, also when the room of one log is not used any more.
func TestLimitOfEvents(t *testing.T) {
	w := NewWorld(Options{MaxEvents: 100})
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

// The limit of tags counts the entries of all tags together, exactly.
func TestLimitOfTags(t *testing.T) {
	w := NewWorld(Options{MaxTags: 100})
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
