package ecs

import (
	"fmt"
	"slices"
	"testing"
)

// What a turn that failed has begun (a snapshot of a grid, a stream, a log of removals, tables and edges, a window) is not there
// for what comes after it in the same frame, and later. Each case runs beside a world in which the failing system does nothing.
func TestWhatComesAfterAFailedTurnDoesNotSeeIt(t *testing.T) {
	type world struct {
		*World
		pos      Component[position]
		vel      Component[velocity]
		grid     *Grid
		hit      Event[hitEvent]
		es       []Entity
		changed  *Query
		both     *Query
		schedule *Schedule
	}
	near := func(w *world) (found []string) {
		w.grid.Near(0, 0, 100, func(e Entity, d2 float64) bool {
			found = append(found, fmt.Sprint(e, d2))
			return true
		})
		return found
	}
	moved := func(w *world) (list []Entity) {
		c := w.changed.begin()
		for c.Next() {
			list = append(list, c.Entity())
		}
		return list
	}
	for name, c := range map[string]struct {
		write func(w *world)     // what the failing turn does, in the frames in which it fails
		see   func(w *world) any // what the system behind it sees
		own   func(w *world) any // what the failing system itself sees first, in each turn
	}{
		"a snapshot of positions": {write: func(w *world) {
			for _, e := range w.es {
				w.pos.Write(e).X += 50
			}
			near(w)
		}, see: func(w *world) any { return near(w) }},
		"a snapshot without the dead": {own: func(w *world) any { return near(w) }, write: func(w *world) {
			for _, e := range w.es[3:40] {
				_, _ = w.Despawn(e)
			}
			near(w)
		}, see: func(w *world) any { return near(w) }},
		"a stream": {write: func(w *world) { w.Stream("fresh").Float64() }, see: func(w *world) any {
			if w.Frame() < 3 {
				return 0
			}
			return w.Stream("fresh").Float64()
		}},
		"a log of removals": {write: func(w *world) {
			w.Removed(nil, w.vel.ID())
			_, _ = w.Remove(w.es[1], w.vel.ID())
		}, see: func(w *world) any {
			if w.Frame() < 3 {
				return 0
			}
			return w.Removed(nil, w.vel.ID())
		}},
		"a window": {write: func(w *world) { w.pos.Write(w.es[0]).X++ }, own: func(w *world) any { return moved(w) }, see: func(w *world) any {
			w.pos.Write(w.es[w.Frame()]).Y++
			return moved(w)
		}},
		"tables": {write: func(w *world) {
			tag := MustRegister[spot](w.World, "Spot").ID()
			_, _ = w.Add(w.es[2], tag)
			_, _ = w.Add(w.es[3], w.vel.ID())
			_, _ = w.Spawn(tag, w.vel.ID())
			_, _ = w.Remove(w.es[4], w.pos.ID())
		}, see: func(w *world) any {
			if w.Frame() > 2 {
				_, err := w.Remove(w.es[4], w.pos.ID())
				ok(t, err)
				_, err = w.Add(w.es[4], w.pos.ID())
				ok(t, err)
			}
			return w.both.Count()
		}},
		"rows of an empty table": {write: func(w *world) {
			for range 200 {
				_, _ = w.Spawn(w.vel.ID())
			}
		}, see: func(w *world) any { return w.both.Count() }},
		"all rows": {write: func(w *world) {
			_, _ = w.both.DespawnAll()
			_, _ = w.Spawn(w.pos.ID(), w.vel.ID())
		}, see: func(w *world) any { return near(w) }},
		"readers": {write: func(w *world) { w.EventReader(w.hit.ID()).Close(); w.hit.Send(hitEvent{w.es[0], 9}) }, own: func(w *world) any {
			n := 0
			for range w.hit.Read() {
				n++
			}
			return n
		}, see: func(w *world) any { w.hit.Send(hitEvent{w.es[0], 1}); return 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			var given [][]uint32 // what is given out after each failed turn
			seen := func(fails bool) (list []string) {
				w := &world{World: newWorld(Options{Seed: 4})}
				w.pos, w.vel = MustRegister[position](w.World, "Position"), MustRegister[velocity](w.World, "Velocity")
				w.hit = must[Event[hitEvent]](t)(RegisterEvent[hitEvent](w.World, "Hit"))
				w.grid = must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: w.pos.ID(), X: "x", Y: "y", Cell: 3}))
				w.es = slices.Clone(must[[]Entity](t)(must[*Bundle](t)(w.Bundle(w.pos.ID(), w.vel.ID())).SpawnMany(100, nil)))
				for i, e := range w.es {
					*w.pos.Get(e) = position{float64(i % 10), float64(i / 10)}
				}
				w.changed = must[*Query](t)(w.Query(Filter{Required: []ComponentID{w.pos.ID()}, Changed: []ComponentID{w.pos.ID()}}))
				w.both = must[*Query](t)(w.Query(Filter{Required: []ComponentID{w.vel.ID()}}))
				w.schedule = NewSchedule(w.World)
				w.schedule.RollBack = true
				failing := must[*System](t)(w.schedule.AddSystem(SystemSpec{Name: "failing", Run: func(*World, float64) error {
					odd := w.Frame()%2 == 1
					if odd && !fails {
						return nil
					}
					if c.own != nil {
						if own := c.own(w); !odd {
							list = append(list, fmt.Sprint("own ", own))
						}
					}
					if !odd {
						return nil
					}
					c.write(w)
					return errFailed
				}}))
				if !fails {
					failing.spec.When = func(*World) (bool, error) {
						if w.Frame()%2 == 0 {
							return true, nil
						}
						Raw.UseUp(w.World, given[0])
						given = given[1:]
						return false, nil
					}
				}
				w.schedule.OnError = func(*System, error) error {
					given = append(given, Raw.GivenOut(w.World))
					return nil
				}
				must[*System](t)(w.schedule.AddSystem(SystemSpec{Name: "sees", Run: func(*World, float64) error {
					list = append(list, fmt.Sprint(c.see(w)))
					return nil
				}}))
				for range 6 {
					ok(t, w.schedule.Run(1))
					ok(t, w.Check())
					list = append(list, fmt.Sprint(w.Digest()))
				}
				if turns := failing.Turns(); fails != (turns == 6) {
					t.Errorf("the system has had %d turns", turns)
				}
				return list
			}
			got, want := seen(true), seen(false)
			if !slices.Equal(got, want) {
				for i := range min(len(got), len(want)) {
					if got[i] != want[i] {
						t.Fatalf("line %d: %s, want %s", i, got[i], want[i])
					}
				}
				t.Fatalf("%d lines, want %d", len(got), len(want))
			}
		})
	}
}
