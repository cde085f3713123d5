package ir

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// The Program: everything that a back end needs to run a loop body, and what the host must do before and after a
// run. Before: read the Inputs from their Origins, and the Tables and Keyed tables. After: write the Outputs and
// stored tables back. Package loops is that host.

// The limits of a Program. Back ends have room for that many in their frames, and masks with one bit for each.
// Lowering refuses a loop that needs more.
const (
	MaxRegisters = 128 // of each type
	MaxViews     = 16  // of the query loop, and Refs
	MaxStores    = 32  // fields of the query loop's own row
)

// NoComponent stands for the event, or the cell, in Program.Components of a loop over events or cells. No component has this ID.
const NoComponent = ecs.ComponentID(math.MaxUint32)

// A Program is the body of a loop, for known layouts of components and known types of inputs. Package lower makes
// it; the back ends generate code from it. [Program.Verify] checks its rules. It may be used by several kernels,
// and does not change.
//
// A view is a component of a row that the body reads or writes. Views are numbered: first those of the query loop's
// own row, then Refs. The only view of a loop over events is the event.
type Program struct {
	Body  []*Stmt
	Price int64 // fuel for one row, without the iterations of inner loops

	Numbers, Bools, Texts, Anys int      // number of registers of each type
	Inputs                      []Place  // for each input: its register; not Used if the body needs no register for it
	Origins                     []Origin // for each input: where its value comes from
	Outputs                     []Output // the variables and resources that the body assigns

	Views      int               // number of views of the query loop itself
	Components []ecs.ComponentID // for each view of the query loop: its component
	Events     *ecs.Schema       // of a loop over events: the layout of the events; nil for a query loop
	Cells      bool              // the events are the places of cells, in a loop over a layer
	Optional   uint64            // views of the query loop that may be nil, one bit each
	Uses       uint64            // views of the query loop that the body uses, one bit each
	Refs       []Ref             // the other views, numbered from Views on
	Queries    []Subquery        // by index of Each
	Tables     []Table           // by index of Element and Put
	Layers     []Layer           // by index of those Element and Put that have a Field
	Keyed      []Keyed           // by index of Lookup, HasKey and PutKey
	Sinks      []Sink            // by Effect.Sink: tables that are only written
	Effects    []*Effect         // by Effect.Index
	Stores     []Target          // the fields of the query loop's views that the body stores, each once
	Returns    int               // the largest number of Args of a Return
	Sites      [][]int           // for each return statement of the source: the indexes in Args of its values, -1 for nil

	Methods []string // of strings, as the body calls them: those that Lua gives strings are meant

	Leaves []Departure // what rows may do that no kernel can do, although it is not an error in Lua

	Exact  bool // a row may have to be restored: something in it can fail, or it has loops
	Entity bool // the entity of the row is used
	Random bool // the body draws random numbers. Back ends lend the stream to the rows exactly then
	Drafts bool // tables of type Any are changed, made or compared, so they have identities

	TableFields bool // the body uses fields of type table
	SideExits   bool // closures do the rows that come to a Leave: see package emit
	Foreign     bool // components of other rows are read or written: Refs of Look and Each
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

// StoresField reports whether the body stores one of some fields of a component, of its own row or of others.
func (p *Program) StoresField(id ecs.ComponentID, names []string) bool {
	var within func(body []*Stmt) bool
	within = func(body []*Stmt) bool {
		return slices.ContainsFunc(body, func(s *Stmt) bool {
			if s.Op == Store && slices.Contains(names, s.Field.Name) {
				if s.I < p.Views && p.Components[s.I] == id || s.I >= p.Views && p.Refs[s.I-p.Views].Component == id {
					return true
				}
			}
			return within(s.Body) || within(s.Else)
		})
	}
	return within(p.Body)
}

// A Ref is a view of another row: of an entity that Look has looked up, or of the row of an inner query.
type Ref struct {
	Component ecs.ComponentID
	Schema    *ecs.Schema
	Query     int  // index in Queries, if an Each sets the view; -1 if Look sets it
	Optional  bool // of an Each: the view may be nil. A view that Look sets may always be nil
	Stored    bool // some field of it is stored
}

// A Subquery is the query of an inner loop.
type Subquery struct {
	Query  *ecs.Query
	Entity int // number register for the entity; -1 if it is not used
	First  int // index of the first view; the views of its terms follow one another
	Views  int // number of views

	Narrowed bool           // only the sources of one target in Relation are walked: see Each
	Relation ecs.RelationID // of a Narrowed one
}

// A Table is a Lua table declared outside the loop that holds numbers at consecutive whole keys: numbers, or tables that
// have a number for each of Members. Package loops copies the elements before the loop begins, when the first key
// and the number of elements are known, and writes them back afterwards if they are Stored.
type Table struct {
	Input   int      // index in Inputs
	Members []string // the members of the elements that the body uses
	Rows    bool     // the elements are tables; otherwise they are numbers
	Stored  bool     // the body assigns elements, so they are written back when the loop ends
	Flat    bool     // the table is a list of lists of equal length, whose numbers follow one another here
	Asked   bool     // the body asks whether an element exists, so the Lua table must have none besides the consecutive ones
}

// A Layer is a layer of the world. Back ends read and write its cells in place, and tell the world before they write: see [ecs.RawLayer].
type Layer struct {
	Name   string
	Field  *ecs.Field // a field of its type, at offset 0; a bool is a u8, 0 or 1
	Cells  int        // their keys are from 0 to Cells-1
	Stored bool       // the body writes cells
	Places Places     // not 0: the cells are those of an index of that name
}

// Places says what of an index cells are. Their layer names an index with a size.
type Places uint8

// The kinds of cells of an index.
const (
	FirstAt Places = iota + 1 // the first entity at each place
	CountAt                   // how many entities are at a place, in each second cell; see [ecs.RawAccess.Places]
	NextAt                    // by entity: the one behind it at its place, 0 for the last one
	PlaceOf                   // by entity: its place, counted from 1, 0 for none. A Put moves it to the end of the list of another place; the row is left to the interpreter if it is in none
)

// Cell returns where the cells of a layer are in a world; of NextAt and PlaceOf, where the first entity at each place is.
func (l *Layer) Cell(w *ecs.World) unsafe.Pointer {
	switch l.Places {
	case FirstAt, NextAt, PlaceOf:
		first, _ := ecs.Raw.Places(w.LookupIndex(l.Name))
		return first
	case CountAt:
		_, ends := ecs.Raw.Places(w.LookupIndex(l.Name))
		return ends
	}
	return ecs.Raw.Layer(w.LookupLayer(l.Name)).Cells
}

// A Place is the register of an input or an output.
type Place struct {
	Used bool
	Type Type
	Reg  int
}

// An Output is a variable declared outside the loop, or a resource, that the body assigns. Its register is read when the
// loop has ended.
type Output struct {
	Place
	Mark      int  // boolean register that says at the end whether the variable has the value in Reg; -1: it always has
	Given     bool // the mark is true when the loop begins
	Nil       bool // if the mark is false at the end, the variable becomes nil; if Nil is false, it keeps its value
	Input     int  // index in Inputs
	View      bool // the value is a view of Component; the register has its entity
	Component ecs.ComponentID
}

// A Target is a field of the query loop's own row that the body stores.
type Target struct {
	View  int
	Field *ecs.Field
	// Always says that each finished row has stored the field. Then all rows can be stamped together.
	Always bool
}

// A Departure is something that is not an error in Lua, but that no kernel can do. A row that does it is left to the
// interpreter.
type Departure struct {
	File string // file of the source; "": the file of the loop
	Line int    // in the source
	Text string // what happens, for a message
	// Advice says what to change in the script; "" if there is nothing to add to the Text.
	Advice string
	// Statement says that every row that reaches the line is left to the interpreter; Text is what the statement does.
	Statement bool
}

// place returns file and line of a departure.
func (d Departure) place() string {
	if d.File != "" {
		return fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	return fmt.Sprintf("line %d", d.Line)
}

// Departures returns which rows a Program leaves to the interpreter, and why: one text for each reason, with the places of
// all departures that have it.
func (p *Program) Departures() (texts []string) {
	for i, d := range p.Leaves {
		if !slices.ContainsFunc(p.Leaves[:i], d.alike) {
			texts = append(texts, p.departure(d))
		}
	}
	return texts
}

// DepartureAt returns the departure at a line, if there is just one, with its text in Departures.
func (p *Program) DepartureAt(file string, line int) (text string, d Departure, ok bool) {
	for _, other := range p.Leaves {
		if other.File == file && other.Line == line {
			if ok && !d.alike(other) {
				return "", Departure{}, false
			}
			d, ok = other, true
		}
	}
	if ok {
		text = p.departure(d)
	}
	return text, d, ok
}

// alike reports whether two departures have the same reason.
func (d Departure) alike(other Departure) bool {
	return other.Text == d.Text && other.Statement == d.Statement
}

// departure returns the text of a departure, with the places of those like it.
func (p *Program) departure(d Departure) string {
	var places []string
	for _, other := range p.Leaves {
		if place := other.place(); d.alike(other) && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	at := strings.Join(places, ", ")
	if d.Statement {
		return fmt.Sprintf("rows that reach %s (%s)", at, d.Text)
	}
	return fmt.Sprintf("rows in which %s (%s)", d.Text, at)
}

// An Origin says from where the value of an input is read when the loop begins.
type Origin struct {
	From     Provenance
	Input    int            // FromVariable, FromLength, FromWidth: index in the inputs that the loop was lowered with
	Resource ecs.ResourceID // FromResource: the resource, whose only field is the value
	State    ecs.StateID    // FromState
	Query    *ecs.Query     // FromCount: the query; nil: all entities
}

// A Provenance is the kind of an Origin.
type Provenance uint8

// The kinds of origins.
const (
	FromVariable Provenance = iota // a variable outside the loop, or a member of the table that it holds
	FromResource
	FromDT     // world.dt
	FromTime   // world.time
	FromFrame  // world.frame
	FromWidth  // the number of elements in each list of the list of lists that input Input is
	FromLength // the length of the Lua table that input Input is, as # gives it when the loop begins
	FromCount  // the number of entities that Query matches when the loop begins
	FromState  // the value of State
)
