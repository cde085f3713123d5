package api

import "strings"

// A Text is what people and editors are told of a function: how its arguments are called, what it returns, and what it does. Package luatypes makes the
// type definitions from it. The headings of docs/lua-api.md name the same arguments; a test compares them.
type Text struct {
	Params  string            // the names of the arguments, in order: "e, component"; "n?" may be left out; "…" at the end: any number
	Types   map[string]string // LuaCATS types of the arguments whose role says none, and of "…" if it is not what the role says
	Returns []string          // LuaCATS type and name of each result: "boolean added"; [View], [Views] and [Message] are replaced for each name
	Doc     string            // what the function does, in whole sentences
}

// Types in Text.Returns that depend on the name that the call gives.
const (
	View    = "$view"    // the view of the component that the call names
	Views   = "$views"   // an entity and the views of all components that the call names
	Message = "$message" // the event that the call names
)

// Terms are the components of which a loop over a query yields values: all entities have the required ones, which come first.
type Terms struct{ Required, Optional []string }

// A Param is one argument of a function, as Text.Params names it.
type Param struct {
	Name     string // "…" for any number of further arguments
	Optional bool
	Type     string // from Text.Types; "" if the role of the argument says it
}

// List returns the arguments that Params names.
func (t Text) List() []Param {
	var out []Param
	for name := range strings.SplitSeq(t.Params, ", ") {
		if name == "" {
			continue
		}
		name, optional := strings.CutSuffix(name, "?")
		out = append(out, Param{Name: name, Optional: optional, Type: t.Types[name]})
	}
	return out
}

// An Object is a list of functions with the prefix that a script writes before their names.
type Object struct {
	Prefix    string // "world:"
	Functions []Function
	Texts     map[string]Text // by the names of Functions
}

// Objects lists everything that a script can call without a test.
var Objects = []Object{
	{"ecs.", Module, moduleTexts},
	{"ecs.log.", Log, logTexts},
	{"world:", World, worldTexts},
	{"world.commands:", Commands, commandTexts},
	{"layer:", Layer, layerTexts},
}

// RandomText is the text of ecs.random, which is math.random and so in none of the lists.
var RandomText = Text{
	Params: "m?, n?", Types: map[string]string{"m": "integer", "n": "integer"}, Returns: []string{"number value"},
	Doc: "Without arguments a number in [0, 1), with one a whole number from 1 to it, with two a whole number from the first to the second. The numbers come from the stream of this system, so they are the same in every run.",
}

// A Constant is a name of a module or of world that is not a function.
type Constant struct{ Name, Type, Doc string }

// NoneValue is ecs.none.
var NoneValue = Constant{"none", "ecs.Entity", "Entity 0, which is never alive: the default of an entity field."}

// PropertyTexts describe Properties, in the same order.
var PropertyTexts = []Constant{
	{"commands", "ecs.Commands", "The queue of this system: structural changes that are applied when the system returns."},
	{"dt", "number", "Seconds of world time per frame. Read-only."},
	{"frame", "integer", "The number of this frame, counted from 1; 0 before frame 1. Read-only."},
	{"layers", "ecs.Layers", "The layers by name. An undeclared name is an error."},
	{"resources", "ecs.Resources", "The resources by name, for reading and writing. An undeclared name is an error."},
	{"states", "ecs.States", "The states by name, as strings. Read-only: world.commands:state changes one. An undeclared name is an error."},
	{"time", "number", "World time in seconds at the start of this frame; 0 before frame 1. Read-only."},
}
