package ir

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// The limits of a Program. Back ends have room for that many in their frames, and masks of
// one bit each.
const (
	MaxRegisters = 128 // of one type
	MaxViews     = 16  // of the query loop and beyond it
	MaxStores    = 32  // fields of the query loop's own row
)

// noComponent stands for the event in Program.Components of a loop over events: no component has this ID.
const NoComponent = ecs.ComponentID(math.MaxUint32)

// A Program is the body of a query loop for known layouts and types.
type Program struct {
	Body  []*Stmt
	Price int64 // of a row

	Numbers, Bools, Texts int      // registers of each type
	Inputs                []Place  // by input; not Used for those that need no register
	Origins               []Origin // by input: where its value comes from
	Outputs               []Output // by assigned variable

	Views      int               // of the query loop itself
	Components []ecs.ComponentID // by view of the query loop, of those in Uses
	Events     *ecs.Schema       // layout of what a loop over events walks, its one view; nil for a query loop
	Optional   uint64            // views of the query loop that may be nil, one bit each
	Uses       uint64            // views of the query loop with a field that is used, one bit each
	Refs       []Ref             // views beyond those: numbered from Views
	Queries    []Subquery        // of Each
	Tables     []Table           // of Element and Put
	Effects    []*Effect         // by Index
	Stores     []Target          // each stored field of a view of the query loop once
	Returns    int               // most values of a Return
	Sites      [][]int           // by return of the source: which of Args each of its values is, -1 for nil

	Leaves []Departure // what a script may do, and leaves a row to the interpreter

	Exact   bool // a row may have to be put back: something in it can fail, or it has loops
	Entity  bool // the entity is used
	Random  bool // numbers are drawn
	Foreign bool // components of other rows are read or written: Refs of Look and Each
}

// Writes returns the components that the body stores, of its own row and of others, each once.
func (p *Program) Writes() (ids []ecs.ComponentID) {
	for _, t := range p.Stores {
		ids = append(ids, p.Components[t.View])
	}
	for _, ref := range p.Refs {
		if ref.Stored {
			ids = append(ids, ref.Component)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// A Ref is a view beyond those of the query loop.
type Ref struct {
	Component ecs.ComponentID
	Schema    *ecs.Schema
	Query     int  // the Each that moves it, -1 for a view that Look sets
	Optional  bool // of an Each: it may be nil
	Stored    bool // some field of it is stored
}

// A Subquery is what an Each walks.
type Subquery struct {
	Query  *ecs.Query
	Entity int // number register, -1: not used
	First  int // its first view; its terms follow one another
	Views  int
}

// A Table is a table of constants or counters from around the loop, as it is when
// the loop begins: the elements at whole keys from From on, which are numbers, or
// tables that have all Members as numbers.
type Table struct {
	Input   int // which
	Members []string
	Stored  bool // elements are assigned, so they go back when the loop ends
}

// A Place is where an input goes.
type Place struct {
	Used bool
	Type Type
	Reg  int
}

// An Output is a variable from around the loop, or a resource, that the body
// assigns.
type Output struct {
	Place
	Mark  int // boolean register that tells whether it was assigned; -1: it had a value of that type before
	Input int
}

// A Target is a field that is stored.
type Target struct {
	View  int
	Field *ecs.Field
	// Always says that each row that ends has stored it.
	Always bool
}

// A Departure is what a row may do without an error that a kernel cannot: then the row, and what follows it in the walk, is the interpreter's.
type Departure struct {
	Line int
	Text string
}

// An Origin says where the value of an input comes from when the loop begins.
type Origin struct {
	From     Provenance
	Input    int            // of the Template
	Resource ecs.ResourceID // its field value, at index 0
}

// A Provenance is a kind of Origin.
type Provenance uint8

// Where inputs come from.
const (
	FromVariable Provenance = iota // an Input of the Template
	FromResource
	FromDT    // world.dt
	FromTime  // world.time
	FromFrame // world.frame
)
