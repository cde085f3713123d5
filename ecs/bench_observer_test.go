package ecs

import (
	"testing"
	"time"
)

// BenchmarkObserversElsewhere compares operations in a world without observers with the same in a world that has
// observers of all kinds, of another component, tag and relation. The ratio is that of the second to the first.
func BenchmarkObserversElsewhere(b *testing.B) {
	const n = 1000
	type side struct {
		w    *World
		pos  Component[position]
		vel  ComponentID
		tag  TagID
		list []Entity

		spawner *Spawner2[position, velocity]
	}
	for _, op := range []struct {
		name string
		run  func(s *side)
	}{
		{"set", func(s *side) {
			for _, e := range s.list {
				_, _ = s.pos.Set(e, position{1, 2})
			}
		}},
		{"set by ref", func(s *side) {
			for _, e := range s.list {
				_ = s.w.Ref(e, s.pos.ID()).SetNumber(0, 3)
			}
		}},
		{"tag and untag", func(s *side) {
			for _, e := range s.list {
				s.w.Tag(e, s.tag)
			}
			for _, e := range s.list {
				s.w.Untag(e, s.tag)
			}
		}},
		{"add and remove", func(s *side) {
			for _, e := range s.list {
				_, _ = s.w.Add(e, s.vel)
			}
			for _, e := range s.list {
				_, _ = s.w.Remove(e, s.vel)
			}
		}},
		{"spawn and despawn", func(s *side) {
			for i := range s.list {
				s.list[i], _ = s.w.Spawn(s.pos.ID(), s.vel)
			}
			for _, e := range s.list {
				_, _ = s.w.Despawn(e)
			}
		}},
		{"spawner and despawn", func(s *side) {
			for i := range s.list {
				s.list[i], _ = s.spawner.Spawn(position{1, 2}, velocity{3, 4})
			}
			for _, e := range s.list {
				_, _ = s.w.Despawn(e)
			}
		}},
		{"commands", func(s *side) {
			q := s.w.Commands()
			for range s.list {
				e, _ := q.Spawn(s.pos.ID())
				q.Tag(e, s.tag)
				q.Despawn(e)
			}
			_ = q.Apply()
		}},
	} {
		b.Run(op.name, func(b *testing.B) {
			var sides [2]*side
			for i := range sides {
				w := newWorld(Options{})
				s := &side{w: w, pos: MustRegister[position](w, "Position"), list: make([]Entity, n)}
				s.vel, s.tag = MustRegister[velocity](w, "Velocity").ID(), must[TagID](b)(w.DeclareTag("x"))
				s.spawner = must[*Spawner2[position, velocity]](b)(NewSpawner2[position, velocity](w))
				other, likes := must[ComponentID](b)(w.DeclareComponent("Other", must[*Schema](b)(SchemaOf[position]()))), must[RelationID](b)(w.DeclareRelation("Likes"))
				must[TagID](b)(w.DeclareTag("y"))
				if i == 1 {
					for kind := range OnSpawned {
						name := map[string]string{"component": "Other", "tag": "y", "relation": "Likes"}[kind.Subject()]
						must[*Observer](b)(w.Observe(ObserverSpec{Kind: kind, Name: name, Run: func(*World, Change) error { return nil }}))
					}
				}
				for i := range s.list {
					s.list[i] = must[Entity](b)(w.Spawn(s.pos.ID()))
				}
				_, _ = other, likes
				sides[i] = s
			}
			if op.name == "spawn and despawn" {
				for _, s := range sides {
					must[int](b)(s.w.DespawnMany(s.list))
				}
			}
			best := [2]time.Duration{time.Hour, time.Hour}
			for b.Loop() {
				for i, s := range sides {
					from := time.Now()
					op.run(s)
					best[i] = min(best[i], time.Since(from))
				}
			}
			b.ReportMetric(float64(best[0].Nanoseconds())/n, "ns/entity")
			b.ReportMetric(float64(best[1])/float64(best[0]), "ratio")
		})
	}
}
