package ecs

import (
	"fmt"
	"testing"
)

// BenchmarkColumnsAgainstStructs moves entities of 128 bytes that lie in one slice of structs, and in the columns of a world. A loop that reads 32 of these bytes
// pays for all of them in a slice of structs as soon as the slice is larger than the cache.
func BenchmarkColumnsAgainstStructs(b *testing.B) {
	type rest struct{ Values [12]float64 }
	type whole struct {
		pos position
		vel velocity
		_   rest
	}
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("structs/%d", n), func(b *testing.B) {
			list := make([]whole, n)
			b.ReportAllocs()
			for b.Loop() {
				for i := range list {
					e := &list[i]
					e.pos.X += e.vel.DX * 0.1
					e.pos.Y += e.vel.DY * 0.1
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entity")
		})
		b.Run(fmt.Sprintf("columns/%d", n), func(b *testing.B) {
			w := newWorld(Options{})
			pos, vel, other := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity"), MustRegister[rest](w, "Rest")
			bundle, err := w.Bundle(pos.ID(), vel.ID(), other.ID())
			if err == nil {
				_, err = bundle.SpawnMany(n, nil)
			}
			if err != nil {
				b.Fatal(err)
			}
			q, err := w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				for t := range q.Tables {
					p, v := pos.Slice(t), vel.Slice(t)
					for i := range p {
						p[i].X += v[i].DX * 0.1
						p[i].Y += v[i].DY * 0.1
					}
					pos.Column(t).StampAll()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entity")
		})
	}
}
