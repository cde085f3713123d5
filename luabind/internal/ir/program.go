package ir

import (
	"fmt"
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// The limits of a Program. Back ends have room for that many in their frames, and masks of
// one bit for each.
const (
	MaxRegisters = 128 // of each type
	MaxViews     = 16  // of the query loop, and Refs
	MaxStores    = 32  // fields of the query loop's own row
)

// NoComponent stands for the event in Program.Components of a loop over events. No component has this ID.
const NoComponent = ecs.ComponentID(math.MaxUint32)

// A Program is the body of a loop, for known layouts of components and known types of
// inputs. Package lower makes it; the back ends generate code from it. [Program.Verify] checks
// its rules.
//
// A view is a component of a row that the body reads or writes. Views are numbered: first
// those of the query loop's own row, then Refs. The view of a loop over events is the event.
type Program struct {
	Body  []*Stmt
	Price int64 // of a row, without the iterations of loops in it

	Numbers, Bools, Texts int      // number of registers of each type
	Inputs                []Place  // by input: its register; not Used if it needs none
	Origins               []Origin // by input: where its value comes from
	Outputs               []Output // variables and resources that the body assigns

	Views      int               // number of views of the query loop itself
	Components []ecs.ComponentID // by view of the query loop; views beyond have no component, and are not used
	Events     *ecs.Schema       // layout of the events that are walked, the one view; nil for a query loop
	Optional   uint64            // views of the query loop that may be nil, one bit each
	Uses       uint64            // views of the query loop that the body uses, one bit each
	Refs       []Ref             // the other views, numbered from Views on
	Queries    []Subquery        // by index of Each
	Tables     []Table           // by index of Element and Put
	Keyed      []Keyed           // by index of Lookup, HasKey and PutKey
	Sinks      []Sink            // by Effect.Sink
	Effects    []*Effect         // by Effect.Index
	Stores     []Target          // the fields of the query loop's views that are stored, each once
	Returns    int               // largest number of Args of a Return
	Sites      [][]int           // by return statement of the source: the index in Args of each of its values, -1 for nil

	Leaves []Departure // what leaves a row to the interpreter, though it is no error in Lua

	Exact   bool // a row may have to be restored: something in it can fail, or it has loops
	Entity  bool // the entity of the row is used
	Random  bool // random numbers are drawn
	Foreign bool // components of other rows are read or written: Refs of Look and Each
}

// Writes returns the components that the body stores, of its own row and of others, sorted and each once.
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
	Query     int  // index of the Each whose rows it is in; -1 for a view that Look sets
	Optional  bool // of an Each: it may be nil. A view that Look sets always may
	Stored    bool // some field of it is stored
}

// A Subquery is the query of an inner loop.
type Subquery struct {
	Query  *ecs.Query
	Entity int // number register of the entity, -1: it is not used
	First  int // first view; those of its terms follow one another
	Views  int // number of views
}

// A Table is a Lua table from around the loop that holds numbers. Its elements are at
// consecutive whole keys. They are numbers, or tables that have a number for each of Members.
// They are read when the loop begins; where the first key is, is known then.
type Table struct {
	Input   int      // index in Inputs
	Members []string // of the elements that are in use
	Rows    bool     // the elements are tables; otherwise they are numbers
	Stored  bool     // elements are assigned, so they are written back when the loop ends
	Flat    bool     // the elements are lists of the same number of numbers, which follow one another here
	Asked   bool     // the body asks whether there are elements, so there may be none beyond the consecutive ones
}

// A Place is the register of an input or output.
type Place struct {
	Used bool
	Type Type
	Reg  int
}

// An Output is a variable from around the loop, or a resource, that the body assigns. Its
// register is read when the loop has ended.
type Output struct {
	Place
	Mark  int  // boolean register that says whether it was assigned; -1: it had a value of that type when the loop began
	Given bool // the mark is true when the loop begins
	Nil   bool // without the mark the variable is nil; otherwise it is what it was
	Input int  // index in Inputs
}

// A Target is a field that is stored.
type Target struct {
	View  int
	Field *ecs.Field
	// Always says that each row that is finished has stored it.
	Always bool
}

// A Departure is something that is no error in Lua, but that no kernel does. A row that does
// it is left to the interpreter.
type Departure struct {
	File string // "": that of the loop
	Line int    // in the source
	Text string // what happens, for a message
	// Statement says that each row departs that comes to the line, and Text what the statement there does.
	Statement bool
}

// String returns which rows depart, and why.
func (d Departure) String() string {
	place := fmt.Sprintf("line %d", d.Line)
	if d.File != "" {
		place = fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	if d.Statement {
		return fmt.Sprintf("rows that reach %s (%s)", place, d.Text)
	}
	return fmt.Sprintf("rows in which %s (%s)", d.Text, place)
}

// An Origin says where the value of an input comes from when the loop begins.
type Origin struct {
	From     Provenance
	Input    int            // FromVariable, FromLength, FromWidth: index in the inputs that the loop was lowered with
	Resource ecs.ResourceID // FromResource: its one field is the value
}

// A Provenance is the kind of an Origin.
type Provenance uint8

// The kinds of origins.
const (
	FromVariable Provenance = iota // a variable around the loop, or a member of the table that it holds
	FromResource
	FromDT     // world.dt
	FromTime   // world.time
	FromFrame  // world.frame
	FromWidth  // the number of elements in each list of the list of lists that input Input is
	FromLength // the length of the Lua table that input Input is, as # gives it when the loop begins
)
