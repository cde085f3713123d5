package abi

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// GridView is what code needs to know of a grid, in the frame, for one loop.
type GridView struct {
	Ready            uint32 // 0: ask the host
	Points, Starts   uint32 // addresses; no points: 0
	List             uint32 // address
	Neighbours       uint32 // address; as many as points, in their order, and one more
	Met              uint32 // address of a number for each row of cells: 0 until its points are introduced
	LastCol, LastRow uint32
	MinX, MinY, Cell float64

	// Of the first loop over this grid, which has the neighbours for all of them.
	Taken uint64 // which snapshot they are of
	Kept  bool   // they are of this run
}

// found is an entity on the list.
type found struct {
	neighbour uint32  // address
	d2        float64 // squared distance
}

// Sizes and offsets of these, for code.
const (
	GridViewSize   = uint32(unsafe.Sizeof(GridView{}))
	FoundSize      = int32(unsafe.Sizeof(found{}))
	FoundNeighbour = uint32(unsafe.Offsetof(found{}.neighbour))
	FoundD2        = uint32(unsafe.Offsetof(found{}.d2))
)

// CountNear counts the loops over what is near.
func CountNear(p *ir.Program) (n uint32) {
	Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Near {
			n++
		}
	}, func(*ir.Expr) {})
	return n
}
