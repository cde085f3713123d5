package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// What Template.Lower is told about the world and the values of inputs. Package loops makes these from
// Lua values when a loop begins, or guesses them from the source.

// An InputKind is what an input is when the loop begins.
type InputKind uint8

// The kinds of inputs.
const (
	NumberInput InputKind = iota
	BoolInput
	TextInput
	FuncInput // a function of math, or ecs.random, by name
	NilInput
	WorldInput     // the world of the loop
	ResourcesInput // its resources
	CommandsInput  // its commands
	QueryInput     // a query that ecs.query has made
	TableInput     // a Lua table without a metatable
	OtherInput     // anything else; a loop that uses it is not lowered
)

// A Kind is what an input is when the loop begins. A Program is valid for equal kinds.
type Kind struct {
	InputKind
	Name  string     // of a FuncInput; the text of a TextInput that stands for a name
	Query *ecs.Query // of a QueryInput
	Rows  bool       // the values of a TableInput are tables
	Type  ir.Type    // of the values of a TableInput otherwise
	Map   bool       // a TableInput has values at other numbers than those of a list, or is too long a list to be copied
	Empty bool       // a TableInput has no values, and the body reads and assigns some
}

// A Context is what a loop is lowered for, besides the kinds of its inputs: the layout of a world,
// and what the loop walks. A Program is valid for contexts that are equal but for Tables.
type Context struct {
	World *ecs.World
	Query *ecs.Query // of a query loop
	// Narrowed says that the loop walks the sources of one target. Its cursor gives one row at a time.
	Narrowed bool
	// Events is the layout of the events of a loop over events, which has no query.
	Events *ecs.Schema
	// Loose says that the context is a guess, made before the loop begins. Names that are known only when it begins are
	// taken for right.
	Loose bool
	// Tables shows what inputs that are tables hold; nil: that is not known. It is no part of what a Program is valid for:
	// kernels leave a row to the interpreter when a table holds something else.
	Tables Tables
}
