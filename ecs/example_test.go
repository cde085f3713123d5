package ecs_test

import (
	"bytes"
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

// must unwraps what can only fail by a bug in the example.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// A world, two components, an entity with both and one with a position only; a query moves what can move.
func Example() {
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	pos := ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")

	rat := must(must(ecs.NewSpawner2[Position, Velocity](w)).Spawn(Position{1, 1}, Velocity{2, 0}))
	tree := must(must(ecs.NewSpawner1[Position](w)).Spawn(Position{9, 9}))

	moving := must(ecs.NewQuery2[Position, ecs.Read[Velocity]](w))
	for e := moving.Start(); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.X += v.Get().DX
		p.Y += v.Get().DY
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
	schema := must(ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64}))
	id := must(w.DeclareComponent("Position", schema))
	must(w.Spawn(id))
	must(w.Spawn(id))

	pos := must(ecs.Register[Position](w, "Position"))
	for t := range must(w.Query(ecs.Filter{Required: []ecs.ComponentID{id}})).Tables {
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
	schema := must(ecs.NewSchema(
		ecs.Field{Name: "name", Type: ecs.String, Default: ecs.Text("rat")},
		ecs.Field{Name: "level", Type: ecs.U8, Default: ecs.Number(1)}))
	unit := must(w.DeclareComponent("Unit", schema))
	e := must(w.Spawn())

	level := schema.Index("level")
	must(w.Set(e, unit, ecs.FieldValue{Index: level, Value: ecs.Number(7)})) // adds what is missing
	view := w.Ref(e, unit)
	fmt.Println(must(view.Get(schema.Index("name"))), must(view.Get(level)))

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
		must(health.With(w.Build(), Health{float64(i % 2)}).Spawn())
	}
	q := must(ecs.NewQuery1[ecs.Read[Health]](w))
	for e := q.Start(); e.Ok(); e = e.Next() {
		if e.Get().Get().Current > 0 {
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
	// despawn 0v1: structure is locked by an open query loop; queue the change on Commands
	// despawn 2v1: structure is locked by an open query loop; queue the change on Commands
	// 4 before
	// 2 after
}

// Peek shows two frames of events, as often as asked; a reader gets each event once.
func ExampleEvent() {
	w := ecs.NewWorld(ecs.Options{})
	hit := must(ecs.RegisterEvent[Hit](w, "Hit"))
	for frame := range 3 {
		w.BeginFrame(1)
		if frame < 2 {
			hit.Send(Hit{Amount: float64(frame + 1)})
		}
		fmt.Println("frame", w.Frame(), "peek", len(hit.Peek()), "read", len(hit.Read()))
		w.EndFrame()
	}
	// Output:
	// frame 1 peek 1 read 1
	// frame 2 peek 2 read 1
	// frame 3 peek 1 read 0
}

// A schedule runs systems frame by frame. A native system is a function of the world and dt.
func ExampleSchedule() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	vel := ecs.MustRegister[Velocity](w, "Velocity")
	e := must(vel.With(w.Build().With(pos.ID()), Velocity{1, 2}).Spawn())
	moving := must(ecs.NewQuery2[Position, ecs.Read[Velocity]](w))

	s := ecs.NewSchedule(w)
	must(s.AddSystem(ecs.SystemSpec{Name: "report", Every: 2, After: []string{"movement"}, Run: func(w *ecs.World, dt float64) error {
		fmt.Printf("frame %d, %g s since the last report: %v\n", w.Frame(), dt, *pos.Get(e))
		return nil
	}}))
	s.Add("movement", func(_ *ecs.World, dt float64) error {
		for e := moving.Start(); e.Ok(); e = e.NextRun() {
			p, v := e.Slices()
			for i := range p {
				p[i].X += v[i].Get().DX * dt
				p[i].Y += v[i].Get().DY * dt
			}
		}
		return nil
	})
	for range 4 {
		if err := s.Run(0.5); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(s.Names())
	// Output:
	// frame 2, 1 s since the last report: {1 2}
	// frame 4, 1 s since the last report: {2 4}
	// [movement report]
}

// A system sees what others changed since its own last turn. What it writes itself is no news to it.
func ExampleFilter_changed() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	a, b := must(w.Spawn(pos.ID())), must(w.Spawn(pos.ID()))
	moved := must(ecs.NewQuery1[ecs.Read[Position]](w, ecs.Filter{Changed: []ecs.ComponentID{pos.ID()}}))

	s := ecs.NewSchedule(w).Add("push", func(w *ecs.World, _ float64) error {
		if w.Frame() == 2 {
			pos.Mut(b).X++
		}
		if w.Frame() == 3 {
			w.Commands().Despawn(a)
		}
		return nil
	}).Add("redraw", func(w *ecs.World, _ float64) error {
		for e := moved.Start(); e.Ok(); e = e.Next() {
			fmt.Println("frame", w.Frame(), "redraw", e.Entity())
		}
		for _, e := range w.Removed(nil, pos.ID()) {
			fmt.Println("frame", w.Frame(), "erase", e)
		}
		return nil
	})
	for range 4 {
		if err := s.Run(1); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// frame 1 redraw 0v1
	// frame 1 redraw 1v1
	// frame 2 redraw 1v1
	// frame 3 erase 0v1
}

// A tag is set on an entity without moving it, so it may flip as often as it likes, inside loops too.
func ExampleWorld_Tag() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	selected := must(w.DeclareTag("selected"))
	all := must(ecs.NewQuery1[ecs.Read[Position]](w))
	for i := range 4 {
		must(pos.With(w.Build(), Position{X: float64(i)}).Spawn())
	}
	for e := all.Start(); e.Ok(); e = e.Next() {
		if e.Get().Get().X >= 2 {
			w.Tag(e.Entity(), selected)
		}
	}
	chosen := must(w.Query(ecs.Filter{Required: []ecs.ComponentID{pos.ID()}, Tagged: []ecs.TagID{selected}}))
	fmt.Println(chosen.Count(), w.TagMembers(selected))
	fmt.Println(w.Untag(chosen.First(), selected), chosen.Count())
	// Output:
	// 2 [2v1 3v1]
	// true 1
}

