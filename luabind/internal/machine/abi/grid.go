package abi

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// Loops over near entities. The host fills in a GridView for each of them when code asks (see ImportSnapshot); code makes
// the cache and the list (package nearby).

// A GridView is what code knows of a grid, in the frame, for one loop over near entities. Loops over the same grid share a
// cache: that of the first of them.
type GridView struct {
	Ready            uint32 // 0: ask the host
	Points, Starts   uint32 // addresses; no points: 0
	List             uint32 // address
	Cache            uint32 // address of the records of the points, in their order, with room for one more
	Cached           uint32 // address of a number for each row of cells: 0 until the records of its points are written
	LastCol, LastRow uint32
	MinX, MinY, Cell float64

	// In the view of the first loop over the grid:
	Taken uint64 // which snapshot the cache is of
	Kept  bool   // the cache is of this run
}

// A found is an entry of the list of near entities.
type found struct {
	neighbour uint32  // address of its record in the cache
	d2        float64 // squared distance
}

// Sizes and offsets of these, for code.
const (
	GridViewSize   = uint32(unsafe.Sizeof(GridView{}))
	FoundSize      = int32(unsafe.Sizeof(found{}))
	FoundNeighbour = uint32(unsafe.Offsetof(found{}.neighbour))
	FoundD2        = uint32(unsafe.Offsetof(found{}.d2))
)

// CountNear counts the loops over near entities in a Program.
func CountNear(p *ir.Program) (n uint32) {
	Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Near {
			n++
		}
	}, func(*ir.Expr) {})
	return n
}
