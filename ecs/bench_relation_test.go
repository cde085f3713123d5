package ecs

import (
	"fmt"
	"math"
	"runtime"
	"testing"
)

func BenchmarkRelation(b *testing.B) {
	const children, parents = 10_000, 100
	w := newWorld(Options{})
	a := MustRegister[benchA](w, "A")
	owned := must[RelationID](b)(w.DeclareRelation("OwnedBy"))
	spawn := func(n int, ids ...ComponentID) []Entity {
		return append([]Entity(nil), must[[]Entity](b)(must[*Bundle](b)(w.Bundle(ids...)).SpawnMany(n, nil))...)
	}
	ps, cs := spawn(parents), spawn(children, a.ID())
	turn := 0
	retarget := func() {
		turn++
		for i, e := range cs {
			_, _ = w.Relate(e, owned, ps[(i+turn)%parents])
		}
	}
	bench(b, "re-target", children, retarget)
	var list []Entity
	bench(b, "sources", children, func() {
		for _, p := range ps {
			list = w.Sources(list[:0], owned, p)
		}
	})
	q := must[*Query](b)(w.Query(Filter{Required: []ComponentID{a.ID()}}))
	sum := 0.0
	bench(b, "narrowed query", children, func() {
		for _, p := range ps {
			c, _ := q.beginTarget(owned, p)
			for c.Next() {
				sum += a.at(&c).X
			}
		}
	})
	typed := must[*Query1[benchA]](b)(NewQuery1[benchA](w))
	for i, e := range cs {
		_, _ = w.Relate(e, owned, ps[i%parents])
	}
	bench(b, "children made in turns", children, func() { sink = sumOfSources(typed, owned, ps) })
	for i, e := range cs {
		_, _ = w.Unrelate(e, owned)
		_, _ = w.Relate(e, owned, ps[i*parents/children])
	}
	bench(b, "children made parent by parent", children, func() { sink = sumOfSources(typed, owned, ps) })
	for i, e := range cs {
		_, _ = w.Relate(e, owned, ps[i%parents])
	}
	if err := w.SortByTarget(owned); err != nil {
		b.Fatal(err)
	}
	bench(b, "children made in turns and sorted", children, func() { sink = sumOfSources(typed, owned, ps) })
	lists := make([][]benchA, parents)
	for i := range lists {
		lists[i] = filled[benchA](children / parents)
	}
	bench(b, "children/floor", children, func() {
		sum := 0.0
		for _, list := range lists {
			for i := range list {
				sum += list[i].X
			}
		}
		sink = sum
	})
	bench(b, "unrelate and relate", children, func() {
		for _, e := range cs {
			_, _ = w.Unrelate(e, owned)
			_, _ = w.Relate(e, owned, ps[0])
		}
	})
}

func sumOfSources(q *Query1[benchA], id RelationID, targets []Entity) (sum float64) {
	for _, target := range targets {
		e, _ := q.StartTarget(id, target)
		for ; e.Ok(); e = e.Next() {
			sum += e.Get().X
		}
	}
	return sum
}

// A parent with one child each must stay small.
func BenchmarkRelationParents(b *testing.B) {
	const n = 200_000
	var w *World
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for b.Loop() {
		w = newWorld(Options{})
		childOf := must[RelationID](b)(w.DeclareRelation(ChildOf))
		for range n {
			p, _ := w.Spawn()
			_, _ = w.SpawnRelated([]Target{{childOf, p}})
		}
	}
	perEntity(b, n)
	b.ReportMetric(float64(heap()-before)/n, "B/parent")
	runtime.KeepAlive(w)
}

func heavy(p []benchA) {
	for i := range p {
		x := p[i].X
		for range 32 {
			x = math.Sqrt(x*x + 1)
		}
		p[i].X = x
	}
}

func BenchmarkParallel(b *testing.B) {
	const n = 100_000
	plain := make([]benchA, n)
	bench(b, "floor", n, func() { heavy(plain) })
	bw := newBenchWorld(b, n, 2, 1, false)
	q := bw.query(b, bw.a.ID())
	for _, workers := range []int{1, 2} {
		pool := NewPool(workers)
		work := func(p *Part) {
			heavy(bw.a.PartSlice(p))
			bw.a.StampPart(p)
		}
		bench(b, fmt.Sprintf("workers=%d", workers), n, func() { _ = q.Parallel(pool, 0, work) })
		pool.Close()
	}
}
