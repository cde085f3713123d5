package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Who stands where: an index of the cells of a board whose edges meet.
func ExampleIndex() {
	type Cell struct{ X, Y int32 }
	w := ecs.NewWorld(ecs.Options{})
	cell := ecs.MustRegister[Cell](w, "Cell")
	cells := ecs.Must(w.DeclareIndex(ecs.IndexSpec{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}, Width: 8, Height: 8, Wrap: true}))
	for _, at := range []Cell{{1, 1}, {1, 1}, {7, 1}} {
		ecs.Must(cell.Set(ecs.Must(w.Spawn()), at))
	}
	fmt.Println(cells.At(ecs.Number(1), ecs.Number(1)))
	fmt.Println(cells.Count(ecs.Number(9), ecs.Number(1)))
	walk := ecs.Must(cells.Around(0, 0, 1, ecs.Moore))
	for e := range walk.Entities() {
		fmt.Println(e, *cell.Get(e))
	}
	// Output:
	// 0v1 <nil>
	// 2 <nil>
	// 2v1 {7 1}
	// 0v1 {1 1}
	// 1v1 {1 1}
}
