package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// SpawnMany makes an entity for each value, in one step.
func ExampleSpawner1() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	rats := ecs.Must(ecs.NewSpawner1[Health](w))
	es := ecs.Must(rats.SpawnMany(nil, []Health{{3}, {5}, {4}}))
	fmt.Println(es, *health.Get(es[1]))
	// Output:
	// [0v1 1v1 2v1] {5}
}

// The columns that SpawnMany takes must have the same length. It appends to a list that can be used again.
func ExampleSpawner3() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.MustRegister[Health](w, "Health")
	arrows := ecs.Must(ecs.NewSpawner3[Position, Velocity, Health](w))
	var list []ecs.Entity
	for volley := range 2 {
		x := float64(volley)
		list = ecs.Must(arrows.SpawnMany(list[:0], []Position{{x, 0}, {x, 1}}, []Velocity{{9, 0}, {9, 1}}, []Health{{1}, {1}}))
		fmt.Println(list)
	}
	// Output:
	// [0v1 1v1]
	// [2v1 3v1]
}

// A spawner of a world that has reached its limit makes nothing.
func ExampleSpawner4() {
	w := ecs.NewWorld(ecs.Options{MaxEntities: 1})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Armor](w, "Armor")
	tanks := ecs.Must(ecs.NewSpawner4[Position, Velocity, Health, Armor](w))
	for range 2 {
		e, err := tanks.Spawn(Position{}, Velocity{1, 0}, Health{100}, Armor{20})
		fmt.Println(e, err)
	}
	// Output:
	// 0v1 <nil>
	// none spawn: limit reached: 1 entity
}

// Types that were not registered in the world are an error when the spawner is made, not when it spawns.
func ExampleSpawner5() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Armor](w, "Armor")
	_, err := ecs.NewSpawner5[Position, Velocity, Health, Armor, Team](w)
	fmt.Println(err)
	ecs.MustRegister[Team](w, "Team")
	soldiers := ecs.Must(ecs.NewSpawner5[Position, Velocity, Health, Armor, Team](w))
	fmt.Println(ecs.Must(soldiers.Spawn(Position{1, 1}, Velocity{}, Health{10}, Armor{2}, Team{1})))
	// Output:
	// spawn: not declared: no component of the Go type ecs_test.Team in this world; call Register first
	// 0v1
}

// Six values and two tags are set before any observer is told of the entity.
func ExampleSpawner6() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	health := ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Armor](w, "Armor")
	ecs.MustRegister[Team](w, "Team")
	ecs.MustRegister[Burning](w, "Burning")
	boss, flying := ecs.Must(w.DeclareTag("boss")), ecs.Must(w.DeclareTag("flying"))
	ecs.Must(w.Observe(ecs.ObserverSpec{Kind: ecs.OnSpawned, Run: func(w *ecs.World, c ecs.Change) error {
		fmt.Println(c.Entity, *health.Get(c.Entity), w.Tagged(c.Entity, boss), w.Tagged(c.Entity, flying))
		return nil
	}}))
	dragons := ecs.Must(ecs.NewSpawner6[Position, Velocity, Health, Armor, Team, Burning](w, boss, flying))
	ecs.Must(dragons.Spawn(Position{0, 90}, Velocity{3, 0}, Health{900}, Armor{50}, Team{2}, Burning{0}))
	// Output:
	// 0v1 {900} true true
}

// A bundle is a prepared set of components: it spawns many at once and lets init fill whole columns.
func ExampleBundle() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	vel := ecs.MustRegister[Velocity](w, "Velocity")
	unit := ecs.Must(w.Bundle(pos.ID(), vel.ID()))
	es := ecs.Must(unit.SpawnMany(1000, func(t *ecs.Table, from, to int) {
		column := pos.Slice(t)
		for i := from; i < to; i++ {
			column[i] = Position{X: float64(i - from)}
		}
	}))
	fmt.Println(len(es), *pos.Get(es[999]))

	frozen := ecs.Must(w.Bundle(ecs.Must(w.DeclareComponent("Frozen", ecs.Must(ecs.NewSchema())))))
	ecs.Must(frozen.Add(es[0])) // remembers where entities of this kind go
	ecs.Must(frozen.Remove(es[0]))
	fmt.Println(w.ComponentsOf(es[0]))
	// Output:
	// 1000 {999 0}
	// [2 3]
}

// A builder collects values and tags and spawns straight into the right table.
func ExampleBuilder() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	health := ecs.MustRegister[Health](w, "Health")
	boss := ecs.Must(w.DeclareTag("boss"))
	b := w.Build()
	pos.With(b, Position{5, 5})
	health.With(b, Health{100})
	e := ecs.Must(b.Tag(boss).Spawn())
	fmt.Println(e, *health.Get(e), w.Tagged(e, boss), len(w.Tables()))
	// Output:
	// 0v1 {100} true 2
}

// A spawner makes entities with their values, and tags, one or many.
func ExampleSpawner2() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Health](w, "Health")
	boss := ecs.Must(w.DeclareTag("boss"))
	bosses := ecs.Must(ecs.NewSpawner2[Position, Health](w, boss))
	e := ecs.Must(bosses.Spawn(Position{5, 5}, Health{100}))
	es := ecs.Must(bosses.SpawnMany([]ecs.Entity{e}, []Position{{1, 1}, {2, 2}}, []Health{{10}, {20}}))
	fmt.Println(es, *pos.Get(es[2]), w.Tagged(e, boss))
	// Output:
	// [0v1 1v1 2v1] {2 2} true
}

// Wheels are made with their values and their parent, and die with it.
func ExampleSpawner2_Spawn() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Health](w, "Health")
	childOf := ecs.Must(w.DeclareRelation(ecs.ChildOf))
	parts := ecs.Must(ecs.NewSpawner2[Position, Health](w))
	car := ecs.Must(parts.Spawn(Position{5, 5}, Health{100}))
	for i := range 4 {
		ecs.Must(parts.Spawn(Position{X: float64(i)}, Health{10}, ecs.Target{Relation: childOf, Entity: car}))
	}
	fmt.Println(w.SourceCount(childOf, car), w.Len())
	ecs.Must(w.Despawn(car))
	fmt.Println(w.Len())
	// Output:
	// 4 5
	// 0
}

// Inside a loop structure is locked: a spawner queues what it makes.
func ExampleSpawner2_Queue() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Health](w, "Health")
	rats := ecs.Must(ecs.NewSpawner2[Position, Health](w))
	ecs.Must(rats.SpawnMany(nil, []Position{{1, 1}, {2, 2}}, []Health{{10}, {0}}))
	q := ecs.Must(ecs.NewQuery2[Position, Health](w))
	for e := q.Start(); e.Ok(); e = e.Next() {
		if p, h := e.Get(); h.Current > 0 {
			ecs.Must(rats.Queue(w.Commands(), *p, Health{h.Current / 2}))
		}
	}
	fmt.Println(w.Len(), w.Commands().Apply(), w.Len()) // a schedule applies them when the system returns
	// Output:
	// 2 <nil> 3
}
