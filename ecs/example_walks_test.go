package ecs_test

import (
	"fmt"
	"log"

	"github.com/ecsrun/ecsrun/ecs"
)

// The types say what a walk may write. What it visits counts as changed; a component that it only reads does not.
func ExampleQuery2() {
	w := ecs.NewWorld(ecs.Options{})
	pos, vel := ecs.MustRegister[Position](w, "Position"), ecs.MustRegister[Velocity](w, "Velocity")
	health := ecs.MustRegister[Health](w, "Health")
	slow := ecs.Must(w.DeclareTag("slow"))
	ecs.Must(ecs.Must(ecs.NewSpawner2[Position, Velocity](w)).Spawn(Position{}, Velocity{1, 0}))
	ecs.Must(ecs.Must(ecs.NewSpawner2[Position, Velocity](w, slow)).Spawn(Position{}, Velocity{2, 0}))
	ecs.Must(ecs.Must(ecs.NewSpawner3[Position, Velocity, Health](w)).Spawn(Position{}, Velocity{3, 0}, Health{5}))

	fast := ecs.Must(ecs.NewQuery2[ecs.Mut[Position], Velocity](w, ecs.Filter{Untagged: []ecs.TagID{slow}}))
	w.BeginFrame(1)
	w.EndFrame()
	w.BeginFrame(1) // outside of systems, changed is what was written since the frame before
	for e := fast.Start(); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.V.X += v.DX
		if h := health.WriteOf(e.Visit); h != nil { // a component that some of them have
			h.Current--
		}
		fmt.Println(e.Entity(), p.V)
	}
	for _, id := range []ecs.ComponentID{pos.ID(), vel.ID(), health.ID()} {
		changed := ecs.Must(w.Query(ecs.Filter{Changed: []ecs.ComponentID{id}}))
		fmt.Println(w.ComponentNames()[id], "changed:", changed.Count())
	}
	w.EndFrame()
	// Output:
	// 0v1 {1 0}
	// 2v1 {3 0}
	// Position changed: 2
	// Velocity changed: 0
	// Health changed: 1
}

// A query does not ask for an optional component.
func ExampleMaybe() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.Must(ecs.Must(ecs.NewSpawner1[Position](w)).Spawn(Position{X: 1}))
	ecs.Must(ecs.Must(ecs.NewSpawner2[Position, Velocity](w)).Spawn(Position{X: 2}, Velocity{DX: 3}))
	q := ecs.Must(ecs.NewQuery2[Position, ecs.Maybe[ecs.Mut[Velocity]]](w))
	for e := q.Start(); e.Ok(); e = e.Next() {
		p, m := e.Get()
		if v := m.Get(); v != nil {
			v.V.DX++
			fmt.Println(p.X, "moves at", v.V.DX)
		} else {
			fmt.Println(p.X, "stands")
		}
	}
	// Output:
	// 1 stands
	// 2 moves at 4
}

// With NextRun a walk takes whole columns.
func ExampleWalk2_Slices() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	s := ecs.Must(ecs.NewSpawner2[Position, Velocity](w))
	ecs.Must(s.SpawnMany(nil, make([]Position, 3), []Velocity{{1, 0}, {2, 0}, {3, 0}}))
	q := ecs.Must(ecs.NewQuery2[ecs.Mut[Position], Velocity](w))
	for e := q.Start(); e.Ok(); e = e.NextRun() {
		p, v := e.Slices()
		for i := range p {
			p[i].V.X += v[i].DX
		}
		fmt.Println(e.Entities(), p[0].V, p[2].V)
	}
	// Output:
	// [0v1 1v1 2v1] {1 0} {3 0}
}

// A system sees what others changed since its own last turn. What it writes itself is no news to it.
func ExampleFilter_changed() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	a, b := ecs.Must(w.Spawn(pos.ID())), ecs.Must(w.Spawn(pos.ID()))
	moved := ecs.Must(ecs.NewQuery1[Position](w, ecs.Filter{Changed: []ecs.ComponentID{pos.ID()}}))

	s := ecs.NewSchedule(w).Add("push", func(w *ecs.World, _ float64) error {
		if w.Frame() == 2 {
			pos.Write(b).X++
		}
		if w.Frame() == 3 {
			w.Commands().Despawn(a)
		}
		return nil
	}).Add("redraw", func(w *ecs.World, _ float64) error {
		for e := moved.Start(); e.Ok(); e = e.Next() {
			fmt.Println("frame", w.Frame(), "redraw", e.Entity())
		}
		for _, e := range w.Removed(nil, pos.ID()) {
			fmt.Println("frame", w.Frame(), "erase", e)
		}
		return nil
	})
	for range 4 {
		if err := s.Run(1); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// frame 1 redraw 0v1
	// frame 1 redraw 1v1
	// frame 2 redraw 1v1
	// frame 3 erase 0v1
}

// Any combination of conditions on components, tags and changes can be asked for; 64 rows are decided at once.
func ExampleFilter_where() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	vel := ecs.MustRegister[Velocity](w, "Velocity")
	hidden := ecs.Must(w.DeclareTag("hidden"))
	tree, rat, ghost := ecs.Must(w.Spawn(pos.ID())), ecs.Must(w.Spawn(pos.ID(), vel.ID())), ecs.Must(w.Spawn(pos.ID(), vel.ID()))
	w.Tag(ghost, hidden)
	w.Tag(tree, hidden)
	q := ecs.Must(w.Query(ecs.Filter{Where: ecs.Xor(ecs.Contains(vel.ID()), ecs.HasTag(hidden))}))
	for _, e := range q.AppendEntities(nil) {
		fmt.Println(e, e == rat, e == tree)
	}
	// Output:
	// 0v1 false true
	// 1v1 true false
}