// A bundle is a prepared set of components: it spawns many at once and lets init fill whole columns.
func ExampleBundle() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	vel := ecs.MustRegister[Velocity](w, "Velocity")
	unit := must(w.Bundle(pos.ID(), vel.ID()))
	es := must(unit.SpawnMany(1000, func(t *ecs.Table, from, to int) {
		column := pos.Slice(t)
		for i := from; i < to; i++ {
			column[i] = Position{X: float64(i - from)}
		}
	}))
	fmt.Println(len(es), *pos.Get(es[999]))

	frozen := must(w.Bundle(must(w.DeclareComponent("Frozen", must(ecs.NewSchema())))))
	must(frozen.Add(es[0])) // remembers where entities of this kind go
	must(frozen.Remove(es[0]))
	fmt.Println(w.ComponentsOf(es[0]))
	// Output:
	// 1000 {999 0}
	// [0 1]
}

// A builder collects values and tags and spawns straight into the right table.
func ExampleBuilder() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	health := ecs.MustRegister[Health](w, "Health")
	boss := must(w.DeclareTag("boss"))
	b := w.Build()
	pos.With(b, Position{5, 5})
	health.With(b, Health{100})
	e := must(b.Tag(boss).Spawn())
	fmt.Println(e, *health.Get(e), w.Tagged(e, boss), len(w.Tables()))
	// Output:
	// 0v1 {100} true 2
}

// A grid answers who is near, from a snapshot of the positions that is taken once a frame.
func ExampleGrid_Near() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	for i := range 10 {
		must(pos.With(w.Build(), Position{X: float64(i * i)}).Spawn())
	}
	grid := must(w.DeclareGrid(ecs.GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}))
	grid.Near(3, 0, 3, func(e ecs.Entity, d2 float64) bool {
		fmt.Println(e, "at squared distance", d2)
		return true // go on
	})
	// Output:
	// 0v1 at squared distance 9
	// 1v1 at squared distance 4
	// 2v1 at squared distance 1
}

// A resource is one value of the whole world, held by a pointer that stays valid.
func ExampleRegisterResource() {
	type Score struct{ Red, Blue int32 }
	w := ecs.NewWorld(ecs.Options{})
	score := must(ecs.RegisterResource[Score](w, "score"))
	score.Red += 3

	id, _ := w.LookupResource("score") // the same value, by field
	row := w.Resource(id)
	fmt.Println(row.Get(row.Schema().Index("red")), row.Get(row.Schema().Index("blue")))
	// Output:
	// 3 0
}

// Each system draws from a stream of its own, derived from the seed and its name: adding a system changes nobody else's numbers.
func ExampleWorld_Random() {
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	roll := func(w *ecs.World, _ float64) error {
		fmt.Println(w.Random().Between(1, 6), w.Random().Between(1, 6))
		return nil
	}
	s := ecs.NewSchedule(w).Add("ai", roll).Add("weather", roll)
	for range 2 {
		if err := s.Run(1); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 6 1
	// 3 3
	// 2 2
	// 4 6
}

// Any combination of conditions on components, tags and changes can be asked for; 64 rows are decided at once.
func ExampleFilter_where() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	vel := ecs.MustRegister[Velocity](w, "Velocity")
	hidden := must(w.DeclareTag("hidden"))
	tree, rat, ghost := must(w.Spawn(pos.ID())), must(w.Spawn(pos.ID(), vel.ID())), must(w.Spawn(pos.ID(), vel.ID()))
	w.Tag(ghost, hidden)
	w.Tag(tree, hidden)
	q := must(w.Query(ecs.Filter{Where: ecs.Xor(ecs.Contains(vel.ID()), ecs.HasTag(hidden))}))
	for _, e := range q.AppendEntities(nil) {
		fmt.Println(e, e == rat, e == tree)
	}
	// Output:
	// 0v1 false true
	// 1v1 true false
}

// Two runs are the same when their digests are.
func ExampleWorld_Digest() {
	play := func(seed uint64) ecs.Digest {
		w := ecs.NewWorld(ecs.Options{Seed: seed})
		pos := ecs.MustRegister[Position](w, "Position")
		for range 100 {
			must(pos.With(w.Build(), Position{w.Random().Float64(), 0}).Spawn())
		}
		return w.Digest()
	}
	first, again := play(7), play(7)
	fmt.Println(first == again, first == play(8))
	// Output:
	// true false
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

func ExampleWorld_Save() {
	type Position struct{ X, Y float64 }
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	pos := ecs.MustRegister[Position](w, "Position")
	e, _ := w.Spawn(pos.ID())
	pos.Mut(e).X = 3
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
