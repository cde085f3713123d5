package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// The types say what a walk may write. What it visits counts as changed; a component that it only reads does not.
func ExampleQuery2() {
	w := ecs.NewWorld(ecs.Options{})
	pos, vel := ecs.MustRegister[Position](w, "Position"), ecs.MustRegister[Velocity](w, "Velocity")
	health := ecs.MustRegister[Health](w, "Health")
	slow := must(w.DeclareTag("slow"))
	must(must(ecs.NewSpawner2[Position, Velocity](w)).Spawn(Position{}, Velocity{1, 0}))
	must(must(ecs.NewSpawner2[Position, Velocity](w, slow)).Spawn(Position{}, Velocity{2, 0}))
	must(must(ecs.NewSpawner3[Position, Velocity, Health](w)).Spawn(Position{}, Velocity{3, 0}, Health{5}))

	fast := must(ecs.NewQuery2[Position, ecs.Read[Velocity]](w, ecs.Filter{Untagged: []ecs.TagID{slow}}))
	w.BeginFrame(1)
	w.EndFrame()
	w.BeginFrame(1) // outside of systems, changed is what was written since the frame before
	for e := fast.Start(); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.X += v.Get().DX
		if h := health.MutOf(e.Visit); h != nil { // a component that some of them have
			h.Current--
		}
		fmt.Println(e.Entity(), *p)
	}
	for _, id := range []ecs.ComponentID{pos.ID(), vel.ID(), health.ID()} {
		changed := must(w.Query(ecs.Filter{Changed: []ecs.ComponentID{id}}))
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
	must(must(ecs.NewSpawner1[Position](w)).Spawn(Position{X: 1}))
	must(must(ecs.NewSpawner2[Position, Velocity](w)).Spawn(Position{X: 2}, Velocity{DX: 3}))
	q := must(ecs.NewQuery2[ecs.Read[Position], ecs.Maybe[Velocity]](w))
	for e := q.Start(); e.Ok(); e = e.Next() {
		p, m := e.Get()
		if v := m.Get(); v != nil {
			v.DX++
			fmt.Println(p.Get().X, "moves at", v.DX)
		} else {
			fmt.Println(p.Get().X, "stands")
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
	s := must(ecs.NewSpawner2[Position, Velocity](w))
	must(s.SpawnMany(nil, make([]Position, 3), []Velocity{{1, 0}, {2, 0}, {3, 0}}))
	q := must(ecs.NewQuery2[Position, ecs.Read[Velocity]](w))
	for e := q.Start(); e.Ok(); e = e.NextRun() {
		p, v := e.Slices()
		for i := range p {
			p[i].X += v[i].Get().DX
		}
		fmt.Println(e.Entities(), p)
	}
	// Output:
	// [0v1 1v1 2v1] [{1 0} {2 0} {3 0}]
}

// A spawner makes entities with their values, and tags, one or many.
func ExampleSpawner2() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Health](w, "Health")
	boss := must(w.DeclareTag("boss"))
	bosses := must(ecs.NewSpawner2[Position, Health](w, boss))
	e := must(bosses.Spawn(Position{5, 5}, Health{100}))
	es := must(bosses.SpawnMany([]ecs.Entity{e}, []Position{{1, 1}, {2, 2}}, []Health{{10}, {20}}))
	fmt.Println(es, *pos.Get(es[2]), w.Tagged(e, boss))
	// Output:
	// [0v1 1v1 2v1] {2 2} true
}

// Wheels are made with their values and their parent, and die with it.
func ExampleSpawner2_SpawnRelated() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Health](w, "Health")
	childOf := must(w.DeclareRelation(ecs.ChildOf))
	parts := must(ecs.NewSpawner2[Position, Health](w))
	car := must(parts.Spawn(Position{5, 5}, Health{100}))
	for i := range 4 {
		must(parts.SpawnRelated(Position{X: float64(i)}, Health{10}, ecs.Target{Relation: childOf, Entity: car}))
	}
	fmt.Println(w.SourceCount(childOf, car), w.Len())
	must(w.Despawn(car))
	fmt.Println(w.Len())
	// Output:
	// 4 5
	// 0
}
