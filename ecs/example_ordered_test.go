package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

func ExampleOrdered() {
	type Foe struct{ Seq int32 }
	w := ecs.NewWorld(ecs.Options{})
	foes := ecs.MustRegister[Foe](w, "Foe")
	for _, seq := range []int32{3, 1, 2} {
		_, _ = foes.Set(ecs.Must(w.Spawn()), Foe{seq})
	}
	q := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{foes.ID()}}))
	down := foes.By("seq")
	down.Down = true
	for e := range ecs.Must(q.Ordered(down)).All {
		fmt.Println(foes.Get(e).Seq)
	}
	// Output:
	// 3
	// 2
	// 1
}

// A typed query is walked in an order as it is in the plain one.
func ExampleQuery2_StartOrdered() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	ecs.MustRegister[Armor](w, "Armor")
	soldiers := ecs.Must(ecs.NewSpawner2[Health, Armor](w))
	ecs.Must(soldiers.SpawnMany(nil, []Health{{30}, {10}, {20}}, []Armor{{1}, {2}, {3}}))
	q := ecs.Must(ecs.NewQuery2[ecs.Mut[Health], Armor](w))
	weakest := ecs.Must(q.Ordered(health.By("current"))) // made once; each walk sorts anew
	potions := 2.0
	for e := q.StartOrdered(weakest); e.Ok(); e = e.Next() {
		h, a := e.Get()
		if potions > 0 {
			h.V.Current += 5
			potions--
		}
		fmt.Println(h.V.Current, a.Points)
	}
	// Output:
	// 15 2
	// 25 3
	// 30 1
}
