// Package api is the list of what scripts can call: the name of each function, what its arguments are, and whether a compiled loop may call it.
//
// A new Lua function begins here. Three packages read the list: surface binds a Go function to each entry, script checks the names among the arguments of calls before a script
// runs, and lower compiles the calls in loop bodies. [World] has the functions of world, [Commands] those of world.commands, [Module] those of ecs, and [Log] those of
// ecs.log, and [Layer] those of layers.
package api

// A Role says what an argument of a function is.
type Role uint8

// The roles.
const (
	Nothing   Role = iota // there is no such argument
	Value                 // any value: numbers, functions, texts
	Entity                // an entity
	Component             // the name of a component; of a relation where that makes sense
	Tag                   // the name of a tag
	Event                 // the name of an event
	Relation              // the name of a relation
	Grid                  // the name of a grid
	Index                 // the name of an index
	Filter                // the name of a tag, or a query object
	Query                 // names of components from here on; or a query object, which a relation and its target may follow
	Fields                // a table of fields of the component or event that the argument before it names
	State                 // the name of a state; its value follows
	Waiting               // the number of an event that waits, or the name of an event
	Prefab                // the name of a prefab
	Parts                 // a table that describes an entity: components and relations by name, tags in the list part
)

// Name reports whether an argument of that role is a name that a script declares.
func (r Role) Name() bool {
	switch r {
	case Component, Tag, Event, Relation, Grid, Index, Filter, Query, State, Prefab:
		return true
	case Nothing, Value, Entity, Fields, Parts, Waiting:
		return false
	}
	panic("api: unknown role")
}

// A Function is one function that scripts can call.
type Function struct {
	Name string
	Args []Role // by position
	Rest Role   // the role of all arguments after Args; Nothing: there are none

	// InLoops says that a compiled loop may call the function. A loop that calls another one is left to the
	// interpreter.
	InLoops bool
}

// Role returns the role of argument i, counted from 0; Nothing beyond the last argument.
func (f *Function) Role(i int) Role {
	if i < len(f.Args) {
		return f.Args[i]
	}
	return f.Rest
}

// World lists the methods of world, sorted by name.
var World = []Function{
	{Name: "add", Args: []Role{Entity}, Rest: Component},
	{Name: "alive", Args: []Role{Entity}, InLoops: true},
	{Name: "all", Args: []Role{Index}, Rest: Value, InLoops: true},
	{Name: "around", Args: []Role{Index, Value, Value, Value, Value}, InLoops: true},
	{Name: "at", Args: []Role{Index}, Rest: Value, InLoops: true},
	{Name: "child", Args: []Role{Entity, Value}},
	{Name: "components", Args: []Role{Entity}},
	{Name: "count", Args: []Role{Query}, Rest: Query, InLoops: true},
	{Name: "despawn", Args: []Role{Entity}},
	{Name: "drain", Args: []Role{Event}},
	{Name: "each", Args: []Role{Query}, Rest: Query, InLoops: true},
	{Name: "first", Args: []Role{Query}, Rest: Query, InLoops: true},
	{Name: "get", Args: []Role{Entity, Component}, InLoops: true},
	{Name: "has", Args: []Role{Entity}, Rest: Component, InLoops: true},
	{Name: "instance", Args: []Role{Prefab, Parts}},
	{Name: "near", Args: []Role{Grid, Value, Value, Value, Filter}, InLoops: true},
	{Name: "nearest", Args: []Role{Grid, Value, Value, Value, Filter, Entity}},
	{Name: "on", Args: []Role{Value, Value, Value}},
	{Name: "peek", Args: []Role{Event}},
	{Name: "pick", Args: []Role{Query}, Rest: Query},
	{Name: "prefab", Args: []Role{Prefab}},
	{Name: "read", Args: []Role{Event}},
	{Name: "relate", Args: []Role{Entity, Relation, Entity}},
	{Name: "related", Args: []Role{Entity, Relation}, InLoops: true},
	{Name: "relates", Args: []Role{Entity, Relation, Entity}},
	{Name: "remove", Args: []Role{Entity}, Rest: Component},
	{Name: "removed", Args: []Role{Component}},
	{Name: "send", Args: []Role{Event, Fields}, InLoops: true},
	{Name: "set", Args: []Role{Entity, Component, Fields}, InLoops: true},
	{Name: "sources", Args: []Role{Relation, Entity}, InLoops: true},
	{Name: "spawn", Args: []Role{Parts}},
	{Name: "spawn_many", Args: []Role{Value, Parts, Value}},
	{Name: "stop", Args: []Role{Value}},
	{Name: "tag", Args: []Role{Entity}, Rest: Tag, InLoops: true},
	{Name: "tagged", Args: []Role{Entity}, Rest: Tag, InLoops: true},
	{Name: "tags", Args: []Role{Entity}},
	{Name: "targets", Args: []Role{Entity, Relation}, InLoops: true},
	{Name: "unrelate", Args: []Role{Entity, Relation, Entity}},
	{Name: "untag", Args: []Role{Entity}, Rest: Tag, InLoops: true},
}

