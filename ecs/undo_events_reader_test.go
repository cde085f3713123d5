package ecs

import (
	"errors"
	"testing"
)

// A failed turn puts back the readers that the program has opened, whichever way they have moved, and whether an event is sent before or after.
func TestReadersOfTheProgramAreTakenBack(t *testing.T) {
	moves := map[string]func(r *EventReader){
		"Next": func(r *EventReader) { r.Next() }, "Read": func(r *EventReader) { r.Read() }, "Skip": func(r *EventReader) { r.Skip(1) }, "Next twice": func(r *EventReader) { r.Next(); r.Next() },
	}
	for name, move := range moves {
		for _, sends := range []string{"never", "before", "after", "between"} {
			w := NewWorld(Options{})
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
