package ecs

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// benchPaused is for work that must be undone between iterations: undo runs with the clock stopped.
func benchPaused(b *testing.B, name string, n int, undo, fn func()) {
	b.Run(name, func(b *testing.B) {
		fn() // warm
		undo()
		b.ReportAllocs()
		for b.Loop() {
			fn()
			b.StopTimer()
			undo()
			b.StartTimer()
		}
		perEntity(b, n)
	})
}

func BenchmarkSpawn(b *testing.B) {
	const n = 10_000
	bw := newBenchWorld(b, 0, 2, 1, false)
	w := bw.w
	bundle := must[*Bundle](b)(w.Bundle(bw.a.ID(), bw.b.ID()))
	all := bw.query(b, bw.a.ID())
	undo := func() { must[int](b)(all.DespawnAll()) }
	var as []benchA
	var bs []benchB
	bench(b, "floor", n, func() {
		as, bs = as[:0], bs[:0]
		for i := range n {
			as, bs = append(as, benchA{float64(i), 1}), append(bs, benchB{2, 3})
		}
	})
	typed := must[*Spawner2[benchA, benchB]](b)(NewSpawner2[benchA, benchB](w))
	benchPaused(b, "typed", n, undo, func() {
		for i := range n {
			_, _ = typed.Spawn(benchA{float64(i), 1}, benchB{2, 3})
		}
	})
	manyA, manyB, list := filled[benchA](n), filled[benchB](n), make([]Entity, 0, n)
	benchPaused(b, "typed batch", n, undo, func() { list, _ = typed.SpawnMany(list[:0], manyA, manyB) })
	benchPaused(b, "bundle and values", n, undo, func() {
		for i := range n {
			e, _ := bundle.Spawn()
			*bw.a.Get(e), *bw.b.Get(e) = benchA{float64(i), 1}, benchB{2, 3}
		}
	})
	benchPaused(b, "bundle at defaults", n, undo, func() {
		for range n {
			_, _ = bundle.Spawn()
		}
	})
	benchPaused(b, "world and values", n, undo, func() {
		ids := []ComponentID{bw.a.ID(), bw.b.ID()}
		for i := range n {
			e, _ := w.Spawn(ids...)
			*bw.a.Get(e), *bw.b.Get(e) = benchA{float64(i), 1}, benchB{2, 3}
		}
	})
	builder := w.Build()
	benchPaused(b, "builder and values", n, undo, func() {
		for i := range n {
			_, _ = bw.b.With(bw.a.With(builder, benchA{float64(i), 1}), benchB{2, 3}).Spawn()
		}
	})
	benchPaused(b, "batch and values", n, undo, func() {
		_, _ = bundle.SpawnRows(n, func(t *Table, from, to int) {
			p, v := bw.a.Slice(t), bw.b.Slice(t)
			for i := from; i < to; i++ {
				p[i], v[i] = benchA{float64(i), 1}, benchB{2, 3}
			}
		})
	})
	benchPaused(b, "batch at defaults", n, undo, func() { _, _ = bundle.SpawnRows(n, nil) })
	benchPaused(b, "batch at defaults and a list of them", n, undo, func() { _, _ = bundle.SpawnMany(n, nil) })
}

func BenchmarkDespawn(b *testing.B) {
	const n = 10_000
	for _, before := range []string{"plain", "after a whole-column write", "tagged"} {
		bw := newBenchWorld(b, 0, 2, 1, false)
		w := bw.w
		bundle := must[*Bundle](b)(w.Bundle(bw.a.ID(), bw.b.ID()))
		all := bw.query(b, bw.a.ID())
		tag := must[TagID](b)(w.DeclareTag("selected"))
		var es, order []Entity
		renew := func() {
			w.advanceTick()
			es = append(es[:0], must[[]Entity](b)(bundle.SpawnMany(n, nil))...)
			order = shuffled(es)
			switch before {
			case "after a whole-column write":
				w.advanceTick()
				bw.a.Column(w.tables[1]).StampAll()
			case "tagged":
				for _, e := range es {
					w.Tag(e, tag)
				}
			}
		}
		for _, way := range []struct {
			name string
			fn   func()
		}{
			{"random", func() {
				for _, e := range order {
					_, _ = w.Despawn(e)
				}
			}},
			{"in order", func() {
				for _, e := range es {
					_, _ = w.Despawn(e)
				}
			}},
			{"list", func() { _, _ = w.DespawnMany(order) }},
			{"query", func() { _, _ = all.DespawnAll() }},
		} {
			renew()
			benchPaused(b, before+"/"+way.name, n, renew, way.fn)
			must[int](b)(all.DespawnAll())
		}
	}
}

