package abi

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Loops over near entities (ir.Near). The host fills in a GridView in the frame for each such loop, when code first
// asks for it (ImportSnapshot). Code makes the cache and the list: see package nearby.

// A GridView tells code about a grid, for one loop over near entities. Loops over the same grid share the cache of
// the first of them.
type GridView struct {
	Ready            uint32 // 0: code has to ask the host first
	Points, Starts   uint32 // addresses of the points and of the starts of cells; 0 if there are no points
	List             uint32 // address of the list of near entities
	Cache            uint32 // address of the records of the points, in their order, with room for one more
	Cached           uint32 // address of a number for each row of cells: 0 until the records of its points are written
	LastCol, LastRow uint32
	MinX, MinY, Cell float64

	// In the view of the first loop over the grid:
	Taken uint64 // the snapshot that the cache belongs to
	Kept  bool   // the cache was made in this run
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

// CountNear returns the number of loops over near entities in a Program.
func CountNear(p *ir.Program) (n uint32) {
	Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Near {
			n++
		}
	}, func(*ir.Expr) {})
	return n
}

// FillCache in place of the number of rows, with the number of a loop over near entities added, makes run write the records
// of all points in some rows of cells that are not cached yet, and do no rows. Workers that share rows only read the cache
// then. The first of the rows of cells is at FrameFillFrom, the number after the last one at FrameFillTo.
const (
	FillCache = 1 << 31

	FrameFillFrom = FrameSite
	FrameFillTo   = FrameUndo
)
