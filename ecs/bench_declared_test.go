package ecs

import (
	"fmt"
	"testing"
)

// What is declared and not used must cost nothing: each of these benchmarks has the same operation in a world that declares little beside one that declares much.

// manyComponents declares that many components and returns the last one, so that its id is the highest.
func manyComponents(w *World, n int) Component[benchA] {
	for i := range n - 1 {
		MustRegister[benchA](w, fmt.Sprint("Unused", i))
	}
	return MustRegister[benchA](w, "Used")
}

// A typed value that is queued and applied.
func BenchmarkDeclaredComponents(b *testing.B) {
	for _, types := range []int{1, 2000} {
		b.Run(fmt.Sprint(types, " components"), func(b *testing.B) {
			w := newWorld(Options{})
			c := manyComponents(w, types)
			e := must[Entity](b)(w.Spawn(c.ID()))
			q := w.Commands()
			c.QueueSet(q, e, benchA{1, 2})
			ok(b, q.Apply())
			b.ReportAllocs()
			for b.Loop() {
				c.QueueSet(q, e, benchA{1, 2})
				_ = q.Apply()
			}
		})
	}
}

// An entity with one tag is spawned, tagged and despawned; the tag is the last one, or each of them in turn.
func BenchmarkDeclaredTags(b *testing.B) {
	for _, tags := range []int{1, 1000} {
		for _, each := range []bool{false, true} {
			b.Run(fmt.Sprint(tags, " tags, each ", each), func(b *testing.B) {
				w := newWorld(Options{})
				ids := make([]TagID, tags)
				for i := range ids {
					ids[i] = must[TagID](b)(w.DeclareTag(fmt.Sprint("tag", i)))
				}
				for range 100_000 {
					_, _ = w.Spawn()
				}
				turn := 0
				b.ReportAllocs()
				for b.Loop() {
					e, _ := w.Spawn()
					if each {
						turn++
					}
					w.Tag(e, ids[(tags-1+turn)%tags])
					_, _ = w.Despawn(e)
				}
			})
		}
	}
}

// Relations down a chain: each entity becomes the child of the one before it.
func BenchmarkChain(b *testing.B) {
	const n = 20_000
	for _, down := range []bool{true, false} {
		b.Run(map[bool]string{true: "down", false: "up"}[down], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := newWorld(Options{})
				childOf := must[RelationID](b)(w.DeclareRelation(ChildOf))
				es := must[[]Entity](b)(must[*Bundle](b)(w.Bundle()).SpawnMany(n, nil))
				for i := range n - 1 {
					if !down {
						i = n - 2 - i
					}
					_, _ = w.Relate(es[i+1], childOf, es[i])
				}
			}
			perEntity(b, n)
		})
	}
}

// A query that matches many tables of which one has an entity, and the same query over that table alone.
func BenchmarkEmptyTables(b *testing.B) {
	for _, tables := range []int{1, 16384} {
		b.Run(fmt.Sprint(tables, " tables"), func(b *testing.B) {
			w := newWorld(Options{})
			a := MustRegister[benchA](w, "A")
			var bits []ComponentID
			for i := range 14 {
				bits = append(bits, must[ComponentID](b)(w.DeclareComponent(fmt.Sprint("B", i), must[*Schema](b)(SchemaOf[benchA]()))))
			}
			q := must[*Query1[benchA]](b)(NewQuery1[benchA](w))
			for i := range tables {
				ids := []ComponentID{a.ID()}
				for bit, id := range bits {
					if i>>bit&1 != 0 {
						ids = append(ids, id)
					}
				}
				e := must[Entity](b)(w.Spawn(ids...))
				if i != tables/2 {
					_, _ = w.Despawn(e)
				}
			}
			sum := 0.0
			b.ReportAllocs()
			for b.Loop() {
				for e := q.Start(); e.Ok(); e = e.Next() {
					sum += e.Get().X
				}
			}
		})
	}
}
