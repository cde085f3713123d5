package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

type Armor struct{ Points float64 }

type Burning struct{ Damage float64 }

type Team struct{ Number uint8 }

// A walk that stops before its end calls End. This one looks for the first that can be healed.
func ExampleQuery1() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Health](w, "Health")
	ecs.Must(ecs.Must(ecs.NewSpawner1[Health](w)).SpawnMany(nil, []Health{{100}, {40}, {70}}))
	wounded := ecs.Must(ecs.NewQuery1[ecs.Mut[Health]](w))
	for e := wounded.Start(); e.Ok(); e = e.Next() {
		if h := e.Get(); h.V.Current < 100 {
			h.V.Current += 20
			fmt.Println("healed", e.Entity(), h.V)
			e.End() // unlocks structure; what the walk has visited counts as changed
			break
		}
	}
	fmt.Println(w.Locked())
	// Output:
	// healed 1v1 {60}
	// false
}

// Mut names the components that the walk writes; the others it only reads.
func ExampleQuery3() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Armor](w, "Armor")
	ecs.MustRegister[Burning](w, "Burning")
	ecs.Must(ecs.Must(ecs.NewSpawner3[Health, Armor, Burning](w)).Spawn(Health{50}, Armor{3}, Burning{8}))
	burning := ecs.Must(ecs.NewQuery3[ecs.Mut[Health], Armor, Burning](w))
	for e := burning.Start(); e.Ok(); e = e.Next() {
		h, armor, fire := e.Get()
		h.V.Current -= fire.Damage - armor.Points
		fmt.Println(e.Entity(), h.V.Current)
	}
	// Output:
	// 0v1 45
}

// StartTarget visits only the entities that are related to a target: here the crew of one ship.
func ExampleQuery4() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Team](w, "Team")
	crewOf := ecs.Must(w.DeclareRelation("CrewOf"))
	sailors := ecs.Must(ecs.NewSpawner4[Position, Velocity, Health, Team](w))
	ship, other := ecs.Must(w.Spawn()), ecs.Must(w.Spawn())
	for i, s := range []ecs.Entity{ship, other, ship} {
		ecs.Must(sailors.Spawn(Position{X: float64(i)}, Velocity{DX: 1}, Health{10}, Team{1}, ecs.Target{Relation: crewOf, Entity: s}))
	}
	crew := ecs.Must(ecs.NewQuery4[ecs.Mut[Position], Velocity, Health, Team](w))
	for e := ecs.Must(crew.StartTarget(crewOf, ship)); e.Ok(); e = e.Next() {
		p, v, _, team := e.Get()
		p.V.X += v.DX
		fmt.Println(e.Entity(), p.V.X, "team", team.Number)
	}
	// Output:
	// 2v1 1 team 1
	// 4v1 3 team 1
}

// An optional component is a type, too, so one walk serves those that burn and those that do not.
func ExampleQuery5() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Armor](w, "Armor")
	ecs.MustRegister[Team](w, "Team")
	ecs.MustRegister[Burning](w, "Burning")
	ecs.Must(ecs.Must(ecs.NewSpawner4[Position, Health, Armor, Team](w)).Spawn(Position{1, 2}, Health{30}, Armor{5}, Team{1}))
	ecs.Must(ecs.Must(ecs.NewSpawner5[Position, Health, Armor, Team, Burning](w)).Spawn(Position{3, 4}, Health{20}, Armor{0}, Team{2}, Burning{6}))
	report := ecs.Must(ecs.NewQuery5[Position, Health, Armor, Team, ecs.Maybe[Burning]](w))
	for e := report.Start(); e.Ok(); e = e.Next() {
		p, h, armor, team, fire := e.Get()
		fmt.Println("team", team.Number, "at", *p, *h, *armor, fire.Get() != nil)
	}
	// Output:
	// team 1 at {1 2} {30} {5} false
	// team 2 at {3 4} {20} {0} true
}

