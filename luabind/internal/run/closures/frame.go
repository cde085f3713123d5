package closures

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// The frame: the registers, views and logs that the closures of a Program read and write while they run. A Kernel
// has one frame for all its runs.

// How a statement ends. firstJump+I is a jump to label I.
const (
	next     = iota // the following statement runs
	broken          // the innermost loop, or the query loop, ends
	stopped         // the row has to be restored and left to the interpreter
	returned        // the query loop ends with results
	firstJump
)

// A frame is the state of a running Kernel. Every closure gets it as its argument. Addresses in it are valid during
// one walk: structure is locked meanwhile, so columns do not move. Kernel.end clears them.
type frame struct {
	ptr    [ir.MaxViews]unsafe.Pointer // by view: the address of the component in the current row; nil: the view is nil
	n      [ir.MaxRegisters]float64    // number registers
	b      [ir.MaxRegisters]bool       // boolean registers
	t      []string                    // text registers
	a      []anyRegister               // registers for values of any kind
	pool   draft.Pool                  // the tables that the current row uses
	entity float64                     // of the current row
	dirty  uint64                      // views that this row has stored and that are not in writes yet, one bit each
	own    uint64                      // views of other rows that may be stored, because the entity has the component itself and does not inherit it; one bit each
	failed bool                        // an expression has failed
	at     *ir.Stmt                    // the statement that has stopped the last row that was stopped, as far as that is known
	looked int                         // how many tables of fields were read since the last touch
	sum    int                         // what touch has added up; nobody reads it
	fuel   int64                       // fuel that was granted and is not used yet
	refuel func() bool                 // charges the budget and grants more fuel; false: the budget is used up

	column   [ir.MaxViews]*ecs.Column // by view of the loop
	row      int                      // index of the current row in its table
	location [ir.MaxViews]location    // by view of another row: the row that it is set to
	tables   []table                  // by Program.Tables
	layers   []layer                  // by Program.Layers
	keyed    []keyed                  // by Program.Keyed
	results  []kernel.Result          // of the Return that ended the loop

	world   *ecs.World
	random  *ecs.Random
	sets    []ecs.TagSet // by index in compiler.tags
	finders []ecs.Finder // by index in compiler.components
	effects kernel.Effects
	undo    undo
	writes  []location // other rows that have to be stamped when the current row is done
	moves   []moved    // entities that the current row has moved in an index
}

// ends returns how a statement has ended, and notes the statement if it has stopped the row.
func (f *frame) ends(how int, s *ir.Stmt) int {
	if how == stopped {
		f.stops(s)
	}
	return how
}

// stops notes a statement that has stopped the row, unless one in it is noted.
func (f *frame) stops(s *ir.Stmt) {
	if f.at == nil && s.Line > 0 {
		f.at = s
	}
}

// Stopped returns the statement at which the last row that could not be done was left, and forgets it; nil if that is not known.
func (k *Kernel) Stopped() (at *ir.Stmt) {
	at, k.frame.at = k.frame.at, nil
	return at
}

// A location is a row of a component of another entity.
type location struct {
	finder     int // index in frame.finders: which component
	table, row int
}

// burn uses fuel. It returns false if the budget does not suffice.
func (f *frame) burn(price int64) bool {
	f.fuel -= price
	return f.fuel >= 0 || f.refuel()
}

// numberOf converts an entity to a number. A handle is below 2^53, so the conversion through int64 is exact;
// processors do it faster than through uint64.
func numberOf(e ecs.Entity) float64 { return float64(int64(e)) }

// within reports whether v is a whole number from lo to hi.
func within(v, lo, hi float64) bool { return v >= lo && v <= hi && v == math.Trunc(v) }

// handle converts a number to an entity. A number that is not a handle becomes None, which is never alive.
func handle(v float64) ecs.Entity {
	if i := int64(v); v >= 1<<32 && v < 1<<53 && float64(i) == v {
		return ecs.Entity(i)
	}
	return ecs.None
}
