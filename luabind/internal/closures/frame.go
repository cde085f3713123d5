package closures

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// The frame: everything that closures of a Program read and write while they run.

// How a statement ends. firstJump+I is a jump to label I.
const (
	next     = iota // the following statement runs
	broken          // the innermost loop, or the query loop, ends
	stopped         // the row has to be restored and left to the interpreter
	returned        // the query loop ends with results
	firstJump
)

// A frame is the state of a running Kernel. Every closure gets it as its argument.
type frame struct {
	ptr    [ir.MaxViews]unsafe.Pointer // by view: the address of the component in the current row; nil: the view is nil
	n      [ir.MaxRegisters]float64    // number registers
	b      [ir.MaxRegisters]bool       // boolean registers
	t      []string                    // text registers
	entity float64                     // of the current row
	dirty  uint64                      // views that were stored in this row, and are not in writes yet; one bit each
	own    uint64                      // views of other rows that may be stored, because the component is not inherited; one bit each
	failed bool                        // an expression has failed
	fuel   int64                       // what was granted and is not used up
	refuel func() bool                 // charges the budget and grants more fuel; false: the budget is used up

	column   [ir.MaxViews]*ecs.Column // by view of the loop
	row      int                      // of the current row in its table
	location [ir.MaxViews]location    // by view of another row: where it is
	tables   []table                  // by Program.Tables
	keyed    []keyed                  // by Program.Keyed
	results  []kernel.Result          // of the Return that ended the loop

	world   *ecs.World
	random  *ecs.Random
	sets    []ecs.TagSet // by index in compiler.tags
	finders []ecs.Finder // by index in compiler.components
	effects kernel.Effects
	undo    undo
	writes  []location // other rows that have to be stamped when the current row is done
}

// A location is the row of a component of another entity.
type location struct {
	finder     int // index in frame.finders: which component
	table, row int
}

// burn uses up fuel; false when the budget is used up.
func (f *frame) burn(price int64) bool {
	f.fuel -= price
	return f.fuel >= 0 || f.refuel()
}

// numberOf returns an entity as a number. A handle is below 2^53, and processors convert signed integers
// faster.
func numberOf(e ecs.Entity) float64 { return float64(int64(e)) }

// within reports whether a number is a whole number in a range.
func within(v, lo, hi float64) bool { return v >= lo && v <= hi && v == math.Trunc(v) }

// handle returns a number as an entity; None, which is never alive, if it is no handle.
func handle(v float64) ecs.Entity {
	if i := int64(v); v >= 1<<32 && v < 1<<53 && float64(i) == v {
		return ecs.Entity(i)
	}
	return ecs.None
}
