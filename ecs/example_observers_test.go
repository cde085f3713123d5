package ecs_test

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// An observer is told right after the operation, or right before one that takes something away.
func ExampleObserver() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	boss := ecs.Must(w.DeclareTag("boss"))
	follows := ecs.Must(w.DeclareRelation("Follows"))
	for _, spec := range []ecs.ObserverSpec{
		{Kind: ecs.OnTagged, Name: "boss"}, {Kind: ecs.OnRelated, Name: "Follows"}, {Kind: ecs.OnRemoved, Name: "Health"},
	} {
		var o *ecs.Observer
		spec.Run = func(_ *ecs.World, c ecs.Change) error {
			fmt.Println(o.Spec().Kind, "-", o.Describe(c))
			return nil
		}
		o = ecs.Must(w.Observe(spec))
	}
	king, knight := ecs.Must(w.Spawn(health.ID())), ecs.Must(w.Spawn())
	w.Tag(king, boss)
	ecs.Must(w.Relate(knight, follows, king))
	ecs.Must(w.Despawn(king))
	// Output:
	// tagged - 0v1 was tagged "boss"
	// related - Follows of 1v1 was set to 0v1
	// removed - Health was removed from 0v1
}

// An observer of several components is told once: when an entity has got the last of them, or is about to lose the first.
func ExampleObserverSpec() {
	w := ecs.NewWorld(ecs.Options{})
	pos, vel := ecs.MustRegister[Position](w, "Position"), ecs.MustRegister[Velocity](w, "Velocity")
	for _, kind := range []ecs.ObserverKind{ecs.OnAdded, ecs.OnRemoved} {
		ecs.Must(w.Observe(ecs.ObserverSpec{Kind: kind, Name: "Position", With: []string{"Velocity"}, Run: func(_ *ecs.World, c ecs.Change) error {
			fmt.Println(kind, c.Entity, *pos.Get(c.Entity), *vel.Get(c.Entity))
			return nil
		}}))
	}
	e := ecs.Must(w.Spawn())
	ecs.Must(pos.Set(e, Position{1, 2})) // nobody is told
	ecs.Must(vel.Set(e, Velocity{3, 4}))
	ecs.Must(w.Remove(e, pos.ID()))
	ecs.Must(w.Despawn(e)) // it had lost one already
	// Output:
	// added 0v1 {1 2} {3 4}
	// removed 0v1 {1 2} {3 4}
}

// The kind of an observer can come from a file. Its subject says what the name belongs to.
func ExampleObserverKind() {
	kind, ok := ecs.ParseObserverKind("tagged")
	fmt.Println(kind == ecs.OnTagged, ok, kind.Subject())
	fmt.Println(ecs.ObserverKinds())
	// Output:
	// true true tag
	// [added removed set tagged untagged related unrelated spawned despawned]
}

// The error of an observer ends the frame and names the change that called it. Commands that it has queued are dropped.
func ExampleObserverError() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	e := ecs.Must(w.Spawn(health.ID()))
	ecs.Must(health.OnSet(func(_ *ecs.World, _ ecs.Entity, h *Health) error {
		if h.Current < 0 {
			return errors.New("negative health")
		}
		return nil
	}))
	err := ecs.NewSchedule(w).Add("damage", func(*ecs.World, float64) error {
		_, err := health.Set(e, Health{-4})
		return err
	}).Run(1)
	var failed *ecs.ObserverError
	fmt.Println(errors.As(err, &failed), err)
	fmt.Println(failed.Err, "|", failed.Change.Entity, failed.Change.System.Name())
	// Output:
	// true observer set Health: negative health (while Health of 0v1 was set)
	// negative health | 0v1 damage
}

func ExampleComponent_OnSet() {
	type Health struct{ Current, Max float64 }
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	dead, _ := w.DeclareTag("dead")
	_, err := health.OnSet(func(w *ecs.World, e ecs.Entity, h *Health) error {
		if h.Current <= 0 {
			w.Tag(e, dead)
			w.Commands().Despawn(e) // structure is locked here
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	_, err = w.Observe(ecs.ObserverSpec{Kind: ecs.OnTagged, Name: "dead", Run: func(w *ecs.World, c ecs.Change) error {
		fmt.Println(c.Entity, "dies with", health.Get(c.Entity).Current)
		return nil
	}})
	if err != nil {
		panic(err)
	}
	rat, _ := w.Spawn(health.ID())
	_, _ = health.Set(rat, Health{Current: 5})
	_, _ = health.Set(rat, Health{Current: -1})
	_ = w.Commands().Apply()
	fmt.Println(w.Alive(rat))
	// Output:
	// 0v1 dies with -1
	// false
}
