package closures

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
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
	why    string                      // what it did
	looked int                         // how many tables of fields were read since the last touch
	sum    int                         // what touch has added up; nobody reads it
	fuel   int64                       // fuel that was granted and is not used yet
	refuel func() bool                 // charges the budget and grants more fuel; false: the budget is used up

	column   [ir.MaxViews]*ecs.Column // by view of the loop
	row      int                      // index of the current row in its table
	location [ir.MaxViews]location    // by view of another row: the row that it is set to
	tables   []table                  // by Program.Tables
	keyed    []keyed                  // by Program.Keyed
	results  []kernel.Result          // of the Return that ended the loop

	boxes   [ir.MaxViews]boxed // by view: its value, see ir.Box
	owner   owner              // of the table that the running statement changes: see compiler.storing
	newView func(e ecs.Entity, id ecs.ComponentID) lua.LValue
	objects [3]lua.LValue           // world, world.resources, world.commands
	events  eventSource             // of a loop over events
	found   map[ecs.ComponentID]int // see finderOf

	world   *ecs.World
	random  *ecs.Random
	sets    []ecs.TagSet // by index in compiler.tags
	finders []ecs.Finder // by index in compiler.components
	effects kernel.Effects
	stack   stack // of functions that call themselves
	undo    undo
	changes interp.ChangeLog // the changes of Lua tables that the current row has made

	constants map[*lua.LTable]struct{} // Lua tables that the Program takes for constants
	guarded   map[*lua.LTable]struct{} // Lua tables in which the Program takes the values at names for constants
	names     []string
	functions []*lua.LFunction // what rows look for as methods and operators
	writes    []location       // other rows that have to be stamped when the current row is done
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

// What a statement does that stops a row, for reports. It goes on from the place of the statement: "line 3 …".
const (
	OtherKind    = "finds a value of another kind than it uses"
	putsDraft    = "puts a table of a field, from which it has removed a key, into a Lua table"
	putsWalked   = "puts a table of a field into a Lua table while it walks or sorts it"
	readsMeta    = "reads through a metatable with a function"
	storesMeta   = "stores through a metatable with a function"
	readsView    = "reads a field of a view that is no number, boolean or string"
	changesConst = "changes a table that the loop was compiled with"
)

// blames notes what has stopped the row.
func (f *frame) blames(why string) {
	if f.why == "" {
		f.why = why
	}
}

// Stopped returns the statement at which the last row that could not be done was left, and what it did there, and forgets both; nil if
// that is not known.
func (k *Kernel) Stopped() (at *ir.Stmt, why string) {
	f := &k.frame
	at, why = f.at, f.why
	if f.at, f.why = nil, ""; why == "" {
		why = OtherKind
	}
	return at, why
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
