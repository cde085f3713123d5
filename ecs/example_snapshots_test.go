package ecs_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// A copy is a checkpoint: Restore brings the world back, and handles and queries stay valid.
func ExampleWorld_Copy() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	e := ecs.Must(health.With(w.Build(), Health{10}).Spawn())
	checkpoint := ecs.Must(w.Copy())
	ecs.Must(w.Despawn(e))
	fmt.Println(w.Alive(e))
	try(w.Restore(checkpoint))
	fmt.Println(w.Alive(e), *health.Get(e), w.Digest() == checkpoint.Digest())
	// Output:
	// false
	// true {10} true
}

// A program whose declarations have changed adopts the world of an older one. Warnings say what was dropped.
func ExampleWorld_Adopt() {
	old := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](old, "Health")
	ecs.MustRegister[Armor](old, "Armor")
	e := ecs.Must(health.With(old.Build(), Health{10}).Spawn())

	w := ecs.NewWorld(ecs.Options{})
	type Health struct{ Current, Max float64 }
	changed := ecs.MustRegister[Health](w, "Health")
	warnings := ecs.Must(w.Adopt(old, ecs.Adopting{}))
	fmt.Println(*changed.Get(e), warnings)
	// Output:
	// {10 0} [component "Armor" is no longer declared, and was empty]
}

// Nothing that holds something is dropped unasked: it was renamed, or the caller allows it.
func ExampleAdopting() {
	old := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](old, "Health")
	armor := ecs.MustRegister[Armor](old, "Armor")
	e := ecs.Must(armor.With(health.With(old.Build(), Health{10}), Armor{3}).Spawn())

	w := ecs.NewWorld(ecs.Options{})
	life := ecs.MustRegister[Health](w, "Life")
	_, err := w.Adopt(old, ecs.Adopting{})
	var lost *ecs.LossError
	fmt.Println(errors.As(err, &lost), lost.Losses)
	warnings, err := w.Adopt(old, ecs.Adopting{
		Renamed: ecs.Renamed{Components: map[string]string{"Health": "Life"}},
		Drop:    func(l ecs.Loss) bool { return l.Kind == "component" && l.Name == "Armor" },
	})
	fmt.Println(*life.Get(e), warnings, err)
	// Output:
	// true [component "Health" (1 entity) component "Armor" (1 entity)]
	// {10} [component "Armor" (1 entity) is no longer declared: dropped] <nil>
}

// With its schedule, a world is saved together with what systems keep from turn to turn.
func ExampleLoadSchedule() {
	program := func() (*ecs.Schedule, ecs.Event[Hit]) {
		w := ecs.NewWorld(ecs.Options{})
		hit := ecs.Must(ecs.RegisterEvent[Hit](w, "Hit"))
		return ecs.NewSchedule(w).Add("count", func(w *ecs.World, _ float64) error {
			fmt.Println("frame", w.Frame(), "hits", len(hit.Read()))
			return nil
		}), hit
	}
	s, hit := program()
	hit.Send(Hit{Amount: 1})
	try(s.Run(1))
	hit.Send(Hit{Amount: 2})
	var file bytes.Buffer
	to := snapfile.NewWriter(&file)
	try(s.SaveSections(to))
	try(to.Close())

	again, _ := program()
	try(again.Restore(ecs.Must(ecs.LoadSchedule(ecs.Must(snapfile.Read(&file)), ecs.Options{}))))
	try(again.Run(1)) // goes on where the saved one stopped
	// Output:
	// frame 1 hits 1
	// frame 2 hits 1
}

// The digests of its parts say in which part of the world two runs differ.
func ExamplePartDigest() {
	play := func(luck float64) []ecs.PartDigest {
		w := ecs.NewWorld(ecs.Options{})
		pos, health := ecs.MustRegister[Position](w, "Position"), ecs.MustRegister[Health](w, "Health")
		e := ecs.Must(w.Spawn(pos.ID(), health.ID()))
		health.Write(e).Current = luck
		return w.PartDigests(nil)
	}
	a, b := play(1), play(2)
	for i := range a {
		if a[i].Digest != b[i].Digest {
			fmt.Println("differs:", a[i].Part)
		}
	}
	// Output:
	// differs: component Health
}

// A digest of each turn finds the system in which two runs part.
func ExampleTurnDigests() {
	play := func(luck float64) []uint64 {
		w := ecs.NewWorld(ecs.Options{})
		health := ecs.MustRegister[Health](w, "Health")
		e := ecs.Must(w.Spawn(health.ID()))
		s := ecs.NewSchedule(w)
		s.Add("regenerate", func(*ecs.World, float64) error { health.Write(e).Current++; return nil })
		s.Add("gamble", func(*ecs.World, float64) error { health.Write(e).Current *= luck; return nil })
		var list []uint64
		turns := w.NewTurnDigests()
		s.Before = func(*ecs.System) { turns.Begin() }
		s.After = func(sys *ecs.System) { list = append(list, turns.End(sys, func(string) bool { return false })) }
		try(s.Run(1))
		return list
	}
	a, b := play(1), play(2)
	fmt.Println("regenerate:", a[0] == b[0], "gamble:", a[1] == b[1])
	// Output:
	// regenerate: true gamble: false
}

// A host shows what has changed between two states of a world.
func ExampleDifference() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	boss := ecs.Must(w.DeclareTag("boss"))
	e := ecs.Must(w.Spawn(health.ID()))
	before := ecs.Must(w.Copy())
	health.Write(e).Current = 4
	w.Tag(e, boss)
	for _, d := range before.Differences(w, 10) {
		switch d.Kind {
		case ecs.DifferentField:
			fmt.Println(d.Entity, d.Name, d.Field, "was", d.A, "and is", d.B)
		default:
			fmt.Println(d.What())
		}
	}
	// Output:
	// 0v1 Health current was 0 and is 4
	// entity 0v1, tag boss
}

func ExampleWorld_Save() {
	type Position struct{ X, Y float64 }
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	pos := ecs.MustRegister[Position](w, "Position")
	e, _ := w.Spawn(pos.ID())
	pos.Write(e).X = 3
	var file bytes.Buffer
	if err := w.Save(&file); err != nil {
		panic(err)
	}
	loaded, err := ecs.Load(&file, ecs.Options{})
	if err != nil {
		panic(err)
	}
	again := ecs.MustRegister[Position](loaded, "Position") // the Go type for what the file declares
	fmt.Println(again.Get(e).X, loaded.Digest() == w.Digest())
	// Output: 3 true
}

// Two runs are the same when their digests are.
func ExampleWorld_Digest() {
	play := func(seed uint64) ecs.Digest {
		w := ecs.NewWorld(ecs.Options{Seed: seed})
		pos := ecs.MustRegister[Position](w, "Position")
		for range 100 {
			ecs.Must(pos.With(w.Build(), Position{w.Random().Float64(), 0}).Spawn())
		}
		return w.Digest()
	}
	first, again := play(7), play(7)
	fmt.Println(first == again, first == play(8))
	// Output:
	// true false
}

func ExampleWorld_Differences() {
	type Position struct{ X, Y float64 }
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	position := ecs.MustRegister[Position](w, "Position")
	e, _ := w.Spawn(position.ID())
	before, _ := w.Copy()
	_, _ = position.Set(e, Position{X: 3})
	for _, d := range before.Differences(w, 10) {
		fmt.Println(d)
	}
	// Output: entity 0v1, Position.x: 0, 3
}
