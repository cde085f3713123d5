package native_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/native"
)

// The natives are plain functions: a program that uses only package ecs can run them, too.
func Example() {
	w := ecs.NewWorld(ecs.Options{})
	position := ecs.MustRegister[native.Position](w, "Position")
	velocity := ecs.MustRegister[native.Velocity](w, "Velocity")
	movement, err := native.Movement(w)
	if err != nil {
		fmt.Println(err)
		return
	}
	frame := ecs.NewSchedule(w).Add("movement", movement)

	walker := position.With(w.Build(), native.Position{X: 1})
	e, err := velocity.With(walker, native.Velocity{DX: 2, DY: -4}).Spawn()
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 4 {
		if err := frame.Run(0.25); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(*position.Get(e))
	// Output: {3 -4}
}
