package ecs_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/ecsrun/ecsrun/ecs"
)

type Position struct{ X, Y float64 }

type Velocity struct{ DX, DY float64 }

type Health struct{ Current float64 }

type Hit struct {
	Target ecs.Entity
	Amount float64
}

// try ends the example if there is an error.
func try(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A world, two components, an entity with both and one with a position only; a query moves what can move.
func Example() {
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	pos := ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")

	rat := ecs.Must(ecs.Must(ecs.NewSpawner2[Position, Velocity](w)).Spawn(Position{1, 1}, Velocity{2, 0}))
	tree := ecs.Must(ecs.Must(ecs.NewSpawner1[Position](w)).Spawn(Position{9, 9}))

	moving := ecs.Must(ecs.NewQuery2[ecs.Mut[Position], Velocity](w))
	for e := moving.Start(); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.V.X += v.DX
		p.V.Y += v.DY
		fmt.Println("moved", e.Entity())
	}
	fmt.Println(*pos.Get(rat), *pos.Get(tree))
	// Output:
	// moved 0v1
	// {3 1} {9 9}
}

// A component declared at run time, as a config file does it, is laid out like the Go struct: native code takes its column without a copy.
func ExampleRegister() {
	w := ecs.NewWorld(ecs.Options{})
	schema := ecs.Must(ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64}))
	id := ecs.Must(w.DeclareComponent("Position", schema))
	ecs.Must(w.Spawn(id))
	ecs.Must(w.Spawn(id))

	pos := ecs.Must(ecs.Register[Position](w, "Position"))
	for t := range ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{id}})).Tables {
		column := pos.Slice(t) // []Position
		for i := range column {
			column[i].X = float64(i) + 0.5
		}
		pos.Column(t).StampAll() // raw writes stamp nothing
		fmt.Println(column)
	}

	type Wrong struct{ X, Y float32 }
	_, err := ecs.Register[Wrong](w, "Position")
	fmt.Println(errors.Is(err, ecs.ErrMismatch))
	// Output:
	// [{0.5 0} {1.5 0}]
	// true
}

// Values of any component can be read and written by field, without its Go type.
func ExampleWorld_Set() {
	w := ecs.NewWorld(ecs.Options{})
	schema := ecs.Must(ecs.NewSchema(
		ecs.Field{Name: "name", Type: ecs.String, Default: ecs.Text("rat")},
		ecs.Field{Name: "level", Type: ecs.U8, Default: ecs.Number(1)}))
	unit := ecs.Must(w.DeclareComponent("Unit", schema))
	e := ecs.Must(w.Spawn())

	level := schema.Index("level")
	ecs.Must(w.Set(e, unit, ecs.FieldValue{Index: level, Value: ecs.Number(7)})) // adds what is missing
	view := w.Ref(e, unit)
	fmt.Println(ecs.Must(view.Get(schema.Index("name"))), ecs.Must(view.Get(level)))

	_, err := w.Set(e, unit, ecs.FieldValue{Index: level, Value: ecs.Number(300)})
	fmt.Println(err)
	// Output:
	// "rat" 7
	// set Unit.level on 0v1: 300 does not fit u8 (0 to 255)
}

// Structure is locked while a loop is open. Commands are queued as data and applied afterwards.
func ExampleCommands() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	for i := range 4 {
		ecs.Must(health.With(w.Build(), Health{float64(i % 2)}).Spawn())
	}
	q := ecs.Must(ecs.NewQuery1[Health](w))
	for e := q.Start(); e.Ok(); e = e.Next() {
		if e.Get().Current > 0 {
			continue
		}
		if _, err := w.Despawn(e.Entity()); err != nil {
			fmt.Println(err)
		}
		w.Commands().Despawn(e.Entity())
	}
	fmt.Println(q.Count(), "before")
	if err := w.Commands().Apply(); err != nil { // a schedule does this when a system returns
		log.Fatal(err)
	}
	fmt.Println(q.Count(), "after")
	// Output:
	// despawn 0v1: structure is locked by an open query loop; queue the change on Commands, or call World.EndWalks if a panic has left the loop
	// despawn 2v1: structure is locked by an open query loop; queue the change on Commands, or call World.EndWalks if a panic has left the loop
	// 4 before
	// 2 after
}

// A tag is set on an entity without moving it, so it may flip as often as it likes, inside loops too.
func ExampleWorld_Tag() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	selected := ecs.Must(w.DeclareTag("selected"))
	all := ecs.Must(ecs.NewQuery1[Position](w))
	for i := range 4 {
		ecs.Must(pos.With(w.Build(), Position{X: float64(i)}).Spawn())
	}
	for e := all.Start(); e.Ok(); e = e.Next() {
		if e.Get().X >= 2 {
			w.Tag(e.Entity(), selected)
		}
	}
	chosen := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{pos.ID()}, Tagged: []ecs.TagID{selected}}))
	fmt.Println(chosen.Count(), w.TagMembers(selected))
	fmt.Println(w.Untag(chosen.First(), selected), chosen.Count())
	// Output:
	// 2 [2v1 3v1]
	// true 1
}

// A resource is one value of the whole world, held by a pointer that stays valid.
func ExampleRegisterResource() {
	type Score struct{ Red, Blue int32 }
	w := ecs.NewWorld(ecs.Options{})
	score := ecs.Must(ecs.RegisterResource[Score](w, "score"))
	score.Red += 3

	id, _ := w.LookupResource("score") // the same value, by field
	row := w.Resource(id)
	fmt.Println(row.Get(row.Schema().Index("red")), row.Get(row.Schema().Index("blue")))
	// Output:
	// 3 0
}
