package ecs

import (
	"math"
	"slices"
	"testing"
)

// sides is a world of points with few values, many of them in long runs; some carry nothing, some a NaN. step is the distance between
// points: with 1 they lie on a lattice, so that many are equally far away.
func sides(t *testing.T, n int, step float64) (*World, *Grid, Component[position], Component[fighter]) {
	t.Helper()
	w := newWorld(Options{Seed: 4})
	pos, fighters := MustRegister[position](w, "Position"), MustRegister[fighter](w, "Fighter")
	g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 3, Carry: Carried{Component: fighters.ID(), Field: "mood"}}))
	r := w.Random()
	for range n {
		at := position{math.Floor(r.Float64()*40) * step, math.Floor(r.Float64()*40) * step}
		b := pos.With(w.Build(), at)
		mood := float32(0)
		switch roll := r.Float64(); {
		case roll < 0.1:
			must[Entity](t)(b.Spawn())
			continue
		case roll < 0.12:
			mood = float32(math.NaN())
		case at.X > 25*step || roll < 0.15:
			mood = 1
		}
		must[Entity](t)(fighters.With(b, fighter{Mood: mood}).Spawn())
	}
	return w, g, pos, fighters
}

// A search with a condition finds what a search without one finds, less the others, in the same order.
func TestASearchLeavesOutRunsOnly(t *testing.T) {
	for _, n := range []int{0, 1, 2, 70, 3000} {
		w, g, _, fighters := sides(t, n, 1)
		r := w.Random()
		for range 60 {
			x, y, radius, v := r.Float64()*50-5, r.Float64()*50-5, r.Float64()*15, math.Floor(r.Float64()*3)
			var only, except, wantOnly, wantExcept []Entity
			for s := g.Search(x, y, radius); s.Next(); {
				switch f := fighters.Get(s.Entity()); {
				case f == nil || f.Mood != f.Mood:
				case float64(f.Mood) == v:
					wantOnly = append(wantOnly, s.Entity())
				default:
					wantExcept = append(wantExcept, s.Entity())
				}
			}
			for s := g.Search(x, y, radius).Only(v); s.Next(); {
				only = append(only, s.Entity())
			}
			for s := g.Search(x, y, radius).Except(v); s.Next(); {
				except = append(except, s.Entity())
			}
			if !slices.Equal(only, wantOnly) || !slices.Equal(except, wantExcept) {
				t.Fatalf("%d points, %v within %v of %v, %v: only %v, want %v; except %v, want %v", n, v, radius, x, y, only, wantOnly, except, wantExcept)
			}
		}
	}
}

// A search that is narrowed with each nearer entity finds the first of the nearest ones, at every scale.
func TestANarrowedSearchLeavesOutFarCellsOnly(t *testing.T) {
	for _, step := range []float64{1, 0.1, 1e-3, 1e9, 1e-160} {
		w, g, _, _ := sides(t, 2000, step)
		r := w.Random()
		for i := range 200 {
			x, y, radius := (r.Float64()*50-5)*step, (r.Float64()*50-5)*step, r.Float64()*20*step
			if i%2 == 0 {
				x, y = math.Floor(r.Float64()*40)*step, math.Floor(r.Float64()*40)*step
			}
			for _, kind := range []searchKind{searchAll, searchOnly, searchExcept} {
				nearest := func(narrow bool) (best float64, e Entity) {
					best = math.Inf(1)
					s := g.Search(x, y, radius)
					s.kind, s.value = kind, 1
					for s.Next() {
						if d2 := s.D2(); d2 < best {
							best, e = d2, s.Entity()
							if narrow {
								s.Narrow(best)
							}
						}
					}
					return best, e
				}
				d2, e := nearest(false)
				if narrowed, same := nearest(true); narrowed != d2 || same != e {
					t.Fatalf("step %v, kind %d, %v, %v within %v: %v at %v, want %v at %v", step, kind, x, y, radius, same, narrowed, e, d2)
				}
			}
		}
	}
}

func TestASearchNarrowedToNothing(t *testing.T) {
	_, g, _, _ := sides(t, 500, 1)
	for _, to := range []float64{-1, math.Inf(-1), 0} {
		n := 0
		for s := g.Search(20, 20, 15); s.Next(); n++ {
			s.Narrow(to)
		}
		if n == 0 || n > 64 {
			t.Errorf("narrowed to %v: %d found", to, n)
		}
	}
}