func BenchmarkAddRemove(b *testing.B) {
	const n = 1000
	for _, carried := range []int{1, 5} {
		bw := newBenchWorld(b, n, carried, 1, false)
		w := bw.w
		extra := letters(b, w, "Extra")
		bundle := must[*Bundle](b)(w.Bundle(extra...))
		q := bw.query(b, bw.a.ID())
		name := fmt.Sprintf("carried=%d/", carried)
		bench(b, name+"world", n, func() {
			for _, e := range bw.es {
				_, _ = w.Add(e, extra...)
				_, _ = w.Remove(e, extra...)
			}
		})
		bench(b, name+"world, all there and all back", n, func() {
			for _, e := range bw.es {
				_, _ = w.Add(e, extra...)
			}
			for _, e := range bw.es {
				_, _ = w.Remove(e, extra...)
			}
		})
		bench(b, name+"bundle", n, func() {
			for _, e := range bw.es {
				_, _ = bundle.Add(e)
				_, _ = bundle.Remove(e)
			}
		})
		bench(b, name+"bundle, all there and all back", n, func() {
			for _, e := range bw.es {
				_, _ = bundle.Add(e)
			}
			for _, e := range bw.es {
				_, _ = bundle.Remove(e)
			}
		})
		bench(b, name+"after a whole-column write", n, func() {
			w.advanceTick()
			bw.a.Column(w.tables[1]).StampAll()
			for _, e := range bw.es {
				_, _ = bundle.Add(e)
			}
			for _, e := range bw.es {
				_, _ = bundle.Remove(e)
			}
		})
		bench(b, name+"query at once", n, func() {
			_, _ = bundle.AddAll(q, nil)
			_, _ = bundle.RemoveAll(q)
		})
		queue := w.Commands()
		bench(b, name+"commands", n, func() {
			for _, e := range bw.es {
				_ = queue.Add(e, extra...)
			}
			_ = queue.Apply()
			for _, e := range bw.es {
				_ = queue.Remove(e, extra...)
			}
			_ = queue.Apply()
		})
	}
}

// The first entity of a new archetype must not cost more when many archetypes are there already.
func BenchmarkNewArchetype(b *testing.B) {
	for _, present := range []int{256, 16_384, -16_384} {
		name, collect := fmt.Sprintf("present=%d", present), present > 0
		if !collect {
			present = -present
			name = fmt.Sprintf("present=%d, no collection", present)
		}
		b.Run(name, func(b *testing.B) {
			if !collect {
				defer debug.SetGCPercent(debug.SetGCPercent(-1))
			}
			const fresh = 1024
			var w *World
			var marks []ComponentID
			set := func(i int) []ComponentID {
				var ids []ComponentID
				for bit, id := range marks {
					if i>>bit&1 == 1 {
						ids = append(ids, id)
					}
				}
				return ids
			}
			sets := make([][]ComponentID, fresh)
			renew := func() {
				bw := newBenchWorld(b, 0, 2, 1, false)
				w, marks = bw.w, nil
				empty := must[*Schema](b)(NewSchema())
				for i := range 16 {
					marks = append(marks, must[ComponentID](b)(w.DeclareComponent(fmt.Sprint("Mark", i), empty)))
				}
				for i := range 8 {
					bw.query(b, bw.a.ID(), marks[i])
				}
				for i := range present {
					must[Entity](b)(w.Spawn(set(i)...))
				}
				for i := range sets {
					sets[i] = set(present + i)
				}
				runtime.GC()
			}
			renew()
			for b.Loop() {
				for _, ids := range sets {
					_, _ = w.Spawn(ids...)
				}
				b.StopTimer()
				renew()
				b.StartTimer()
			}
			perEntity(b, fresh)
		})
	}
}

