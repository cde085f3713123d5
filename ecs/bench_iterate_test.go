package ecs

import (
	"fmt"
	"testing"
)

// The benchmarks stand beside their floor: the same work on plain Go slices, in the same run. Compare ratios, not nanoseconds.
//
//	go test ./ecs -run '^$' -bench Iterate

type (
	benchA struct{ X, Y float64 }
	benchB struct{ X, Y float64 }
	benchC struct{ X, Y float64 }
	benchD struct{ X, Y float64 }
	benchE struct{ X, Y float64 }
)

// perEntity reports the time of one entity (or operation) of n in each iteration.
func perEntity(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
}

// bench runs fn, which does n things, until the time is known.
func bench(b *testing.B, name string, n int, fn func()) {
	b.Run(name, func(b *testing.B) {
		fn() // warm: the steady state is measured
		b.ReportAllocs()
		for b.Loop() {
			fn()
		}
		perEntity(b, n)
	})
}

// filled returns a slice in memory that was written: what was not, would all be one page.
func filled[T ~struct{ X, Y float64 }](n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = T{1, 2}
	}
	return list
}

func moveSlices(p []benchA, v []benchB) {
	v = v[:len(p)]
	for i := range p {
		p[i].X += v[i].X
		p[i].Y += v[i].Y
	}
}

func moveFive(p []benchA, v []benchB, c []benchC, d []benchD, e []benchE) {
	v, c, d, e = v[:len(p)], c[:len(p)], d[:len(p)], e[:len(p)]
	for i := range p {
		p[i].X += v[i].X + c[i].X + d[i].X + e[i].X
		p[i].Y += v[i].Y + c[i].Y + d[i].Y + e[i].Y
	}
}

func moveFiveWritingTwo(p []benchA, v []benchB, c []benchC, d []benchD, e []benchE) {
	v, c, d, e = v[:len(p)], c[:len(p)], d[:len(p)], e[:len(p)]
	for i := range p {
		p[i].X += v[i].X + c[i].X + d[i].X
		p[i].Y += v[i].Y + c[i].Y + d[i].Y
		v[i].X += e[i].X
	}
}

// benchWorld has components of 16 bytes A to E, declared by Go types or at run time, and n entities with the first k of them. tables is
// the number of tables they are spread over, a power of two.
type benchWorld struct {
	w  *World
	a  Component[benchA]
	b  Component[benchB]
	c  Component[benchC]
	d  Component[benchD]
	e  Component[benchE]
	es []Entity
}

func newBenchWorld(tb testing.TB, n, k, tables int, runtime bool) *benchWorld {
	w := newWorld(Options{})
	if runtime {
		for _, name := range []string{"A", "B", "C", "D", "E"} {
			s := must[*Schema](tb)(NewSchema(Field{Name: "x", Type: F64}, Field{Name: "y", Type: F64}))
			must[ComponentID](tb)(w.DeclareComponent(name, s))
		}
	}
	bw := &benchWorld{
		w: w, a: MustRegister[benchA](w, "A"), b: MustRegister[benchB](w, "B"), c: MustRegister[benchC](w, "C"),
		d: MustRegister[benchD](w, "D"), e: MustRegister[benchE](w, "E"),
	}
	ids := []ComponentID{bw.a.ID(), bw.b.ID(), bw.c.ID(), bw.d.ID(), bw.e.ID()}[:k]
	empty := must[*Schema](tb)(NewSchema())
	var marks []ComponentID
	for i := 1; i < tables; i *= 2 {
		marks = append(marks, must[ComponentID](tb)(w.DeclareComponent(fmt.Sprint("Mark", i), empty)))
	}
	for i := range tables {
		set := ids
		for bit, mark := range marks {
			if i>>bit&1 == 1 {
				set = append(set[:len(set):len(set)], mark)
			}
		}
		rows := n / tables
		if i < n%tables {
			rows++
		}
		bundle := must[*Bundle](tb)(w.Bundle(set...))
		bw.es = append(bw.es, must[[]Entity](tb)(bundle.SpawnMany(rows, nil))...)
	}
	for table := range must[*Query](tb)(w.Query(Filter{Required: ids})).Tables {
		for i := range bw.b.Slice(table) {
			bw.b.Slice(table)[i] = benchB{1, 2}
		}
	}
	return bw
}

func (bw *benchWorld) query(tb testing.TB, ids ...ComponentID) *Query {
	return must[*Query](tb)(bw.w.Query(Filter{Required: ids}))
}

func (bw *benchWorld) moving(tb testing.TB) *Query2[Mut[benchA], benchB] {
	return must[*Query2[Mut[benchA], benchB]](tb)(NewQuery2[Mut[benchA], benchB](bw.w))
}

// moveColumns is moveSlices over the runs of a walk. A Read is in memory what it reads.
func (bw *benchWorld) moveColumns(q *Query2[Mut[benchA], benchB]) {
	for e := q.Start(); e.Ok(); e = e.NextRun() {
		p, v := e.Slices()
		v = v[:len(p)]
		for i := range p {
			p[i].V.X += v[i].X
			p[i].V.Y += v[i].Y
		}
	}
}

func (bw *benchWorld) moveTyped(q *Query2[Mut[benchA], benchB]) {
	for e := q.Start(); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.V.X += v.X
		p.V.Y += v.Y
	}
}

