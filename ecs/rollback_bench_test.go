package ecs

import (
	"fmt"
	"testing"
)

// BenchmarkRollBack compares turns that write every row of 100,000 with and without [Schedule].RollBack: by whole columns, one entity at a time, and in a
// system with some work per row.
func BenchmarkRollBack(b *testing.B) {
	const n = 100_000
	for _, on := range []bool{false, true} {
		w := NewWorld(Options{})
		pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
		bundle, err := w.Bundle(pos.ID(), vel.ID())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := bundle.SpawnMany(n, nil); err != nil {
			b.Fatal(err)
		}
		q, err := w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}})
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name string
			run  SystemFunc
		}{
			{"columns", func(w *World, dt float64) error {
				for t := range q.Tables {
					p, v := pos.Slice(t), vel.Slice(t)
					for i := range p {
						p[i].X += v[i].DX * dt
						p[i].Y += v[i].DY * dt
					}
					pos.Column(t).StampAll()
				}
				return nil
			}},
			{"one in a hundred", func(w *World, dt float64) error {
				for t := range q.Tables {
					for i, e := range t.Entities() {
						if i%100 == 0 {
							pos.Mut(e).X += dt
						}
					}
				}
				return nil
			}},
			{"nothing", func(w *World, dt float64) error { return nil }},
		} {
			s := NewSchedule(w)
			s.RollBack = on
			s.Add(c.name, c.run)
			b.Run(fmt.Sprintf("%s/rollback=%v", c.name, on), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := s.Run(0.1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
