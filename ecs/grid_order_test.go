package ecs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"
)

// nearest is what Near must visit, in its order: cells from low to high y, then x, and storage order within a cell. Cells are twice as wide as long as there are
// more than four for each point, and 64.
func nearest(points []gridPoint, cell, x, y, radius float64) (list []Entity) {
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		minX, maxX, minY, maxY = min(minX, p.x), max(maxX, p.x), min(minY, p.y), max(maxY, p.y)
	}
	for (math.Floor((maxX-minX)/cell)+1)*(math.Floor((maxY-minY)/cell)+1) > float64(4*len(points)+64) {
		cell *= 2
	}
	sorted := slices.Clone(points)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		if ay, by := math.Floor((a.y-minY)/cell), math.Floor((b.y-minY)/cell); ay != by {
			return ay < by
		}
		return math.Floor((a.x-minX)/cell) < math.Floor((b.x-minX)/cell)
	})
	for _, p := range sorted {
		if (p.x-x)*(p.x-x)+(p.y-y)*(p.y-y) <= radius*radius {
			list = append(list, p.entity)
		}
	}
	return list
}

func TestTheOrderOfTheNear(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 200} {
		for _, spread := range []float64{0, 3, 20, 64, 1000, 1e5} {
			w := newWorld(Options{Seed: uint64(n)})
			pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
			g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 2}))
			r := w.Random()
			for i := range n {
				b := pos.With(w.Build(), position{math.Floor(r.Float64()*spread) - 7, math.Floor(r.Float64()*spread) / 2}) // on the borders of cells, too
				if i%3 == 0 {
					b.With(vel.ID())
				}
				must[Entity](t)(b.Spawn())
			}
			must[Entity](t)(w.Spawn(vel.ID()))
			var points []gridPoint
			for e := range w.Entities {
				if p := pos.Get(e); p != nil {
					points = append(points, gridPoint{x: p.X, y: p.Y, entity: e})
				}
			}
			for _, radius := range []float64{0, 1, 2, spread / 4, spread * 3} {
				for _, p := range []gridPoint{points[0], points[n/2], points[n-1], {x: -100, y: -100}, {x: spread, y: spread}, {x: 1e9, y: 0}} {
					var got []Entity
					g.Near(p.x, p.y, radius, func(e Entity, _ float64) bool { got = append(got, e); return true })
					if want := nearest(points, 2, p.x, p.y, radius); !slices.Equal(got, want) {
						t.Fatalf("%d points within %v, radius %v at (%v, %v): %v, want %v", n, spread, radius, p.x, p.y, got, want)
					}
					first := 0
					g.Near(p.x, p.y, radius, func(Entity, float64) bool { first++; return false })
					if first != min(1, len(got)) {
						t.Fatalf("%d are visited after a false", first)
					}
				}
			}
			raw := Raw.Grid(g)
			if raw.Cols*raw.Rows > 4*n+64 || raw.N != n || n > 1 && raw.Cell > 2 && raw.Cols*raw.Rows*9 < 4*n+64 {
				t.Errorf("%d points within %v: %d cells", n, spread, raw.Cols*raw.Rows)
			}
			check(t, w)
		}
	}
}

// When a grid takes a new snapshot: at every use between systems and before the first frame, and at the first use of a frame in systems, unless somebody
// walks the last one.
func TestWhenAGridTakesItsPicture(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 1}))
	must[Entity](t)(w.Spawn(pos.ID()))
	use := func(what string, wants ...uint64) {
		t.Helper()
		for i, want := range wants {
			if got := Raw.Grid(g).Taken; got != want {
				t.Errorf("%s, use %d: snapshot %d, want %d", what, i, got, want)
			}
		}
	}
	use("between systems", 1, 2, 3)
	s := NewSchedule(w)
	must[*System](t)(s.AddSystem(SystemSpec{Name: "startup", Stage: Startup, Run: func(*World, float64) error { use("startup", 4, 5); return nil }}))
	next := []uint64{}
	s.Add("a", func(*World, float64) error { use("first system", next...); return nil })
	s.Add("b", func(*World, float64) error {
		use("second system", next...)
		g.Near(0, 0, 1, func(Entity, float64) bool { use("within a walk", next...); return true })
		return nil
	})
	ok(t, s.RunStartup())
	next = []uint64{6, 6}
	ok(t, s.Run(1))
	next = []uint64{7, 7}
	ok(t, s.Run(1))
	use("after the frame", 8)
	g.Near(0, 0, 1, func(Entity, float64) bool { use("within a walk between systems", 9, 9); return true })
	use("after the walk", 10)
	sys := s.Find("a")
	inside := func(wants ...uint64) {
		t.Helper()
		ok(t, s.Call(sys, func(*World, float64) error { use("a system in the same frame", wants...); return nil }))
	}
	inside(11, 11) // the last snapshot is not one of systems
	inside(11)
	use("between them", 12)
	inside(13, 13)
	next = []uint64{14}
	ok(t, s.Run(1))
	w.BeginFrame(1)
	inside(15, 15)
	w.EndFrame()
}

