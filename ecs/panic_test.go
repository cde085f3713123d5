package ecs_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// endings are the ways in which a function can end without returning.
var endings = map[string]func(){
	"panic":  func() { panic("boom") },
	"Goexit": runtime.Goexit,
}

// survive runs fn on a goroutine that fn may end, and recovers its panic.
func survive(fn func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		fn()
	}()
	<-done
}

// usable holds that a world can be looked at, changed, saved and run.
func usable(t *testing.T, w *ecs.World, s *ecs.Schedule) {
	t.Helper()
	if w.Locked() {
		t.Error("structure is locked")
	}
	sure(w.Check())
	must(w.Spawn())
	sure(w.Save(io.Discard))
	for _, sys := range s.Systems() {
		sure(s.Swap(sys.Name(), func(*ecs.World, float64) error { return nil }))
	}
	sure(s.Run(1))
	if n := w.Commands().Len(); n != 0 {
		t.Errorf("%d commands are queued", n)
	}
}

// brokenTurns are turns that end without returning, with loops open, commands queued and being applied.
var brokenTurns = map[string]func(w *ecs.World, c ecs.Component[Position], end func()){
	"in a loop": func(w *ecs.World, _ ecs.Component[Position], end func()) {
		for e := must(ecs.NewQuery1[ecs.Mut[Position]](w)).Start(); e.Ok(); e = e.Next() {
			e.Get().V.X++
			must(w.Commands().Spawn())
			end()
		}
	},
	"in Modify": func(_ *ecs.World, c ecs.Component[Position], end func()) {
		c.Modify(first, func(p *Position) { end() })
	},
	"in a parallel loop": func(w *ecs.World, _ ecs.Component[Position], end func()) {
		sure(must(ecs.NewQuery1[ecs.Mut[Position]](w)).Parallel(nil, 0, func(p *ecs.Part) {
			must(p.Commands().Spawn())
			end()
		}))
	},
	"in init of SpawnMany": func(w *ecs.World, c ecs.Component[Position], end func()) {
		must(must(w.Bundle(c.ID())).SpawnMany(3, func(*ecs.Table, int, int) { end() }))
	},
	"in an observer, at once": func(w *ecs.World, c ecs.Component[Position], _ func()) {
		must(c.Set(first, Position{X: 1}))
	},
	"in an observer, when commands are applied": func(w *ecs.World, c ecs.Component[Position], _ func()) {
		must(w.Commands().Spawn())
		c.QueueSet(w.Commands(), first, Position{X: 1})
		must(w.Commands().Spawn())
		must(w.Commands().Spawn(c.ID()))
	},
	"in a turn inside of the turn": func(w *ecs.World, c ecs.Component[Position], end func()) {
		s := ecs.NewSchedule(w)
		inner := must(s.AddSystem(ecs.SystemSpec{Name: "inner", Run: func(*ecs.World, float64) error { return nil }}))
		sure(s.Call(inner, func(*ecs.World, float64) error { end(); return nil }))
	},
}

var first ecs.Entity

// A turn, an observer or a condition that panics, or ends its goroutine, leaves a world that can be used.
func TestTurnsThatDoNotReturn(t *testing.T) {
	for how, end := range endings {
		for name, turn := range brokenTurns {
			for _, rollBack := range []bool{false, true} {
				t.Run(how+" "+name, func(t *testing.T) {
					w := ecs.NewWorld(ecs.Options{})
					c := ecs.MustRegister[Position](w, "Position")
					first = must(w.Spawn(c.ID()))
					s := ecs.NewSchedule(w)
					s.RollBack = rollBack
					s.Add("first", func(*ecs.World, float64) error { return nil })
					s.Add("breaks", func(w *ecs.World, _ float64) error {
						turn(w, c, end)
						return nil
					})
					if strings.HasPrefix(name, "in an observer") {
						must(c.OnSet(func(w *ecs.World, e ecs.Entity, _ *Position) error {
							must(w.Commands().Spawn())
							end()
							return nil
						}))
					}
					before := w.Len()
					survive(func() { sure(s.Run(1)) })
					if rollBack && w.Len() != before {
						t.Errorf("%d entities after the turn, %d before", w.Len(), before)
					}
					usable(t, w, s)
				})
			}
		}
		t.Run(how+" in a condition", func(t *testing.T) {
			w := ecs.NewWorld(ecs.Options{})
			ecs.MustRegister[Position](w, "Position")
			must(w.Spawn(2)) // Position: the first after ChildOf and IsA
			s, ends := ecs.NewSchedule(w), true
			must(s.AddSystem(ecs.SystemSpec{Name: "when", Run: func(*ecs.World, float64) error { return nil }, When: func(w *ecs.World) (bool, error) {
				if e := must(ecs.NewQuery1[ecs.Mut[Position]](w)).Start(); ends {
					end()
				} else {
					e.End()
				}
				return true, nil
			}}))
			survive(func() { sure(s.Run(1)) })
			ends = false
			usable(t, w, s)
		})
		t.Run(how+" in an observer outside of turns", func(t *testing.T) {
			w := ecs.NewWorld(ecs.Options{})
			c := ecs.MustRegister[Position](w, "Position")
			calls := 0
			for range 2 {
				must(c.OnAdded(func(*ecs.World, ecs.Entity, *Position) error {
					if calls++; calls == 1 {
						end()
					}
					return nil
				}))
			}
			survive(func() { must(w.Spawn(c.ID())) })
			usable(t, w, ecs.NewSchedule(w))
			must(w.Spawn(c.ID()))
			if calls != 3 {
				t.Errorf("%d calls of the observers", calls)
			}
		})
	}
}

// A loop outside of systems that a panic has left locks structure until EndWalks, or the next frame.
func TestLoopsThatAPanicHasLeft(t *testing.T) {
	for how, end := range endings {
		w := ecs.NewWorld(ecs.Options{})
		ecs.MustRegister[Position](w, "Position")
		must(w.Spawn(2))
		q, s := must(ecs.NewQuery1[ecs.Mut[Position]](w)), ecs.NewSchedule(w)
		var kept ecs.Walk1[ecs.Mut[Position]]
		leave := func() {
			survive(func() {
				for kept = q.Start(); kept.Ok(); kept = kept.Next() {
					end()
				}
			})
		}
		leave()
		_, err := w.Spawn()
		if !errors.Is(err, ecs.ErrLocked) || !strings.Contains(err.Error(), "or call World.EndWalks") {
			t.Errorf("%s: error %v", how, err)
		}
		w.EndWalks()
		usable(t, w, s)
		if text := panicOf(func() { kept.Next() }); !strings.HasPrefix(text, "ecs: the walk is over") {
			t.Errorf("%s: panic %q", how, text)
		}
		leave()
		sure(s.Run(1))
		usable(t, w, s)
	}
}

// A frame does not run inside of a function that holds structure.
func TestFrameInsideOfModify(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	c := ecs.MustRegister[Position](w, "Position")
	e, s := must(w.Spawn(2)), ecs.NewSchedule(w)
	c.Modify(e, func(*Position) {
		if err := s.Run(1); !errors.Is(err, ecs.ErrLocked) || w.Frame() != 0 {
			t.Errorf("error %v", err)
		}
	})
	usable(t, w, s)
}
