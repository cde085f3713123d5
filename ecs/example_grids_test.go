package ecs_test

import (
	"fmt"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// The nearest enemy: the grid carries each unit's team, and the search narrows its radius with each better find.
func ExampleSearch() {
	w := ecs.NewWorld(ecs.Options{})
	pos, team := ecs.MustRegister[Position](w, "Position"), ecs.MustRegister[Team](w, "Team")
	units := ecs.Must(ecs.NewSpawner2[Position, Team](w))
	ecs.Must(units.SpawnMany(nil, []Position{{0, 0}, {1, 0}, {3, 0}, {6, 0}}, []Team{{1}, {1}, {2}, {2}}))
	grid := ecs.Must(w.DeclareGrid(ecs.GridSpec{
		Name: "units", Component: pos.ID(), X: "x", Y: "y", Cell: 5,
		Carry: ecs.Carried{Component: team.ID(), Field: "number"},
	}))
	nearest, best := ecs.None, 100.0
	for s := grid.Search(0, 0, 10).Except(1); s.Next(); {
		if s.D2() < best {
			nearest, best = s.Entity(), s.D2()
			s.Narrow(best)
		}
	}
	fmt.Println(nearest, best)
	// Output:
	// 2v1 9
}

// A grid answers who is near, from a snapshot of the positions that is taken once a frame.
func ExampleGrid_Near() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	for i := range 10 {
		ecs.Must(pos.With(w.Build(), Position{X: float64(i * i)}).Spawn())
	}
	grid := ecs.Must(w.DeclareGrid(ecs.GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}))
	grid.Near(3, 0, 3, func(e ecs.Entity, d2 float64) bool {
		fmt.Println(e, "at squared distance", d2)
		return true // go on
	})
	// Output:
	// 0v1 at squared distance 9
	// 1v1 at squared distance 4
	// 2v1 at squared distance 1
}

// A snapshot of a grid groups its points by cell.
func ExampleRawGrid() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	ecs.Must(ecs.Must(ecs.NewSpawner1[Position](w)).SpawnMany(nil, []Position{{0, 0}, {9, 0}, {0, 5}}))
	grid := ecs.Must(w.DeclareGrid(ecs.GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}))
	g := ecs.Raw.Grid(grid)
	fmt.Println(g.N, "points in", g.Cols, "x", g.Rows, "cells of", g.Cell)
	first := unsafe.Slice((*int32)(g.Starts), g.Cols*g.Rows+1)
	fmt.Println("points in cell 0:", first[1]-first[0])
	// Output:
	// 3 points in 3 x 2 cells of 4
	// points in cell 0: 1
}
