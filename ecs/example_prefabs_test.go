package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// A goblin is a monster with fewer points and a sword. What is set at the prefab is seen by all that have no value of their own.
func ExamplePrefabSpec() {
	type Health struct{ Current, Max float64 }
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	enemy := ecs.Must(w.DeclareTag("enemy"))
	fields := func(values ...float64) (list []ecs.FieldValue) {
		for i, v := range values {
			list = append(list, ecs.FieldValue{Index: i, Value: ecs.Number(v)})
		}
		return list
	}
	ecs.Must(w.DeclarePrefab(ecs.PrefabSpec{
		Name: "monster", Components: []ecs.PrefabPart{{Component: health.ID(), Fields: fields(10, 10)}}, Tags: []ecs.TagID{enemy},
	}))
	goblin := ecs.Must(w.DeclarePrefab(ecs.PrefabSpec{
		Name: "goblin", Base: "monster", Components: []ecs.PrefabPart{{Component: health.ID(), Fields: fields(7)}},
		Children: []ecs.PrefabSpec{{Name: "sword"}},
	}))

	a := ecs.Must(w.Instance(goblin, nil))
	b := ecs.Must(w.Instance(goblin, nil, health.ID())) // with a component of its own, which begins as that of the prefab
	fmt.Println(*health.Shared(a), w.Tagged(a, enemy), w.PrefabOf(w.Related(w.Child(a, "sword"), ecs.Must(w.DeclareRelation(ecs.IsA)))))

	health.Write(goblin).Max = 20
	fmt.Println(*health.Shared(a), *health.Shared(b))
	_, err := w.Despawn(goblin)
	fmt.Println(err)
	// Output:
	// {7 10} true goblin/sword
	// {7 20} {7 10}
	// despawn 1v1: it is a prefab: its base and its children are declared, and it lives as long as the declaration; use an instance of it
}
