package lower

import "github.com/ecsrun/ecsrun/ecs"

// An InputKind is what an input is when the loop begins.
type InputKind uint8

// The kinds.
const (
	NumberInput InputKind = iota
	BoolInput
	TextInput
	FuncInput // a function of math, or ecs.random, by name
	NilInput
	WorldInput     // the world of the loop
	ResourcesInput // its resources
	CommandsInput  // its commands
	QueryInput
	TableInput // a table without a metatable
	OtherInput
)

// A Kind is what an input is.
type Kind struct {
	InputKind
	Name  string     // of a FuncInput; the text of a TextInput that stands for a name
	Query *ecs.Query // of a QueryInput
	Rows  bool       // the elements of a TableInput are tables
}

// A Context is what a loop is lowered for, beside the kinds of its inputs: the layout of a world,
// and what the loop walks.
type Context struct {
	World *ecs.World
	Query *ecs.Query // of the loop
	// Narrowed says that the loop walks the sources of one target, each of them a row by itself.
	Narrowed bool
	// Events is the layout of what a loop over events walks, which has no query.
	Events *ecs.Schema
	// Loose says that names which only show when the loop begins are taken for right: the context is a guess, made before the loop begins.
	Loose bool
}
