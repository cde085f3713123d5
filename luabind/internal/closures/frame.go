package closures

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// How a statement ends; firstJump+I is a Jump to Label I.
const (
	next = iota
	broken
	stopped // the row is to be put back
	returned
	firstJump
)

// frame is what code works on.
type frame struct {
	ptr    [ir.MaxViews]unsafe.Pointer // the row, by view; nil: there is none
	n      [ir.MaxRegisters]float64
	b      [ir.MaxRegisters]bool
	t      []string
	entity float64
	dirty  uint64 // views stored in this row and not yet noted, one bit each
	own    uint64 // of the views beyond those of the loop: those that may be stored
	failed bool   // an expression was one that raises
	fuel   int64  // granted and not used up
	refuel func() bool

	column   [ir.MaxViews]*ecs.Column // of the views of the loop
	row      int                      // of all of them
	location [ir.MaxViews]location    // of the others
	tables   []table
	results  []kernel.Result

	world   *ecs.World
	random  *ecs.Random
	sets    []ecs.TagSet // by place in compiler.tags
	finders []ecs.Finder // by place in compiler.components
	effects kernel.Effects
	undo    undo
	writes  []location // rows beyond the loop's own to be stamped when the row is done
}

// A spot is where a component is stored.
type location struct {
	finder     int // in frame.finders
	table, row int
}

// burn pays for a construct; false when the budget is spent.
func (f *frame) burn(price int64) bool {
	f.fuel -= price
	return f.fuel >= 0 || f.refuel()
}

// numberOf is an entity as a number: a handle is below 2^53, and signed numbers
// convert faster.
func numberOf(e ecs.Entity) float64 { return float64(int64(e)) }

func within(v, lo, hi float64) bool { return v >= lo && v <= hi && v == math.Trunc(v) }

// handle is a number as an entity; what is none is an entity that never lives.
func handle(v float64) ecs.Entity {
	if i := int64(v); v >= 1<<32 && v < 1<<53 && float64(i) == v {
		return ecs.Entity(i)
	}
	return ecs.None
}
