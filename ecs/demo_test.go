package ecs

import (
	"fmt"
	"strings"
	"testing"
)

// The demo of the seed articles, lines 1.43 to 1.48: a player walks into an enemy; a landmark stands by. Change detection decides what is
// redrawn, an event reports the collision, a tag marks what can collide, a command removes the enemy after it was redrawn once more.
func demo(t *testing.T, settle bool, printCollisions func(Event[demoCollision], func(demoCollision))) string {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	name := MustRegister[demoName](w, "Name")
	collision := must[Event[demoCollision]](t)(RegisterEvent[demoCollision](w, "Collision"))
	solid := must[TagID](t)(w.DeclareTag("solid"))
	spawn := func(what string, p position, v *velocity, tags ...TagID) Entity {
		b := name.With(pos.With(w.Build(), p), demoName{what}).Tag(tags...)
		if v != nil {
			vel.With(b, *v)
		}
		return must[Entity](t)(b.Spawn())
	}
	spawn("player", position{0, 0}, &velocity{1, 0}, solid)
	enemy := spawn("enemy", position{6, 0}, &velocity{-1, 0}, solid)
	spawn("landmark", position{100, 100}, nil)

	var out []string
	print := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("frame %d ", w.Frame())+fmt.Sprintf(format, args...))
	}
	moving := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}}))
	solids := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), name.ID()}, Tagged: []TagID{solid}}))
	moved := must[*Query](t)(w.Query(Filter{Required: []ComponentID{name.ID()}, Changed: []ComponentID{pos.ID()}}))

	s := NewSchedule(w)
	s.Add("movement", func(_ *World, dt float64) error {
		for _, c := range moving.each {
			p, v := pos.mutAt(c), vel.at(c)
			p.X += v.DX * dt
			p.Y += v.DY * dt
		}
		return nil
	})
	s.Add("collision", func(*World, float64) error {
		type body struct {
			e Entity
			x float64
		}
		var bodies []body // positions first, events after: nothing is held across a send
		for e, c := range solids.each {
			bodies = append(bodies, body{e, pos.at(c).X})
		}
		for i, a := range bodies {
			for _, b := range bodies[i+1:] {
				if d := a.x - b.x; d*d < 1 {
					collision.Send(demoCollision{a.e, b.e})
				}
			}
		}
		return nil
	})
	s.Add("report", func(*World, float64) error {
		printCollisions(collision, func(c demoCollision) { print("collision %s %s", name.Get(c.A).Text, name.Get(c.B).Text) })
		return nil
	})
	s.Add("redraw", func(*World, float64) error {
		for _, c := range moved.each {
			print("redraw %s", name.at(c).Text)
		}
		return nil
	})
	s.Add("bury", func(w *World, _ float64) error { // after redraw, so that the enemy is drawn where it died
		if pos.Has(enemy) && pos.Get(enemy).X <= 3 {
			w.Commands().Despawn(enemy)
		}
		return nil
	})
	if settle {
		s.Settle()
	}
	run(t, s, 4)
	check(t, w)
	return strings.Join(out, "\n")
}

type (
	demoName      struct{ Text string }
	demoCollision struct{ A, B Entity }
)

func drainDemo(c Event[demoCollision], print func(demoCollision)) {
	d := c.log.world.Drain(c.ID())
	for i := range d.Len() {
		print(demoCollision{d.Row(i).Get(0).Entity(), d.Row(i).Get(1).Entity()})
	}
}

const demoOutput = `frame 1 redraw player
frame 1 redraw enemy
frame 2 redraw player
frame 2 redraw enemy
frame 3 collision player enemy
frame 3 redraw player
frame 3 redraw enemy
frame 4 redraw player`

func TestDemo_1_43_1_44_1_45_1_46_1_47_1_48(t *testing.T) {
	if got := demo(t, true, drainDemo); got != demoOutput {
		t.Errorf("drained:\n%s", got)
	}
	read := func(c Event[demoCollision], print func(demoCollision)) {
		for _, e := range c.Read() {
			print(e)
		}
	}
	if got := demo(t, true, read); got != demoOutput {
		t.Errorf("read with a cursor:\n%s", got)
	}
	if got := demo(t, false, drainDemo); !strings.Contains(got, "frame 1 redraw landmark") || strings.Contains(got, "frame 2 redraw landmark") {
		t.Errorf("without settling, the first frame alone redraws what set-up placed:\n%s", got)
	}
}

// With peek, the two-frame read, the collision of frame 3 is seen again in frame 4.
func TestDemoWithPeekSeesTheCollisionTwice_1_47(t *testing.T) {
	times := 0
	peek := func(c Event[demoCollision], _ func(demoCollision)) { times += len(c.Peek()) }
	demo(t, true, peek)
	if times != 2 {
		t.Fatalf("seen %d times", times)
	}
}
