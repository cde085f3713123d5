package kernel

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
)

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

// An Input is a value from around the loop, read once when it begins: a variable,
// or NAME.MEMBER of one or of the global math.
type Input struct {
	Variable *syntax.Variable
	Member   string // of the table that the variable holds; "": it is the variable itself

	Read     bool // as a value
	Assigned bool
	Object   bool // it has members or elements, or is called with a colon
	Named    bool // it stands for the name of a component, tag, grid …: its text is part of its kind
	line     int
}

// Name returns the name of the variable in the source.
func (in Input) Name() string { return in.Variable.Name }

// Global reports whether the variable is global.
func (in Input) Global() bool { return in.Variable.Kind == syntax.Global }

func (in Input) text() string {
	if in.Member != "" {
		return in.Name() + "." + in.Member
	}
	return in.Name()
}

// A member is what an input is found by.
type member struct {
	variable *syntax.Variable
	name     string
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

// A Scene is what a loop is checked against.
type Scene struct {
	World *ecs.World
	Query *ecs.Query // of the loop
	// Narrowed says that the loop walks the sources of one target, each of them a row by itself.
	Narrowed bool
	// Events is the layout of what a loop over events walks, which has no query.
	Events *ecs.Schema
	// Loose says that names which only show when the loop begins are taken for right: the scene is a guess.
	Loose bool
}
