package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Things lie in chests and are carried by people: a relation says in what each of them is. Whoever carries too much drops the heaviest thing.
func Example_inventory() {
	type (
		Name   struct{ Text string }
		Weight struct{ Kilos float64 }
		Worth  struct{ Coins int64 }
	)
	w := ecs.NewWorld(ecs.Options{})
	names := ecs.MustRegister[Name](w, "Name")
	weights := ecs.MustRegister[Weight](w, "Weight")
	ecs.MustRegister[Worth](w, "Worth")
	in := ecs.Must(w.DeclareRelation("In"))

	holders := ecs.Must(ecs.NewSpawner1[Name](w))
	chest, anna, shop := ecs.Must(holders.Spawn(Name{"chest"})), ecs.Must(holders.Spawn(Name{"Anna"})), ecs.Must(holders.Spawn(Name{"shop"}))
	things := ecs.Must(ecs.NewSpawner3[Name, Weight, Worth](w))
	ecs.Must(things.SpawnMany(nil,
		[]Name{{"anvil"}, {"ring"}, {"rope"}, {"shield"}}, []Weight{{90}, {0.1}, {4}, {9}}, []Worth{{30}, {500}, {3}, {80}},
		ecs.Target{Relation: in, Entity: chest}))

	carried := ecs.Must(ecs.NewQuery3[Name, Weight, Worth](w))
	heaviest := weights.By("kilos")
	heaviest.Down = true
	heavy := ecs.Must(carried.Ordered(heaviest))
	show := func(holder ecs.Entity) {
		var kilos float64
		var coins int64
		for e := ecs.Must(carried.StartTarget(in, holder)); e.Ok(); e = e.Next() {
			_, weight, worth := e.Get()
			kilos, coins = kilos+weight.Kilos, coins+worth.Coins
		}
		fmt.Printf("%s: %d things, %g kg, %d coins\n", names.Get(holder).Text, w.SourceCount(in, holder), kilos, coins)
	}
	// who takes a thing is told of it
	ecs.Must(w.Observe(ecs.ObserverSpec{Kind: ecs.OnRelated, Name: "In", Run: func(_ *ecs.World, c ecs.Change) error {
		fmt.Println(names.Get(c.Entity).Text, "->", names.Get(c.Target).Text)
		return nil
	}}))

	show(chest)
	ecs.Must(w.Retarget(in, chest, anna)) // takes all that is in it
	first := ecs.Must(heavy.BeginFirstOf(in, anna))
	first.Next()
	thing := first.Entity()
	first.End()
	ecs.Must(w.Relate(thing, in, chest)) // too heavy
	show(anna)

	for e := ecs.Must(carried.StartTarget(in, anna)); e.Ok(); e = e.Next() { // sells what is worth something
		if _, _, worth := e.Get(); worth.Coins >= 50 {
			if err := w.Commands().Relate(e.Entity(), in, shop); err != nil {
				fmt.Println(err)
			}
		}
	}
	fmt.Println(w.Commands().Apply())
	for _, holder := range []ecs.Entity{chest, anna, shop} {
		show(holder)
	}
	ecs.Must(w.Despawn(chest)) // what was in it lies on the ground
	fmt.Println(w.Alive(thing), w.Related(thing, in) == ecs.None)
	// Output:
	// chest: 4 things, 103.1 kg, 613 coins
	// anvil -> Anna
	// ring -> Anna
	// rope -> Anna
	// shield -> Anna
	// anvil -> chest
	// Anna: 3 things, 13.1 kg, 583 coins
	// ring -> shop
	// shield -> shop
	// <nil>
	// chest: 1 things, 90 kg, 30 coins
	// Anna: 1 things, 4 kg, 3 coins
	// shop: 2 things, 9.1 kg, 580 coins
	// true true
}
