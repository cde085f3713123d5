package ecs

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// equalPages reports whether both have the same pages with the same values.
func equalPages[T comparable](a, b *slotPages[T]) bool {
	return slices.EqualFunc(a.pages, b.pages, func(x, y *slotPage[T]) bool { return (x == a.none) == (y == b.none) && *x == *y })
}

// seldom is a world of a million entities in which each of some tags and relations has one member, somewhere else.
func seldom(t testing.TB, tags, relations int) (w *World, grown int64) {
	const n = 1_000_000
	w = newWorld(Options{})
	must[int](t)(must[*Bundle](t)(w.Bundle()).SpawnRows(n, nil))
	es := slices.Clone(w.tables[0].entities)
	for i := range relations { // the rows of tables are not what is measured
		id := must[RelationID](t)(w.DeclareRelation(fmt.Sprint("R", i)))
		_ = must[*Table](t)(w.tables[0].with([]ComponentID{id}))
	}
	before := w.Bytes()
	for i := range tags {
		must[bool](t)(w.TryTag(es[(i*7919*131)%n], must[TagID](t)(w.DeclareTag(fmt.Sprint("T", i)))))
	}
	for i := range relations {
		id := must[RelationID](t)(w.DeclareRelation(fmt.Sprint("R", i)))
		must[bool](t)(w.Relate(es[(i*7919*131)%n], id, es[n-1-i*991]))
	}
	return w, int64(w.Bytes() - before)
}

// What few entities have takes memory for these, not for all entities.
func TestSeldomTagsAndRelationsTakeLittleMemory(t *testing.T) {
	for _, c := range []struct{ tags, relations int }{{200, 0}, {0, 50}} {
		w, grown := seldom(t, c.tags, c.relations)
		if grown > 16<<20 {
			t.Errorf("%d tags and %d relations with one member each take %d bytes", c.tags, c.relations, grown)
		}
		check(t, w)
	}
}

func BenchmarkSeldom(b *testing.B) {
	for _, c := range []struct{ tags, relations int }{{0, 0}, {200, 0}, {0, 50}} {
		b.Run(fmt.Sprint(c.tags, " tags, ", c.relations, " relations"), func(b *testing.B) {
			heap := func() int64 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return int64(m.HeapAlloc)
			}
			var w *World
			var grown int64
			before := heap()
			b.ReportAllocs()
			for b.Loop() {
				w, grown = seldom(b, c.tags, c.relations)
			}
			b.ReportMetric(float64(heap()-before)/1e6, "MB")
			b.ReportMetric(float64(grown)/1e6, "MB/seldom")
			runtime.KeepAlive(w)
		})
	}
}
