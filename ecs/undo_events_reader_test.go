package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// A failed turn puts back the readers that the program has opened, whichever way they have moved, and whether an event is sent before or after.
func TestReadersOfTheProgramAreTakenBack(t *testing.T) {
	moves := map[string]func(r *EventReader){
		"Next": func(r *EventReader) { r.Next() }, "Read": func(r *EventReader) { r.Read() }, "Skip": func(r *EventReader) { r.Skip(1) }, "Next twice": func(r *EventReader) { r.Next(); r.Next() },
	}
	for name, move := range moves {
		for _, sends := range []string{"never", "before", "after", "between"} {
			w := newWorld(Options{})
			hit := hits(t, w)
			reader := w.EventReader(hit.ID())
			hit.Send(hitEvent{})
			hit.Send(hitEvent{})
			s := NewSchedule(w)
			s.RollBack = true
			no := errors.New("no")
			s.Add("fails", func(*World, float64) error {
				if sends == "before" {
					hit.Send(hitEvent{})
				}
				move(reader)
				if sends == "between" {
					hit.Send(hitEvent{})
					reader.Read()
				}
				if sends == "after" {
					hit.Send(hitEvent{})
				}
				return no
			})
			if err := s.Run(1); !errors.Is(err, no) {
				t.Fatal(err)
			}
			if reader.Len() != 2 {
				t.Errorf("%s, sent %s: %d events are unread, not 2", name, sends, reader.Len())
			}
		}
	}
}

// A failed turn in which a slow reader meets the end of a full log, after events were taken from its middle, leaves the log as it was.
func TestALogWithEventsForSlowReadersIsTakenBack(t *testing.T) {
	u := newUndone(t)
	said := must[Event[saidEvent]](t)(RegisterEvent[saidEvent](u.World, "Said"))
	l, slow := u.events[said.ID()], u.EventReader(said.ID())
	for i := range 16 {
		said.Send(saidEvent{fmt.Sprint("said ", i)})
		if i == 9 {
			u.EndFrame()
			u.EndFrame()
		}
	}
	if l.end != l.full {
		t.Fatalf("the log has room for %d more", l.full-l.end)
	}
	u.copied()
	for range 2 {
		u.fails(func() {
			u.Take(said.ID(), 3)
			if n := slow.Unread().Len(); n != 13 || l.front() != 3 {
				t.Errorf("%d events are unread, %d rows are in front", n, l.front())
			}
		})
		ok(t, noGhostEvents(l))
		for i, e := range said.Peek() {
			if e.Text != fmt.Sprint("said ", 10+i) {
				t.Errorf("event %d is %q", i, e.Text)
			}
		}
	}
}
