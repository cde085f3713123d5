package ecs

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestGridFindsExactlyTheNear(t *testing.T) {
	for _, spread := range []float64{0, 1, 30, 1e6, 1e150} {
		w := newWorld(Options{Seed: 5})
		pos := MustRegister[position](w, "Position")
		ids := letters(t, w, "Other")
		g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}))
		g.Near(0, 0, 10, func(Entity, float64) bool { t.Fatal("somebody is near in an empty world"); return false })
		r := w.Random()
		for i := range 300 {
			b := pos.With(w.Build(), position{(r.Float64() - 0.5) * spread, (r.Float64() - 0.5) * spread})
			if i%3 == 0 {
				b.With(ids...)
			}
			must[Entity](t)(b.Spawn())
		}
		for _, p := range []position{{math.NaN(), 0}, {math.Inf(1), 0}, {0, math.Inf(-1)}} {
			must[Entity](t)(pos.With(w.Build(), p).Spawn())
		}
		all := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
		for _, radius := range []float64{0, 1, 7, spread, math.Inf(1), -1, math.NaN()} {
			for range 20 {
				x, y := (r.Float64()-0.5)*spread*1.2, (r.Float64()-0.5)*spread*1.2
				var got, want []Entity
				g.Near(x, y, radius, func(e Entity, d2 float64) bool {
					p := pos.Get(e)
					if dx, dy := p.X-x, p.Y-y; dx*dx+dy*dy != d2 {
						t.Fatalf("%s is at %v, said to be %v", e, dx*dx+dy*dy, d2)
					}
					got = append(got, e)
					return true
				})
				for e, c := range all.each {
					p := pos.at(c)
					dx, dy := p.X-x, p.Y-y
					if d2 := dx*dx + dy*dy; radius >= 0 && d2 <= radius*radius && p.X-p.X == 0 && p.Y-p.Y == 0 {
						want = append(want, e)
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("spread %g, radius %g: %d near, not %d", spread, radius, len(got), len(want))
				}
			}
		}
	}
}

func TestGridIsThePictureOfAFrame(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}))
	count := func() int {
		n := 0
		g.Near(0, 0, 1, func(Entity, float64) bool { n++; return true })
		return n
	}
	a, b := must[Entity](t)(w.Spawn(pos.ID())), must[Entity](t)(w.Spawn(pos.ID()))
	var counts []int
	s := NewSchedule(w).Add("look", func(w *World, _ float64) error {
		counts = append(counts, count())
		pos.Write(a).X = 100 // not in this frame's snapshot
		counts = append(counts, count())
		_, err := w.Despawn(b) // the dead are left out at once
		counts = append(counts, count())
		return err
	})
	run(t, s, 2)
	if !slices.Equal(counts, []int{2, 2, 1, 0, 0, 0}) {
		t.Fatalf("%v", counts)
	}
	pos.Write(a).X = 0
	if count() != 1 { // outside systems: always now
		t.Fatal("the snapshot is old")
	}
}

func TestGridMistakes(t *testing.T) {
	w := newWorld(Options{})
	pos, label := MustRegister[position](w, "Position"), MustRegister[modelLabel](w, "Label")
	spec := GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}
	g := must[*Grid](t)(w.DeclareGrid(spec))
	if again := must[*Grid](t)(w.DeclareGrid(spec)); again != g || w.LookupGrid("near") != g || w.LookupGrid("x") != nil {
		t.Fatal("two grids of one name")
	}
	other := spec
	other.Cell = 5
	if _, err := w.DeclareGrid(other); !errors.Is(err, ErrMismatch) {
		t.Errorf("another cell: %v", err)
	}
	for _, s := range []GridSpec{
		{Name: "a", Component: pos.ID(), X: "x", Y: "z", Cell: 1},
		{Name: "b", Component: label.ID(), X: "text", Y: "n", Cell: 1},
		{Name: "c", Component: 99, X: "x", Y: "y", Cell: 1},
		{Name: "d", Component: pos.ID(), X: "x", Y: "y", Cell: -1},
		{Name: "e", Component: pos.ID(), X: "x", Y: "y", Cell: math.NaN()},
		{Name: "f", Component: pos.ID(), X: "x", Y: "y", Cell: math.Inf(1)},
	} {
		if _, err := w.DeclareGrid(s); err == nil {
			t.Errorf("%+v is no error", s)
		}
	}
}
