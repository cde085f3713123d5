package ecs

import (
	"math/rand/v2"
	"testing"
)

// The short and the long way of a walk leave the same stamps, wherever the walk stops and whatever it hands out.
func TestBothWaysOfAWalkLeaveTheSame(t *testing.T) {
	for seed := range uint64(300) {
		var sides [2]*World
		for i := range sides {
			bw := newBenchWorld(t, 200, 3, 4, false)
			w := bw.w
			w.EndFrame()
			q := must[*Query3[Mut[benchA], benchB, Mut[benchC]]](t)(NewQuery3[Mut[benchA], benchB, Mut[benchC]](w))
			q.Start().End()
			short := must[*Query2[Mut[benchC], benchA]](t)(NewQuery2[Mut[benchC], benchA](w))
			short.Start().End()
			w.EndFrame()
			r := rand.New(rand.NewPCG(seed, 1))
			for range 6 {
				w.advanceTick()
				e := q.StartSince(0)
				if i == 1 {
					if e.End(); q.typed.own == nil || q.typed.own.open {
						t.Fatal("the short way is not free")
					}
					if e = q.Start(); e.walk != q.typed.own {
						t.Fatal("Start does not go the short way")
					}
				}
				stop := r.IntN(230)
				for n := 0; e.Ok(); n++ {
					a, b, c := e.Get()
					a.V.X += b.X
					c.V.Y++
					if n == stop {
						e.End()
						break
					}
					switch r.IntN(40) {
					case 0:
						e = e.NextRun()
					case 1:
						as, _, _ := e.Slices()
						as[len(as)-1].V.Y++
						e = e.Next()
					case 2:
						for x := short.Start(); x.Ok(); x = x.Next() { // another query inside, and the same one in it
							if y := q.Start(); r.IntN(3) == 0 {
								y.End()
								x.End()
								break
							} else if y.Ok() {
								y.End()
							}
						}
						e = e.Next()
					default:
						e = e.Next()
					}
				}
				if w.Locked() || len(w.walks) > 0 {
					t.Fatalf("seed %d: the walk stays open", seed)
				}
				if r.IntN(3) == 0 {
					_, _ = w.Despawn(bw.es[r.IntN(len(bw.es))])
				}
			}
			if err := w.Check(); err != nil {
				t.Fatal(err)
			}
			sides[i] = w
		}
		if sides[0].now != sides[1].now || sides[0].Digest() != sides[1].Digest() {
			t.Fatalf("seed %d: the two ways differ", seed)
		}
		for i, x := range sides[0].tables {
			for k := range x.columns {
				for row := range x.Len() {
					if a, b := x.columns[k].stampOf(row), sides[1].tables[i].columns[k].stampOf(row); a != b {
						t.Fatalf("seed %d, table %d, column %d, row %d: %v and %v", seed, i, k, row, a, b)
					}
				}
			}
		}
	}
}
