package ecs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

type fighter struct {
	Side  uint8
	Brave bool
	Mood  float32
	Lord  Entity
	Big   int64
}

// arms is a world with points in two tables, some with a fighter and some tagged.
func arms(t *testing.T, carry func(fighter ComponentID) Carried) (w *World, g *Grid, pos Component[position], fighters Component[fighter]) {
	t.Helper()
	w = newWorld(Options{Seed: 9})
	MustRegister[velocity](w, "Velocity")
	pos, fighters = MustRegister[position](w, "Position"), MustRegister[fighter](w, "Fighter")
	burning := must[TagID](t)(w.DeclareTag("burning"))
	g = must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 3, Carry: carry(fighters.ID())}))
	r := w.Random()
	for i := range 400 {
		at := position{r.Float64() * 30, r.Float64() * 30}
		if i%9 == 0 {
			at.X = math.NaN() // not in the grid: rows and points differ
		}
		b := pos.With(w.Build(), at)
		if i%3 > 0 {
			mood := float32(i)
			if i%10 == 0 {
				mood = math.Float32frombits(0x7fc00123)
			}
			b = fighters.With(b, fighter{Side: uint8(i % 2), Brave: i%5 == 0, Mood: mood, Lord: Entity(i)})
		}
		e := must[Entity](t)(b.Spawn())
		if i%4 == 0 {
			w.Tag(e, burning)
		}
	}
	return w, g, pos, fighters
}

func TestASearchIsANear(t *testing.T) {
	w, g, pos, _ := arms(t, func(ComponentID) Carried { return Carried{} })
	type found struct {
		e  Entity
		d2 float64
	}
	near := func(x, y, radius float64) (list []found) {
		g.Near(x, y, radius, func(e Entity, d2 float64) bool { list = append(list, found{e, d2}); return true })
		return list
	}
	for _, radius := range []float64{0, 0.5, 3, 11, 100, math.Inf(1), -1, math.NaN()} {
		for _, at := range []position{{0, 0}, {15, 15}, {30, 2}, {-50, 7}, {math.NaN(), 3}} {
			var got []found
			for s := g.Search(at.X, at.Y, radius); s.Next(); {
				if _, ok := s.Carried(); ok {
					t.Fatal("a grid that carries nothing carries something")
				}
				got = append(got, found{s.Entity(), s.D2()})
			}
			if want := near(at.X, at.Y, radius); !slices.Equal(got, want) {
				t.Fatalf("radius %v at %v: %d found, %d near", radius, at, len(got), len(want))
			}
			for _, f := range got {
				p := pos.Get(f.e)
				if dx, dy := p.X-at.X, p.Y-at.Y; f.d2 != dx*dx+dy*dy {
					t.Fatalf("the squared distance of %v is %v", f.e, f.d2)
				}
			}
		}
	}
	check(t, w)
}

func TestWhatAGridCarries(t *testing.T) {
	for name, c := range map[string]struct {
		carry func(ComponentID) Carried
		want  func(w *World, e Entity, f *fighter) (float64, bool)
	}{
		"u8": {
			func(id ComponentID) Carried { return Carried{Component: id, Field: "side"} },
			func(_ *World, _ Entity, f *fighter) (float64, bool) { return float64(f.Side), true },
		},
		"bool": {
			func(id ComponentID) Carried { return Carried{Component: id, Field: "brave"} },
			func(_ *World, _ Entity, f *fighter) (float64, bool) {
				if f.Brave {
					return 1, true
				}
				return 0, true
			},
		},
		"f32 with NaN": {
			func(id ComponentID) Carried { return Carried{Component: id, Field: "mood"} },
			func(_ *World, _ Entity, f *fighter) (float64, bool) { return float64(f.Mood), true },
		},
		"entity": {
			func(id ComponentID) Carried { return Carried{Component: id, Field: "lord"} },
			func(_ *World, _ Entity, f *fighter) (float64, bool) { return float64(f.Lord), true },
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, g, _, fighters := arms(t, c.carry)
			n, without := 0, 0
			for s := g.Search(15, 15, 12); s.Next(); n++ {
				f := fighters.Get(s.Entity())
				got, ok := s.Carried()
				if f == nil {
					if without++; ok {
						t.Fatalf("%v has no fighter, and carries %v", s.Entity(), got)
					}
					continue
				}
				want, _ := c.want(w, s.Entity(), f)
				if !ok || got != want && (got == got || want == want) {
					t.Fatalf("%v carries %v, %v, want %v", s.Entity(), got, ok, want)
				}
			}
			if n < 100 || without < 20 {
				t.Fatalf("only %d found, %d of them without", n, without)
			}
		})
	}
	w, g, _, _ := arms(t, func(ComponentID) Carried { return Carried{Tag: "burning"} })
	burning, _ := w.LookupTag("burning")
	n := 0
	for s := g.Search(15, 15, 12); s.Next(); n++ {
		if _, ok := s.Carried(); ok != w.Tagged(s.Entity(), burning) {
			t.Fatalf("%v: %v", s.Entity(), ok)
		}
	}
	if n < 100 {
		t.Fatal(n)
	}
}

