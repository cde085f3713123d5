package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// A handle ends with its entity: the next entity in the slot has another generation.
func ExampleEntity() {
	w := ecs.NewWorld(ecs.Options{})
	rat := ecs.Must(w.Spawn())
	ecs.Must(w.Despawn(rat))
	cat := ecs.Must(w.Spawn())
	fmt.Println(rat, w.Alive(rat), cat, w.Alive(cat))
	fmt.Println(rat.Index() == cat.Index(), cat.Generation(), w.Alive(ecs.None))

	stored := cat.Number() // exact, for a script or a file
	back, ok := ecs.EntityFromNumber(stored)
	fmt.Println(back == cat, ok)
	// Output:
	// 0v1 false 0v2 true
	// true 2 false
	// true true
}

// Get reads, Write writes and counts as a change, Set adds the component if the entity lacks it.
func ExampleComponent() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	e := ecs.Must(w.Spawn())
	fmt.Println(health.Get(e), health.Has(e))
	ecs.Must(health.Set(e, Health{10}))
	health.Write(e).Current -= 3
	health.Modify(e, func(h *Health) { h.Current *= 2 })
	fmt.Println(*health.Get(e))
	// Output:
	// <nil> false
	// {14}
}

// A query for changes finds the entities that were written through Write or Set.
func ExampleComponent_Write() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	es := ecs.Must(ecs.Must(ecs.NewSpawner1[Health](w)).SpawnMany(nil, make([]Health, 3)))
	changed := ecs.Must(w.Query(ecs.Filter{Changed: []ecs.ComponentID{health.ID()}}))
	w.EndFrame() // what was written so far is old from here on
	health.Write(es[1]).Current = 5
	health.Get(es[2]).Current = 5 // stamps nothing: do not write through Get
	fmt.Println(changed.AppendEntities(nil))
	// Output:
	// [1v1]
}

// An inspector shows what a world has declared, by id.
func ExampleComponentInfo() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.Must(w.DeclareComponent("Frozen", ecs.Must(ecs.NewSchema())))
	for id := range w.ComponentNames() {
		info, _ := w.ComponentInfo(ecs.ComponentID(id))
		fmt.Println(info.ID, info.Name, info.Schema, info.Relation)
	}
	// Output:
	// 0 ChildOf {target entity} true
	// 1 IsA {target entity} true
	// 2 Position {x f64, y f64} false
	// 3 Frozen {} false
}

// All entities with the same components share a table; adding a component moves an entity to another one.
func ExampleTable() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	health := ecs.MustRegister[Health](w, "Health")
	a, b := ecs.Must(w.Spawn(pos.ID())), ecs.Must(w.Spawn(pos.ID()))
	ecs.Must(w.Add(a, health.ID()))
	for _, t := range w.Tables() {
		if t.Len() > 0 {
			fmt.Println(t.Components(), t.Entities())
		}
	}
	t, row := w.TableOf(b)
	fmt.Println(t.Has(health.ID()), row, t.Column(pos.ID()).Len())
	// Output:
	// [2] [1v1]
	// [2 3] [0v1]
	// false 0 1
}

// Whole columns are slices. Writes to them stamp nothing, so the caller says which rows have changed.
func ExampleColumn() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	ecs.Must(ecs.Must(ecs.NewSpawner1[Health](w)).SpawnMany(nil, []Health{{5}, {-1}, {0}}))
	w.EndFrame()
	for t := range ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{health.ID()}})).Tables {
		column, values := health.Column(t), health.Slice(t)
		for i := range values {
			if values[i].Current < 0 {
				values[i].Current = 0
				column.Stamp(i)
			}
		}
		fmt.Println(values, column.Changed(0) > w.Since(), column.Changed(1) > w.Since())
	}
	// Output:
	// [{5} {0} {0}] false true
}

// A tick says when something was written. A program that keeps one sees what has changed since, whenever it asks.
func ExampleTick() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	e := ecs.Must(w.Spawn(health.ID()))
	changed := ecs.Must(ecs.NewQuery1[Health](w, ecs.Filter{Changed: []ecs.ComponentID{health.ID()}}))
	s := ecs.NewSchedule(w).Add("poison", func(w *ecs.World, _ float64) error {
		if w.Frame() == 2 {
			health.Write(e).Current--
		}
		return nil
	})
	try(s.Run(1))
	saved := w.Tick() // for instance of the last autosave
	for range 3 {
		try(s.Run(1))
	}
	for c := changed.StartSince(saved); c.Ok(); c = c.Next() {
		fmt.Println("save again:", c.Entity())
	}
	// Output:
	// save again: 0v1
}