// Commands lists the methods of world.commands, sorted by name. Their calls are queued, and applied at the end of
// the turn.
var Commands = []Function{
	{Name: "add", Args: []Role{Entity}, Rest: Component, InLoops: true},
	{Name: "cancel", Args: []Role{Waiting, Value}},
	{Name: "despawn", Args: []Role{Entity}, InLoops: true},
	{Name: "instance", Args: []Role{Prefab, Parts}, InLoops: true},
	{Name: "relate", Args: []Role{Entity, Relation, Entity}, InLoops: true},
	{Name: "remove", Args: []Role{Entity}, Rest: Component, InLoops: true},
	{Name: "send", Args: []Role{Event, Fields, Value}, InLoops: true},
	{Name: "set", Args: []Role{Entity, Component, Fields}, InLoops: true},
	{Name: "spawn", Args: []Role{Parts}, InLoops: true},
	{Name: "state", Args: []Role{State, Value}},
	{Name: "tag", Args: []Role{Entity}, Rest: Tag, InLoops: true},
	{Name: "unrelate", Args: []Role{Entity, Relation, Entity}, InLoops: true},
	{Name: "untag", Args: []Role{Entity}, Rest: Tag, InLoops: true},
}

// Module lists the functions of the module ecs, sorted by name. ecs.random is not among them, because it is
// math.random.
var Module = []Function{
	{Name: "component", Args: []Role{Value, Value}},
	{Name: "data", Args: []Role{Value}},
	{Name: "describe", Args: []Role{Value, Entity}},
	{Name: "event", Args: []Role{Value, Value, Value}},
	{Name: "fields", Args: []Role{Value}},
	{Name: "grid", Args: []Role{Value, Value}},
	{Name: "index", Args: []Role{Value, Value}},
	{Name: "layer", Args: []Role{Value, Value}},
	{Name: "name", Args: []Role{Entity}},
	{Name: "normal", Args: []Role{Value, Value}},
	{Name: "pick", Args: []Role{Value}},
	{Name: "prefab", Args: []Role{Value, Value}},
	{Name: "query", Args: []Role{Value}},
	{Name: "relation", Args: []Role{Value, Value}},
	{Name: "resource", Args: []Role{Value, Value}},
	{Name: "sample", Args: []Role{Value, Value}},
	{Name: "shuffle", Args: []Role{Value}},
	{Name: "tag", Args: []Role{Value}},
}

// Log lists the functions of ecs.log, sorted by name.
var Log = []Function{
	{Name: "debug", Args: []Role{Value, Value}},
	{Name: "error", Args: []Role{Value, Value}},
	{Name: "info", Args: []Role{Value, Value}},
	{Name: "warn", Args: []Role{Value, Value}},
}

// Layer lists the functions of a layer, sorted by name.
var Layer = []Function{
	{Name: "add", Args: []Role{Value, Value, Value}, InLoops: true},
	{Name: "around", Args: []Role{Value, Value, Value, Value}, InLoops: true},
	{Name: "copy", Args: []Role{Value}},
	{Name: "count", Args: []Role{Value}},
	{Name: "each", InLoops: true},
	{Name: "fill", Args: []Role{Value, Value, Value, Value, Value}},
	{Name: "get", Args: []Role{Value, Value}, InLoops: true},
	{Name: "set", Args: []Role{Value, Value, Value}, InLoops: true},
	{Name: "size"},
	{Name: "sum"},
}

// WaitKeys are the keys of the third argument of world.commands:send.
var WaitKeys = []string{"after", "frames", "at", "key"}

// Properties are the names on world that are values and not functions, sorted.
var Properties = []string{"commands", "dt", "frame", "layers", "resources", "states", "time"}

// Find returns the function with a name, nil if the list does not have it.
func Find(list []Function, name string) *Function {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// Names returns the names in a list.
func Names(list []Function) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names
}
