package abi

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// A Unit is the code of a Program, and what the host must know to run it. It does not change once it is made.
type Unit struct {
	Code      []byte // a module of WebAssembly; its function run does some rows
	Layout    Layout
	Constants []float64 // for the frame
	Strings   []string  // those that code knows, by its numbers for them
	Words     []Word    // for the frame, in this order

	// How code goes through the rows.
	Walkers  []Walker       // the first of them says where run stopped
	Views    [MostViews]int // walker of each view of the query loop, -1
	Entities int            // walker of the handles, -1
	Marks    int            // walker of the marks, -1
	Others   []int          // views by the bits of a mark, from bit 0 on
	Always   []int          // views that each row stores
	Guards   bool           // rows that fail the tests of the body are done first
	Packed   bool           // rows are done by vectors where there are enough
	Sparse   bool           // the mask in the frame says which rows

	// Statements by the numbers that code has for them.
	Emits   []*ir.Stmt // effects and flips of tags, in records of the ring
	Returns []*ir.Stmt // in the frame
	Nears   []*ir.Stmt // loops over what is near, in calls of the host

	Neighbour uint32 // bytes of what code notes of an entity in the snapshot of a grid
	Effects   bool   // effects are recorded in a ring
	Logs      bool   // stores beyond the row's own fields are logged

	FuelChecks  []FuelCheck // what each row pays; none: that is not known beforehand, and rows are not to be shared out
	Nanoseconds float64     // that a row takes, guessed
	Cost        int         // of compiling the module, about microseconds
	Steps       int         // that generating it took, packing aside
}

// A Walker is a pointer that moves on from row to row: through a column, the
// handles of the entities, or the marks of rows that were stored.
type Walker struct {
	Ptr    int    // local of the code
	Stride uint32 // bytes from row to row
	Far    uint32 // behind the last byte of a row that is touched
}

// A FuelCheck is fuel that each row pays: for a number of iterations of a loop, or for all rows that a query within walks.
type FuelCheck struct {
	Price      int64 // of an iteration
	Iterations int64
	Walk       int // number of the query, -1 for a number of iterations
}

// Moved returns the code for another world with the same declarations: loops over what is near a point look at its
// grids.
func (u *Unit) Moved(w *ecs.World) *Unit {
	out := *u
	out.Nears = make([]*ir.Stmt, len(u.Nears))
	for i, s := range u.Nears {
		c := *s
		if s.Grid != nil {
			c.Grid = w.LookupGrid(s.Grid.Spec().Name)
		}
		out.Nears[i] = &c
	}
	return &out
}

// LooksBeyond reports whether code reads what lies in the memory of the world
// beside the rows of its query.
func (u *Unit) LooksBeyond() bool {
	for _, w := range u.Words {
		switch w.Kind {
		case WordSlots, WordTag, WordColumns, WordWalk:
			return true
		}
	}
	return len(u.Nears) > 0
}