// With NextRun, a walk over many columns costs one step for each run of rows, and the loop over the rows is plain Go.
func ExampleQuery6() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Armor](w, "Armor")
	ecs.MustRegister[Team](w, "Team")
	ecs.MustRegister[Burning](w, "Burning")
	units := ecs.Must(ecs.NewSpawner6[Position, Velocity, Health, Armor, Team, Burning](w))
	ecs.Must(units.Spawn(Position{}, Velocity{1, 0}, Health{50}, Armor{1}, Team{1}, Burning{3}))
	ecs.Must(units.Spawn(Position{}, Velocity{0, 1}, Health{50}, Armor{2}, Team{2}, Burning{3}))
	q := ecs.Must(ecs.NewQuery6[ecs.Mut[Position], Velocity, ecs.Mut[Health], Armor, Team, Burning](w))
	for e := q.Start(); e.Ok(); e = e.NextRun() {
		p, v, h, armor, _, fire := e.Slices()
		for i := range p {
			p[i].V.X += v[i].DX
			p[i].V.Y += v[i].DY
			h[i].V.Current -= fire[i].Damage - armor[i].Points
		}
		fmt.Println(p[0].V, h[0].V, p[1].V, h[1].V)
	}
	// Output:
	// {1 0} {48} {0 1} {49}
}

// WriteOf and Of take the Visit of any walk. They reach components that are not among the types of the query, and stamp only
// the few entities that are written.
func ExampleVisit() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Health](w, "Health")
	armor := ecs.MustRegister[Armor](w, "Armor")
	ecs.Must(ecs.Must(ecs.NewSpawner1[Health](w)).Spawn(Health{5}))
	ecs.Must(ecs.Must(ecs.NewSpawner2[Health, Armor](w)).Spawn(Health{5}, Armor{3}))
	wear := func(v ecs.Visit) {
		if a := armor.WriteOf(v); a != nil {
			a.Points--
			fmt.Println(v.Entity(), "has armor", a.Points)
		}
	}
	alive := ecs.Must(ecs.NewQuery1[Health](w))
	for e := alive.Start(); e.Ok(); e = e.Next() {
		wear(e.Visit)
	}
	// Output:
	// 1v1 has armor 2
}

// A query without Go types serves components that are known at run time only. Structure may change while the list is worked off.
func ExampleQuery() {
	w := ecs.NewWorld(ecs.Options{})
	poisoned := ecs.Must(w.DeclareComponent("Poisoned", ecs.Must(ecs.NewSchema())))
	for range 3 {
		ecs.Must(w.Spawn(poisoned))
	}
	sick := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{poisoned}}))
	fmt.Println(sick.Count(), "sick, first", sick.First())
	for _, e := range sick.AppendEntities(nil)[:2] {
		ecs.Must(w.Remove(e, poisoned))
	}
	fmt.Println(sick.Count(), "sick; died:", ecs.Must(sick.DespawnAll()), "left:", w.Len())
	// Output:
	// 3 sick, first 0v1
	// 1 sick; died: 1 left: 2
}

// All conditions of a filter must hold.
func ExampleFilter() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	armor := ecs.MustRegister[Armor](w, "Armor")
	boss := ecs.Must(w.DeclareTag("boss"))
	ecs.Must(w.Spawn(health.ID(), armor.ID()))
	rat, queen := ecs.Must(w.Spawn(health.ID())), ecs.Must(w.Spawn(health.ID()))
	w.Tag(queen, boss)
	soft := ecs.Must(w.Query(ecs.Filter{
		Required: []ecs.ComponentID{health.ID()},
		Without:  []ecs.ComponentID{armor.ID()},
		Untagged: []ecs.TagID{boss},
	}))
	fmt.Println(soft.AppendEntities(nil), rat)
	// Output:
	// [1v1] 1v1
}

// Conditions can be nested. Two filters that are built alike give the same query.
func ExampleExpr() {
	w := ecs.NewWorld(ecs.Options{})
	health, armor := ecs.MustRegister[Health](w, "Health"), ecs.MustRegister[Armor](w, "Armor")
	ghost := ecs.Must(w.DeclareTag("ghost"))
	weak := func() *ecs.Expr {
		return ecs.And(ecs.Contains(health.ID()), ecs.Not(ecs.Or(ecs.Contains(armor.ID()), ecs.HasTag(ghost))))
	}
	ecs.Must(w.Spawn(health.ID(), armor.ID()))
	ecs.Must(w.Spawn(health.ID()))
	w.Tag(ecs.Must(w.Spawn(health.ID())), ghost)
	q := ecs.Must(w.Query(ecs.Filter{Where: weak()}))
	fmt.Println(q.AppendEntities(nil), q == ecs.Must(w.Query(ecs.Filter{Where: weak()})))
	// Output:
	// [1v1] true
}
