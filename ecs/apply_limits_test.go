package ecs

import (
	"errors"
	"strings"
	"testing"
)

// A queued tag or event beyond the limit is the error of Apply, as it is that of the call without a queue; what comes behind it is dropped.
func TestQueuedCommandsBeyondLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limit Options
		queue func(w *World, c *Commands, e Entity, i int) error
		has   func(w *World) int
		says  string
	}{
		"tags": {
			Options{MaxTags: 10},
			func(w *World, c *Commands, e Entity, _ int) error { c.Tag(e, 0); return nil },
			func(w *World) int { return len(w.TagMembers(0)) }, "10 tag entries",
		},
		"events": {
			Options{MaxEvents: 10},
			func(_ *World, c *Commands, _ Entity, i int) error {
				return c.Send(0, FieldValue{Index: 1, Value: Number(float64(i))})
			},
			func(w *World) int { return w.Peek(0).Len() }, "10 events",
		},
	} {
		for _, charge := range []func(int) error{nil, func(int) error { return nil }} {
			w := newWorld(c.limit)
			must[TagID](t)(w.DeclareTag("lit"))
			hits(t, w)
			commands := w.Commands()
			for i := range 20 {
				ok(t, c.queue(w, commands, must[Entity](t)(w.Spawn()), i))
			}
			err := commands.ApplyCharged(charge)
			var of *CommandError
			if !errors.Is(err, ErrLimit) || !errors.As(err, &of) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: got %v", name, err)
			}
			if n := c.has(w); n != 10 || commands.Len() != 0 {
				t.Errorf("%s: %d are there, %d commands are queued", name, n, commands.Len())
			}
			check(t, w)
		}
	}
}