// BenchmarkHeap reports the bytes of heap per entity of 32 payload bytes: a million entities in reserved memory, stamps and slots included.
func BenchmarkHeap(b *testing.B) {
	const n = 1_000_000
	bytes := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, grown := range []bool{false, true} {
		b.Run(map[bool]string{false: "reserved", true: "grown"}[grown], func(b *testing.B) {
			var worlds []*World
			before := bytes()
			for b.Loop() {
				bw := newBenchWorld(b, 0, 2, 1, false)
				if grown {
					s := must[*Spawner2[benchA, benchB]](b)(NewSpawner2[benchA, benchB](bw.w))
					for range n {
						_, _ = s.Spawn(benchA{}, benchB{})
					}
				} else {
					ok(b, bw.w.Reserve(n, bw.a.ID(), bw.b.ID()))
					must[[]Entity](b)(must[*Bundle](b)(bw.w.Bundle(bw.a.ID(), bw.b.ID())).SpawnMany(n, nil))
				}
				worlds = append(worlds[:0], bw.w)
			}
			b.ReportMetric(float64(bytes()-before)/n, "B/entity")
			runtime.KeepAlive(worlds)
		})
	}
}

// The slowest of the spawns while a world grows to two million entities is one at which columns double. The floor is the
// slowest append to slices of the same bytes. Each is the least of the slowest ones of all turns, in processor time.
func BenchmarkSlowestSpawn(b *testing.B) {
	const n = 2_000_000
	slowest := func(b *testing.B, begin func() func(i int)) {
		least := math.Inf(1)
		for b.Loop() {
			runtime.GC()
			worst, spawn, start := 0.0, begin(), cpuSeconds()
			for i := range n {
				spawn(i)
				end := cpuSeconds()
				worst, start = max(worst, end-start), end
			}
			least = min(least, worst)
		}
		b.ReportMetric(least*1000, "ms/worst")
	}
	b.Run("typed", func(b *testing.B) {
		slowest(b, func() func(int) {
			bw := newBenchWorld(b, 0, 2, 1, false)
			s := must[*Spawner2[benchA, benchB]](b)(NewSpawner2[benchA, benchB](bw.w))
			return func(int) { _, _ = s.Spawn(benchA{}, benchB{}) }
		})
	})
	b.Run("floor", func(b *testing.B) {
		slowest(b, func() func(int) {
			var as []benchA
			var bs []benchB
			var es []Entity
			var slots []slot
			return func(i int) {
				as, bs, es, slots = append(as, benchA{}), append(bs, benchB{}), append(es, Entity(i)), append(slots, slot{row: uint32(i)})
			}
		})
	})
}

// A change of one component at a table that knows many kinds of changes: the first of them and the last.
func BenchmarkKindsOfChange(b *testing.B) {
	const n, kinds, used = 1000, 40, 8
	for _, from := range []int{0, kinds - used} {
		bw := newBenchWorld(b, n, 1, 1, false)
		w := bw.w
		var ids []ComponentID
		for i := range kinds {
			ids = append(ids, must[ComponentID](b)(w.DeclareComponent(fmt.Sprint("Kind", i), must[*Schema](b)(SchemaOf[benchB]()))))
		}
		for i, e := range bw.es {
			must[bool](b)(w.Add(e, ids[i%kinds]))
			must[bool](b)(w.Remove(e, ids[i%kinds]))
		}
		bench(b, map[int]string{0: "first"}[from]+map[bool]string{true: "last"}[from > 0], n, func() {
			for i, e := range bw.es {
				_, _ = w.Add(e, ids[from+i%used])
			}
			for i, e := range bw.es {
				_, _ = w.Remove(e, ids[from+i%used])
			}
		})
	}
}
