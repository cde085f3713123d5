package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// A copy has components, tags and relations of its own. It has no children.
func ExampleWorld_CopyEntity() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	childOf, _ := w.LookupRelation(ecs.ChildOf)
	cart := ecs.Must(w.Spawn())
	ecs.Must(health.Set(cart, Health{7}))
	ecs.Must(w.SpawnRelated([]ecs.Target{{Relation: childOf, Entity: cart}}))

	other := ecs.Must(w.CopyEntity(cart))
	health.Write(cart).Current = 1
	fmt.Println(other, *health.Get(other), w.SourceCount(childOf, other))
	// Output:
	// 2v1 {7} 0
}

// All that one chest holds goes into another one; then some of it goes to a third.
func ExampleWorld_Retarget() {
	w := ecs.NewWorld(ecs.Options{})
	in := ecs.Must(w.DeclareRelation("In"))
	chests := ecs.Must(ecs.Must(w.Bundle()).SpawnMany(3, nil))
	for range 4 {
		ecs.Must(w.SpawnRelated([]ecs.Target{{Relation: in, Entity: chests[0]}}))
	}
	fmt.Println(ecs.Must(w.Retarget(in, chests[0], chests[1])))
	some := w.Sources(nil, in, chests[1])[:3]
	fmt.Println(ecs.Must(w.RelateMany(some, in, chests[2])))
	for _, c := range chests {
		fmt.Print(w.SourceCount(in, c), " ")
	}
	// Output:
	// 4
	// 3
	// 0 1 3
}

// A level begins anew: declarations, queries and observers stay.
func ExampleWorld_Reset() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	q := ecs.Must(ecs.NewQuery1[Health](w))
	ecs.Must(health.OnAdded(func(_ *ecs.World, e ecs.Entity, h *Health) error {
		fmt.Println(e, *h)
		return nil
	}))
	for range 2 {
		ecs.Must(health.Set(ecs.Must(w.Spawn()), Health{3}))
		fmt.Println(q.Count(), q.EntityAt(0))
		if err := w.Reset(); err != nil {
			panic(err)
		}
	}
	fmt.Println(q.Count(), q.EntityAt(0))
	// Output:
	// 0v1 {3}
	// 1 0v1
	// 0v1 {3}
	// 1 0v1
	// 0 none
}
