package ecs_test

import (
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Each change of a world changes the digests of its parts, and of the turn that makes it, and of no others.
func TestPartDigests(t *testing.T) {
	for what, c := range map[string]struct {
		change func(w *ecs.World)
		parts  []string
	}{
		"nothing": {func(*ecs.World) {}, nil},
		"a value": {func(w *ecs.World) {
			id, _ := w.LookupComponent("Position")
			_, _ = w.Set(livingByIndex(w)[1], id, ecs.FieldValue{Value: ecs.Number(7)})
		}, []string{"component Position"}},
		"a tag":      {func(w *ecs.World) { id, _ := w.LookupTag("lit"); w.Tag(livingByIndex(w)[0], id) }, []string{"tag lit"}},
		"a resource": {func(w *ecs.World) { id, _ := w.LookupResource("score"); _ = w.Resource(id).Set(0, ecs.Number(5)) }, []string{"resource score"}},
		"a state": {func(w *ecs.World) {
			_ = w.Commands().State(0, "over")
			_ = w.Commands().Apply()
		}, []string{"state game"}},
		"a cell": {func(w *ecs.World) { _ = w.LookupLayer("ground").Set(0, 2, ecs.Number(6)) }, []string{"layer ground"}},
		"a place": {func(w *ecs.World) {
			id, _ := w.LookupComponent("Note")
			for i := range 2 {
				_, _ = w.Add(livingByIndex(w)[i], id)
			}
		}, []string{"component Position", "component Note", "component Likes", "index notes"}},
		"a waiting event": {func(w *ecs.World) {
			id, _ := w.LookupEvent("Hit")
			_, _ = w.Commands().SendAfter(id, 1, "")
			_ = w.Commands().Apply()
		}, []string{"event Hit"}},
		"an event": {func(w *ecs.World) { id, _ := w.LookupEvent("Hit"); _ = w.Send(id) }, []string{"event Hit"}},
		"a number": {func(w *ecs.World) { w.Stream("drift").Float64() }, []string{"random drift"}},
		"an end":   {func(w *ecs.World) { _, _ = w.Despawn(livingByIndex(w)[3]) }, []string{"entities", "component Position"}},
		"a relation": {func(w *ecs.World) {
			id, _ := w.LookupRelation("Likes")
			_, _ = w.Relate(livingByIndex(w)[1], id, livingByIndex(w)[3])
		}, []string{"component Likes"}},
	} {
		a, b := twin(t)
		c.change(b)
		before, after := a.PartDigests(nil), b.PartDigests(nil)
		var changed []string
		for i := range after {
			if before[i] != after[i] {
				changed = append(changed, after[i].Part)
			}
		}
		if !slices.Equal(changed, c.parts) {
			t.Errorf("%s changes %v, want %v", what, changed, c.parts)
		}
		turn := func(change func(w *ecs.World)) uint64 {
			w, _ := twin(t)
			digests, out := w.NewTurnDigests(), uint64(0)
			s := ecs.NewSchedule(w)
			_, err := s.AddSystem(ecs.SystemSpec{Name: "drift", Run: func(w *ecs.World, _ float64) error { change(w); return nil }})
			check(t, err)
			s.Before = func(*ecs.System) { digests.Begin() }
			s.After = func(sys *ecs.System) { out = digests.End(sys, nil) }
			check(t, s.Run(1))
			return out
		}
		if same := turn(c.change) == turn(func(*ecs.World) {}); same != (c.parts == nil) {
			t.Errorf("%s: the turn has the digest of an empty one: %v", what, same)
		}
		if first := turn(c.change); turn(c.change) != first {
			t.Errorf("%s: the turn has two digests", what)
		}
	}
}
