package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The second input of Template.Lower: what is known about the world and the values of inputs. Package loops makes
// these from Lua values when a loop begins, or guesses them from the source. They are also the key under which it
// keeps kernels.

// An InputKind says what sort of value an input has when the loop begins.
type InputKind uint8

// The kinds of inputs.
const (
	NumberInput InputKind = iota
	BoolInput
	TextInput
	FuncInput // a function of math, or ecs.random, by name
	NilInput
	WorldInput     // the world of the loop
	ResourcesInput // world.resources
	CommandsInput  // world.commands
	LayersInput    // world.layers
	LayerInput     // a layer
	QueryInput     // a query that ecs.query has made
	TableInput     // a Lua table without a metatable
	ObjectInput    // a Lua table with a metatable whose __index is nil or a table, and without __newindex
	ViewInput      // a view of a component
	OtherInput     // anything else; a loop that uses it is refused
)

// ValueType returns the type of a register that begins with such an input; false if no register can.
func (k InputKind) ValueType() (t ir.Type, ok bool) {
	switch k {
	case NumberInput:
		return ir.Number, true
	case BoolInput:
		return ir.Bool, true
	case TextInput:
		return ir.Text, true
	default:
		return 0, false
	}
}

// A Kind says what an input is when the loop begins. A Program is valid for inputs of equal Kinds.
type Kind struct {
	InputKind
	Name      string          // of a FuncInput: its name; of a LayerInput: the name of the layer; of a TextInput that names a component or the like: the string
	Query     *ecs.Query      // of a QueryInput
	Component ecs.ComponentID // of a ViewInput
	Rows      bool            // the values of a TableInput are tables
	Type      ir.Type         // type of the values of a TableInput without Rows
	Map       bool            // a TableInput has values at other numbers than those of a list, or is too long a list to be copied
	Empty     bool            // a TableInput has no values, and the body reads and assigns some
}

// A Context is what a loop is lowered for, besides the Kinds of its inputs: the layout of a world, and what the
// loop walks. A Program is valid for contexts that are equal in everything but Tables.
type Context struct {
	World *ecs.World
	Query *ecs.Query // the query of a query loop; nil for a loop over events
	// Narrowed says that the loop walks the sources of one target. Its cursor gives one row at a time.
	Narrowed bool
	// Events is the layout of the events of a loop over events, or of the rows of a loop over cells, which have no query.
	Events *ecs.Schema
	// Cells is the layer of a loop over cells; its rows are x and y.
	Cells *ecs.AnyLayer
	// Loose says that the context is a guess that was made before the loop begins. Names that are not known yet are
	// assumed to be declared.
	Loose bool
	// Tables shows what inputs that are tables hold; nil if that is not known. A Program is valid whatever it
	// shows: kernels leave a row to the interpreter if a table holds something else.
	Tables Tables
	// Observers says which writes somebody observes, and where that was declared; nil if nobody does. A row that does one
	// is left to the interpreter: an observer is called right after the write, and may run any code.
	Observers Observers
	// Unfiltered says that loops over near entities have no filter.
	Unfiltered bool
}

// Observers says who observes an operation on a component or tag. ok is false if nobody does.
type Observers interface {
	Observed(kind ecs.ObserverKind, id uint32) (who string, ok bool)
}