// A TagSet saves the look-up of the tag for code that tests or sets it on many entities.
func ExampleTagSet() {
	w := ecs.NewWorld(ecs.Options{})
	lit := w.TagSet(ecs.Must(w.DeclareTag("lit")))
	for i := range 4 {
		e := ecs.Must(w.Spawn())
		if i%2 == 0 {
			lit.Tag(e)
		}
	}
	var dark int
	for e := range w.Entities {
		if !lit.Has(e) {
			dark++
		}
	}
	fmt.Println(lit.Len(), "lit,", dark, "dark")
	// Output:
	// 2 lit, 2 dark
}

// Any relation links entities. With IsA, an entity shares the components of its base until it gets its own.
func ExampleTarget() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	isA, guards := ecs.Must(w.DeclareRelation(ecs.IsA)), ecs.Must(w.DeclareRelation("Guards"))
	orc := ecs.Must(health.With(w.Build(), Health{30}).Spawn())
	gate := ecs.Must(w.Spawn())
	grunt := ecs.Must(w.SpawnRelated([]ecs.Target{{Relation: isA, Entity: orc}, {Relation: guards, Entity: gate}}))
	fmt.Println(health.Get(grunt), *health.Shared(grunt))
	ecs.Must(health.Set(grunt, Health{12})) // its own from here on
	fmt.Println(*health.Shared(grunt), *health.Get(orc), w.Related(grunt, guards) == gate)
	// Output:
	// <nil> {30}
	// {12} {30} true
}

// A world that makes children in turns, and reads those of each parent often, sorts them: then they lie together.
func ExampleWorld_SortByTarget() {
	w := ecs.NewWorld(ecs.Options{})
	in := ecs.Must(w.DeclareRelation("In"))
	red, blue := ecs.Must(w.Spawn()), ecs.Must(w.Spawn())
	var table *ecs.Table
	for range 2 {
		for _, team := range []ecs.Entity{red, blue} {
			e := ecs.Must(w.SpawnRelated([]ecs.Target{{Relation: in, Entity: team}}))
			table, _ = w.TableOf(e)
		}
	}
	fmt.Println(table.Entities())
	if err := w.SortByTarget(in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(table.Entities())
	// Output:
	// [2v1 3v1 4v1 5v1]
	// [2v1 4v1 3v1 5v1]
}

// In a relation with many targets, Relate adds one. The targets of an entity have the order in which they came.
func ExampleWorld_Targets() {
	w := ecs.NewWorld(ecs.Options{})
	knows := ecs.Must(w.DeclareRelation("Knows", ecs.ManyTargets))
	ann, bob, cyd := ecs.Must(w.Spawn()), ecs.Must(w.Spawn()), ecs.Must(w.Spawn())
	ecs.Must(w.Relate(ann, knows, cyd))
	ecs.Must(w.Relate(ann, knows, bob))
	ecs.Must(w.Relate(bob, knows, cyd))
	for friend := range w.Targets(ann, knows) {
		fmt.Println("ann knows", friend)
	}
	fmt.Println("cyd is known by", w.Sources(nil, knows, cyd))
	ecs.Must(w.UnrelateFrom(ann, knows, cyd))
	fmt.Println(w.Relates(ann, knows, cyd), w.Relates(ann, knows, bob), w.TargetCount(ann, knows))
	// Output:
	// ann knows 2v1
	// ann knows 1v1
	// cyd is known by [0v1 1v1]
	// false true 1
}

// An entity has at most one target in a relation that was not declared with ManyTargets; a target has any number of sources, in the order in which they were related.
func ExampleWorld_Relate() {
	w := ecs.NewWorld(ecs.Options{})
	follows := ecs.Must(w.DeclareRelation("Follows"))
	king, queen := ecs.Must(w.Spawn()), ecs.Must(w.Spawn())
	a, b := ecs.Must(w.Spawn()), ecs.Must(w.Spawn())
	ecs.Must(w.Relate(a, follows, king))
	ecs.Must(w.Relate(b, follows, king))
	ecs.Must(w.Relate(a, follows, queen))
	fmt.Println(w.Sources(nil, follows, king), w.Sources(nil, follows, queen))
	ecs.Must(w.Despawn(king))
	fmt.Println(w.Related(b, follows), w.Related(a, follows) == queen)
	// Output:
	// [3v1] [2v1]
	// none true
}
