package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// A game with a menu: what belongs to a state ends with it.
func ExampleStateSpec() {
	w := ecs.NewWorld(ecs.Options{})
	game := ecs.Must(w.DeclareState(ecs.StateSpec{Name: "game", Values: []string{"menu", "playing"}}))
	inMenu, _ := w.LookupTag("game.menu")
	s := ecs.NewSchedule(w)
	add := func(spec ecs.SystemSpec, run func() error) {
		spec.Run = func(*ecs.World, float64) error { return run() }
		ecs.Must(s.AddSystem(spec))
	}
	add(ecs.SystemSpec{Name: "open", Stage: ecs.Enter, In: []string{"game.menu"}}, func() error {
		w.Tag(ecs.Must(w.Spawn()), inMenu) // a button
		return nil
	})
	add(ecs.SystemSpec{Name: "choose", In: []string{"game.menu"}}, func() error {
		fmt.Println("frame", w.Frame(), w.State(game), w.Len())
		return w.Commands().State(game, "playing")
	})
	add(ecs.SystemSpec{Name: "close", Stage: ecs.Leave, In: []string{"game.menu"}}, func() error {
		fmt.Println("the menu closes, state", w.State(game))
		return nil
	})
	add(ecs.SystemSpec{Name: "play", In: []string{"game.playing"}}, func() error {
		fmt.Println("frame", w.Frame(), w.State(game), w.Len())
		return nil
	})
	for range 3 {
		try(s.Run(0.1))
	}
	// Output:
	// frame 1 menu 1
	// the menu closes, state menu
	// frame 2 playing 0
	// frame 3 playing 0
}