func TestWhatAGridDoesNotCarry(t *testing.T) {
	w, _, pos, fighters := arms(t, func(ComponentID) Carried { return Carried{} })
	label := MustRegister[modelLabel](w, "Label")
	for text, c := range map[string]Carried{
		`component "Fighter" has no field "sied"`:             {Component: fighters.ID(), Field: "sied"},
		`either a field or a tag, not both "side" and "a"`:    {Component: fighters.ID(), Field: "side", Tag: "a"},
		`tag "borning": not declared`:                         {Tag: "borning"},
		`carried field: component id 77 is not declared`:      {Component: 77, Field: "side"},
		`field "text" of component "Label" is of type string`: {Component: label.ID(), Field: "text"},
		`field "big" of component "Fighter" is of type i64`:   {Component: fighters.ID(), Field: "big"},
	} {
		_, err := w.DeclareGrid(GridSpec{Name: "other", Component: pos.ID(), X: "x", Y: "y", Cell: 3, Carry: c})
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
	if _, err := w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 3, Carry: Carried{Tag: "burning"}}); !errors.Is(err, ErrMismatch) {
		t.Errorf("a grid that carries something else: %v", err)
	}
}

// Entities die before, between and during searches, one by one, in cascades, and a whole query at once; a slot is used again. The dead are never
// found, the others always.
func TestASearchFindsNoDead(t *testing.T) {
	for _, kill := range []string{"one by one", "within the walk", "the one ahead", "query", "slot again"} {
		for _, sweep := range []int{0, 1000} {
			t.Run(fmt.Sprint(kill, sweep), func(t *testing.T) {
				w, g, pos, fighters := arms(t, func(id ComponentID) Carried { return Carried{Component: id, Field: "side"} })
				q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{fighters.ID()}}))
				s := NewSchedule(w)
				sys := must[*System](t)(s.AddSystem(SystemSpec{Name: "a", Run: func(*World, float64) error { return nil }}))
				w.BeginFrame(1)
				look := func() (list []Entity) {
					for s := g.Search(15, 15, 13); s.Next(); {
						list = append(list, s.Entity())
					}
					return list
				}
				ok(t, s.Call(sys, func(*World, float64) error {
					all := look()
					taken := g.taken
					dead := map[Entity]bool{}
					despawn := func(e Entity) { must[bool](t)(w.Despawn(e)); dead[e] = true }
					switch kill {
					case "one by one":
						for _, e := range all[:40] {
							despawn(e)
						}
					case "within the walk":
						for s := g.Search(15, 15, 13); s.Next(); {
							if e := s.Entity(); e%3 == 0 {
								despawn(e)
							}
						}
					case "the one ahead":
						i := 0
						for s := g.Search(15, 15, 13); s.Next(); i++ {
							for dead[all[i]] {
								i++
							}
							if s.Entity() != all[i] {
								t.Fatalf("%v, want %v", s.Entity(), all[i])
							}
							if i%7 == 0 && i+1 < len(all) {
								despawn(all[i+1])
							}
						}
					case "query":
						for _, e := range all {
							dead[e] = fighters.Get(e) != nil
						}
						must[int](t)(q.DespawnAll())
					case "slot again":
						for _, e := range all[:40] {
							despawn(e)
							must[Entity](t)(pos.With(w.Build(), position{15, 15}).Spawn())
						}
					}
					want := slices.DeleteFunc(slices.Clone(all), func(e Entity) bool { return dead[e] })
					for range sweep/max(1, len(want)) + 2 {
						if got := look(); !slices.Equal(got, want) {
							t.Fatalf("%d found, want %d", len(got), len(want))
						}
					}
					if g.taken != taken || sweep > 0 && g.deaths != w.slots.deaths {
						t.Errorf("snapshot %d, then %d; %d deaths known of %d", taken, g.taken, g.deaths, w.slots.deaths)
					}
					return nil
				}))
				check(t, w)
			})
		}
	}
}

