package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Terrain: a grid of numbers, read and written by place.
func ExampleLayer() {
	w := ecs.NewWorld(ecs.Options{})
	ground := ecs.Must(ecs.DeclareLayer[uint8](w, ecs.LayerSpec{Name: "ground", Width: 4, Height: 3, Wrap: true}, 1))
	if err := ground.Set(-1, 0, 200); err != nil { // the other side
		fmt.Println(err)
	}
	fmt.Println(ground.Slice())
	fmt.Println(ground.Add(3, 0, 100))
	// Output:
	// [1 1 1 200 1 1 1 1 1 1 1 1]
	// layer "ground": 300 does not fit u8 (0 to 255)
}

// The places around a place, in order.
func ExampleAreaWalk() {
	w := ecs.NewWorld(ecs.Options{})
	heat := ecs.Must(w.DeclareLayer(ecs.LayerSpec{Name: "heat", Type: ecs.F32, Width: 5, Height: 5}))
	walk := ecs.Must(heat.Around(0, 1, 1, ecs.Neumann))
	for walk.Next() {
		fmt.Println(walk.At())
	}
	// Output:
	// 0 0
	// 1 1
	// 0 2
}