// Workers answer from a snapshot that was taken in the same frame, by the same system or, between systems, in the same tick.
func TestWhichPictureAWorkerMayUse(t *testing.T) {
	type step func(t *testing.T, w *World, g *Grid)
	take := func(t *testing.T, w *World, g *Grid) { Raw.Grid(g) }
	frame := func(t *testing.T, w *World, g *Grid) { w.BeginFrame(1) }
	tick := func(t *testing.T, w *World, g *Grid) { w.advanceTick() }
	call := func(steps ...step) step {
		return func(t *testing.T, w *World, g *Grid) {
			s := NewSchedule(w)
			sys := must[*System](t)(s.AddSystem(SystemSpec{Name: "a", Run: func(*World, float64) error { return nil }}))
			ok(t, s.Call(sys, func(*World, float64) error {
				for _, do := range steps {
					do(t, w, g)
				}
				return nil
			}))
		}
	}
	may := func(want bool) step {
		return func(t *testing.T, w *World, g *Grid) {
			t.Helper()
			near := 0
			q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{0}}))
			text := said(func() {
				_ = q.Parallel(nil, 0, func(*Part) { g.Near(0, 0, 1, func(Entity, float64) bool { near++; return true }) })
			})
			if want && (text != "" || near != 3) || !want && text != noSnapshot {
				t.Errorf("%d near, %q; it may: %v", near, text, want)
			}
		}
	}
	for i, steps := range [][]step{
		{may(false)},
		{take, may(true), may(true)},
		{take, tick, may(false)},
		{frame, take, may(true)},
		{take, frame, may(false)},
		{frame, call(may(false))},
		{frame, call(take, may(true), tick, may(true))},
		{frame, call(take), call(may(true))},
		{frame, take, call(may(false))},
		{frame, call(take), may(false)},
		{frame, call(take), frame, call(may(false))},
		{frame, call(take), call(may(true)), take, may(true), call(may(false))},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w := newWorld(Options{})
			pos := MustRegister[position](w, "Position")
			g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 1}))
			must[int](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnRows(3, nil))
			for _, do := range steps {
				do(t, w, g)
			}
		})
	}
}

// A grid without room for its snapshot says so, and nobody is near, also those of an older snapshot; when there is room again, there is a snapshot.
func TestAGridWithoutRoom(t *testing.T) {
	const size = uint64(PointSize)
	for _, room := range []uint64{0, 36*size - 1, 36 * size, 36*(size+4) - 1, 36 * (size + 4), 2*36*size + 36*4} { // points, cells, and points again
		b := newBounded(t, 0)
		must[int](t)(b.pair.SpawnRows(10, nil))
		count := func() (n int) {
			b.grid.Near(0, 0, 1, func(Entity, float64) bool { n++; return true })
			return n
		}
		if n := count(); n != 10 {
			t.Fatalf("%d are near", n)
		}
		must[int](t)(b.pair.SpawnRows(90, nil))
		held := b.Bytes()
		b.options.MaxBytes = held + b.structure + room
		err := b.grid.Ready()
		if !errors.Is(err, ErrBytes) || count() != 0 || Raw.Grid(b.grid).N != 0 || Raw.Grid(b.grid).Cols != 0 || Raw.Grid(b.grid).Rows != 0 {
			t.Errorf("room for %d: %v, %d are near", room, err, count())
		}
		check(t, b.World)
		b.options.MaxBytes = 0
		if n := count(); n != 100 {
			t.Errorf("with room again %d are near", n)
		}
		check(t, b.World)
	}
}