// A search that is narrowed with each nearer entity finds the nearest, and looks at few others.
func TestANarrowedSearch(t *testing.T) {
	_, g, _, _ := arms(t, func(ComponentID) Carried { return Carried{} })
	for _, at := range []position{{0, 0}, {15, 15}, {29, 3}, {40, 40}} {
		nearest := func(narrow bool) (best float64, e Entity, looked int) {
			best = math.Inf(1)
			for s := g.Search(at.X, at.Y, 60); s.Next(); looked++ {
				if d2 := s.D2(); d2 < best {
					best, e = d2, s.Entity()
					if narrow {
						s.Narrow(best)
					}
				}
			}
			return best, e, looked
		}
		d2, e, all := nearest(false)
		narrowed, same, some := nearest(true)
		if narrowed != d2 || same != e || all < 300 || some > all/2 {
			t.Errorf("at %v: %v at %v of %d, %v at %v of %d", at, e, d2, all, same, narrowed, some)
		}
	}
}

func TestASearchOfAnOldSnapshot(t *testing.T) {
	_, g, _, _ := arms(t, func(ComponentID) Carried { return Carried{} })
	s := g.Search(15, 15, 10)
	s.Next()
	g.Near(0, 0, 1, func(Entity, float64) bool { return true })
	if text := said(func() { s.Next() }); text != searchOver {
		t.Error(text)
	}
}

func TestASearchAllocatesNothing(t *testing.T) {
	w, g, _, _ := arms(t, func(id ComponentID) Carried { return Carried{Component: id, Field: "side"} })
	s := NewSchedule(w)
	sum := 0.0
	s.Add("a", func(*World, float64) error {
		for s := g.Search(15, 15, 10); s.Next(); {
			v, _ := s.Carried()
			sum += v + s.D2() + float64(s.Entity())
		}
		return nil
	})
	run(t, s, 3)
	if n := testing.AllocsPerRun(10, func() { ok(t, s.Run(1)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestASearchForWhatIsCarried(t *testing.T) {
	for _, field := range []string{"side", "mood", "lord"} {
		_, g, _, fighters := arms(t, func(id ComponentID) Carried { return Carried{Component: id, Field: field} })
		value := map[string]func(f *fighter) float64{
			"side": func(f *fighter) float64 { return float64(f.Side) },
			"mood": func(f *fighter) float64 { return float64(f.Mood) },
			"lord": func(f *fighter) float64 { return float64(f.Lord) },
		}[field]
		for _, v := range []float64{0, 1, 7, 100, math.NaN()} {
			var all, only, except, wantOnly, wantExcept []Entity
			for s := g.Search(15, 15, 13); s.Next(); {
				e := s.Entity()
				all = append(all, e)
				switch f := fighters.Get(e); {
				case f == nil:
				case value(f) == v:
					wantOnly = append(wantOnly, e)
				case value(f) != v && value(f) == value(f) && v == v:
					wantExcept = append(wantExcept, e)
				}
			}
			for s := g.Search(15, 15, 13).Only(v); s.Next(); {
				only = append(only, s.Entity())
			}
			for s := g.Search(15, 15, 13).Except(v); s.Next(); {
				except = append(except, s.Entity())
			}
			if !slices.Equal(only, wantOnly) || !slices.Equal(except, wantExcept) || len(only)+len(except) >= len(all) {
				t.Errorf("%s %v: %d of %d only, %d of %d except, of %d", field, v, len(only), len(wantOnly), len(except), len(wantExcept), len(all))
			}
		}
	}
}