func (bw *benchWorld) moveFiveTyped(q *Query5[Mut[benchA], Mut[benchB], benchC, benchD, benchE]) {
	for x := q.Start(); x.Ok(); x = x.Next() {
		p, v, c, d, e := x.Get()
		p.V.X += v.V.X + c.X + d.X
		p.V.Y += v.V.Y + c.Y + d.Y
		v.V.X += e.X
	}
}

func BenchmarkIterate2(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		p, v := filled[benchA](n), filled[benchB](n)
		bench(b, fmt.Sprintf("entities=%d/floor", n), n, func() { moveSlices(p, v) })
		for _, declared := range []string{"go", "runtime"} {
			bw := newBenchWorld(b, n, 2, 1, declared == "runtime")
			typed := bw.moving(b)
			bench(b, fmt.Sprintf("entities=%d/columns/declared=%s", n, declared), n, func() { bw.moveColumns(typed) })
			if declared == "go" {
				bench(b, fmt.Sprintf("entities=%d/typed", n), n, func() { bw.moveTyped(typed) })
			}
		}
	}
}

func BenchmarkIterate5(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		p, v, c, d, e := filled[benchA](n), filled[benchB](n), filled[benchC](n), filled[benchD](n), filled[benchE](n)
		bench(b, fmt.Sprintf("entities=%d/floor", n), n, func() { moveFive(p, v, c, d, e) })
		bench(b, fmt.Sprintf("entities=%d/floor,_two_written", n), n, func() { moveFiveWritingTwo(p, v, c, d, e) })
		for _, declared := range []string{"go", "runtime"} {
			bw := newBenchWorld(b, n, 5, 1, declared == "runtime")
			q := bw.query(b, bw.a.ID(), bw.b.ID(), bw.c.ID(), bw.d.ID(), bw.e.ID())
			bench(b, fmt.Sprintf("entities=%d/columns/declared=%s", n, declared), n, func() {
				for t := range q.Tables {
					moveFive(bw.a.Slice(t), bw.b.Slice(t), bw.c.Slice(t), bw.d.Slice(t), bw.e.Slice(t))
					bw.a.Column(t).StampAll()
				}
			})
			if declared == "go" {
				typed := must[*Query5[Mut[benchA], Mut[benchB], benchC, benchD, benchE]](b)(
					NewQuery5[Mut[benchA], Mut[benchB], benchC, benchD, benchE](bw.w))
				bench(b, fmt.Sprintf("entities=%d/typed,_two_written", n), n, func() { bw.moveFiveTyped(typed) })
			}
		}
	}
}

func BenchmarkFragmented(b *testing.B) {
	for _, size := range []struct{ tables, n int }{{32, 1_000}, {32, 100_000}, {1024, 10_000}, {1024, 100_000}} {
		p, v := filled[benchA](size.n), filled[benchB](size.n)
		bw := newBenchWorld(b, size.n, 2, size.tables, false)
		name := fmt.Sprintf("tables=%d/entities=%d/", size.tables, size.n)
		bench(b, name+"floor", size.n, func() { moveSlices(p, v) })
		typed := bw.moving(b)
		bench(b, name+"columns", size.n, func() { bw.moveColumns(typed) })
		bench(b, name+"typed", size.n, func() { bw.moveTyped(typed) })
	}
}

// A query over one entity costs its start; each further table with one entity adds a table's cost.
func BenchmarkQueryStart(b *testing.B) {
	for _, tables := range []int{1, 32, 1024} {
		bw := newBenchWorld(b, tables, 2, tables, false)
		q, typed := bw.query(b, bw.a.ID(), bw.b.ID()), bw.moving(b)
		bench(b, fmt.Sprintf("tables=%d/columns", tables), tables, func() {
			for t := range q.Tables {
				p, v := bw.a.Slice(t), bw.b.Slice(t)
				p[0].X += v[0].X
			}
		})
		bench(b, fmt.Sprintf("tables=%d/typed", tables), tables, func() {
			for e := typed.Start(); e.Ok(); e = e.Next() {
				p, v := e.Get()
				p.V.X += v.X
			}
		})
	}
}

func BenchmarkChangedQuery(b *testing.B) {
	const n = 100_000
	bw := newBenchWorld(b, n, 2, 1, false)
	q := must[*Query](b)(bw.w.Query(Filter{Required: []ComponentID{bw.a.ID()}, Changed: []ComponentID{bw.a.ID()}}))
	count := func(since Tick) (found int) {
		c := q.beginSince(since)
		for c.Next() {
			found++
		}
		return found
	}
	since := bw.w.Tick()
	bw.w.advanceTick()
	bench(b, "written=0/entities=100000", n, func() {
		if count(since) != 0 {
			b.Fatal("something changed")
		}
	})
	for i := 0; i < n; i += 100 {
		bw.a.Write(bw.es[i])
	}
	bench(b, "written=1%/entities=100000", n, func() {
		if count(since) != n/100 {
			b.Fatal("not one in a hundred changed")
		}
	})
	many := newBenchWorld(b, 1024, 2, 1024, false)
	mq := must[*Query](b)(many.w.Query(Filter{Required: []ComponentID{many.a.ID()}, Changed: []ComponentID{many.a.ID()}}))
	since = many.w.Tick()
	many.w.advanceTick()
	bench(b, "written=0/tables=1024", 1024, func() {
		c := mq.beginSince(since)
		for c.Next() {
			b.Fatal("something changed")
		}
	})
}
