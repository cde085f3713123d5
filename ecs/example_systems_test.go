package ecs_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/ecsrun/ecsrun/ecs"
)

// Startup runs once; the other stages run in every frame, whatever the order in which systems are added.
func ExampleStage() {
	w := ecs.NewWorld(ecs.Options{})
	s := ecs.NewSchedule(w)
	for _, stage := range []ecs.Stage{ecs.Last, ecs.Update, ecs.First, ecs.Startup} {
		ecs.Must(s.AddSystem(ecs.SystemSpec{Name: stage.String(), Stage: stage, Run: func(w *ecs.World, _ float64) error {
			fmt.Println(w.Frame(), stage)
			return nil
		}}))
	}
	try(s.RunStartup())
	try(s.Run(1))
	// Output:
	// 0 startup
	// 1 first
	// 1 update
	// 1 last
}

// A system runs after those that it names, in every Every-th frame, and only When its condition holds.
func ExampleSystemSpec() {
	w := ecs.NewWorld(ecs.Options{})
	paused := ecs.Must(ecs.RegisterResource[bool](w, "paused"))
	say := func(text string) ecs.SystemFunc {
		return func(w *ecs.World, dt float64) error {
			fmt.Println("frame", w.Frame(), text, dt)
			return nil
		}
	}
	s := ecs.NewSchedule(w)
	ecs.Must(s.AddSystem(ecs.SystemSpec{Name: "render", After: []string{"think"}, Run: say("render")}))
	ecs.Must(s.AddSystem(ecs.SystemSpec{
		Name: "think", Every: 2, Run: say("think"),
		When: func(*ecs.World) (bool, error) { return !*paused, nil },
	}))
	try(s.Run(0.5))
	try(s.Run(0.5))
	*paused = true
	try(s.Run(0.5))
	try(s.Run(0.5))
	// Output:
	// frame 1 render 0.5
	// frame 2 think 1
	// frame 2 render 0.5
	// frame 3 render 0.5
	// frame 4 render 0.5
}

// A system can be switched off and on, and can get another function. Its state stays.
func ExampleSystem() {
	w := ecs.NewWorld(ecs.Options{})
	s := ecs.NewSchedule(w).Add("ai", func(*ecs.World, float64) error { return nil })
	ai := s.Find("ai")
	try(s.Run(1))
	ai.SetEnabled(false)
	try(s.Run(1))
	ai.SetEnabled(true)
	try(s.Swap("ai", func(*ecs.World, float64) error {
		fmt.Println("the new function, in turn", ai.Turns()+1)
		return nil
	}))
	try(s.Run(1))
	fmt.Println(ai.Name(), ai.Enabled(), ai.Turns())
	// Output:
	// the new function, in turn 2
	// ai true 2
}

// Gravity prepares a system: it looks up what the system needs, once per world.
func Gravity(w *ecs.World) (ecs.SystemFunc, error) {
	if _, err := ecs.Register[Velocity](w, "Velocity"); err != nil {
		return nil, err
	}
	falling, err := ecs.NewQuery1[ecs.Mut[Velocity]](w)
	if err != nil {
		return nil, err
	}
	return func(_ *ecs.World, dt float64) error {
		for e := falling.Start(); e.Ok(); e = e.Next() {
			e.Get().V.DY -= 10 * dt
		}
		return nil
	}, nil
}

// A system that a host can put into any world is a NativeFunc. Package native has some.
func ExampleNativeFunc() {
	natives := map[string]ecs.NativeFunc{"gravity": Gravity}
	w := ecs.NewWorld(ecs.Options{})
	s := ecs.NewSchedule(w).Add("gravity", ecs.Must(natives["gravity"](w)))
	vel := ecs.MustRegister[Velocity](w, "Velocity")
	apple := ecs.Must(w.Spawn(vel.ID()))
	try(s.Run(0.5))
	fmt.Println(*vel.Get(apple))
	// Output:
	// {0 -5}
}

// With RollBack, a turn that fails leaves no trace, and OnError decides whether the frame goes on.
func ExampleSchedule_rollBack() {
	w := ecs.NewWorld(ecs.Options{})
	gold := ecs.Must(ecs.RegisterResource[int32](w, "gold"))
	s := ecs.NewSchedule(w)
	s.RollBack = true
	s.OnError = func(sys *ecs.System, err error) error {
		fmt.Println(sys.Name(), "failed:", err)
		return nil
	}
	s.Add("trade", func(w *ecs.World, _ float64) error {
		*gold -= 50
		ecs.Must(w.Spawn())
		return errors.New("the shop is closed")
	})
	try(s.Run(1))
	fmt.Println(*gold, w.Len())
	// Output:
	// trade failed: the shop is closed
	// 0 0
}

// A stream of its own name gives the same numbers, no matter what other code draws.
func ExampleRandom() {
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	loot, weather := w.Stream("loot"), w.Stream("weather")
	loot.Seed(3) // starts again, for instance for each level
	a := []float64{loot.Between(1, 6), loot.Between(1, 6)}
	weather.Float64()
	loot.Seed(3)
	fmt.Println(a[0] == loot.Between(1, 6), a[1] == loot.Between(1, 6))
	// Output:
	// true true
}

// A program that shows a stream's next numbers works on a copy of its state.
func ExampleRandomState() {
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	dice := w.Stream("dice")
	state := ecs.Raw.RandomState(dice)
	first, second := dice.Float64(), dice.Float64()
	ecs.Raw.PutBackRandom(dice, state)
	fmt.Println(dice.Float64() == first)
	ecs.Raw.PutBackRandom(dice, state.Advance(1)) // skips one number
	fmt.Println(dice.Float64() == second)
	// Output:
	// true
	// true
}

// A schedule runs systems frame by frame. A native system is a function of the world and dt.
func ExampleSchedule() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	vel := ecs.MustRegister[Velocity](w, "Velocity")
	e := ecs.Must(vel.With(w.Build().With(pos.ID()), Velocity{1, 2}).Spawn())
	moving := ecs.Must(ecs.NewQuery2[ecs.Mut[Position], Velocity](w))

	s := ecs.NewSchedule(w)
	ecs.Must(s.AddSystem(ecs.SystemSpec{Name: "report", Every: 2, After: []string{"movement"}, Run: func(w *ecs.World, dt float64) error {
		fmt.Printf("frame %d, %g s since the last report: %v\n", w.Frame(), dt, *pos.Get(e))
		return nil
	}}))
	s.Add("movement", func(_ *ecs.World, dt float64) error {
		for e := moving.Start(); e.Ok(); e = e.NextRun() {
			p, v := e.Slices()
			for i := range p {
				p[i].V.X += v[i].DX * dt
				p[i].V.Y += v[i].DY * dt
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
