package abi

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The Unit: what the compiler hands to the host.

// A Unit is the code of a Program, with everything that the host must know to run it. It does not change after it
// was made, so any number of kernels may use it.
type Unit struct {
	Code      []byte // a module of WebAssembly, whose function run processes some rows
	Layout    Layout
	Constants []float64 // the constants in the frame
	Strings   []string  // the strings that code knows; their indexes are their numbers
	Words     []Word    // the words in the frame, in this order

	// How code goes through the rows.
	Walkers   []Walker       // the pointers that move from row to row; the first one says where run stopped
	Views     [MostViews]int // for each view of the query loop: its walker, or -1
	Entities  int            // the walker of the entities' handles, or -1
	Marks     int            // the walker of the marks, or -1
	Others    []int          // the views of the bits of a mark, from bit 0 on
	Always    []int          // views that each row stores
	FastPath  bool           // code has batches that do the fast path
	Packed    bool           // rows are processed with vectors if there are enough of them
	Sparse    bool           // masks in the frame select the rows
	Prepaid   bool           // all rows cost the same; they are paid for when a call ends
	NotesFuel bool           // a row notes the fuel that is left when it begins, in MissingFuel: rows have inner loops

	// Statements by the numbers that code has for them.
	Emits   []*ir.Stmt // effects and flips of tags, in records of the ring
	Returns []*ir.Stmt // in the frame
	Nears   []*ir.Stmt // loops over what is near, in calls of the host
	Calls   []TextCall // calls on strings, likewise

	Neighbour uint32 // bytes of a record of an entity in the cache of a grid
	Effects   bool   // effects are recorded in a ring
	Logs      bool   // stores beyond the row's own fields are logged

	InMirror uint64 // views of the query loop that code reaches in mirrors, one bit each: see Mirror

	Sources []int // of loops over sources or targets, in calls of the host: the J of their statements

	StoresBeyond bool // there are stores in rows of other entities among them
	Moves        bool // entities are moved in an index

	// Rows on several cores: see package analysis.
	OneCore     string      // why one core does all rows; "": rows may be shared
	Draws       int64       // how many random numbers each row draws, if rows may be shared
	Fills       bool        // code can fill the caches of grids: see FillCache
	FuelChecks  []FuelCheck // what each row pays; nil if that is not known beforehand, or if a row may have to be undone
	Nanoseconds float64     // estimated time of a row, if rows may be shared

	Cost  int // estimated cost of compiling the module, in about microseconds
	Steps int // steps of generating the code, without packing
}

// A Walker is a pointer that moves from row to row: through a column, the handles of the entities, or the marks of
// rows.
type Walker struct {
	Ptr    int    // the local that holds the pointer
	Stride uint32 // bytes from row to row
	Far    uint32 // end of the bytes of a row that code accesses
}

// A FuelCheck is fuel that each row pays: for a number of iterations of a loop, or for the rows that an inner query
// walks.
type FuelCheck struct {
	Price      int64 // of an iteration
	Iterations int64
	Walk       int // index of the inner query; -1 if Iterations is the number
}

// Moved returns the code for another world with the same declarations: its loops over near entities use the grids
// of that world.
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

// LooksBeyond reports whether code reads memory of the world other than the rows of its query. Then the columns of
// the world have to be in linear memory.
func (u *Unit) LooksBeyond() bool {
	for _, w := range u.Words {
		switch w.Kind {
		case WordSlots, WordTag, WordColumns, WordWalk:
			return true
		}
	}
	return len(u.Nears) > 0
}
