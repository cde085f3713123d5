package surface

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// A method is a function of an object, called with a colon.
type method struct {
	name string
	run  func(c call) int // pushes results, returns how many
	most int              // arguments it takes at most; anyNumber: it looks itself
}

// anyNumber is in the place of a number of arguments where lists of names are taken.
const anyNumber = math.MaxInt

// THE list of what a script can call. A name that is not here does not exist.

// moduleFunctions are called with a dot: ecs.query{}.
var moduleFunctions = []method{
	{"component", declareComponent, 2},
	{"describe", describe, 2},
	{"event", declareEvent, 2},
	{"fields", fields, 1},
	{"grid", declareGrid, 2},
	{"name", entityName, 1},
	{"query", newQuery, 1},
	{"relation", declareRelation, 1},
	{"resource", declareResource, 2},
	{"tag", declareTag, 1},
}

// logFunctions are ecs.log.info and so on.
var logFunctions = []method{
	{"debug", logDebug, 2},
	{"error", logError, 2},
	{"info", logInfo, 2},
	{"warn", logWarn, 2},
}

// worldMethods are called with a colon: world:spawn{}. world.dt, time, frame,
// commands and resources are in world.go.
var worldMethods = []method{
	{"add", add, anyNumber},
	{"alive", alive, 1},
	{"components", components, 1},
	{"count", count, anyNumber},
	{"despawn", despawn, 1},
	{"drain", drain, 1},
	{"each", each, anyNumber},
	{"first", first, anyNumber},
	{"get", get, 2},
	{"has", has, anyNumber},
	{"near", near, 4},
	{"peek", peek, 1},
	{"read", read, 1},
	{"relate", relate, 3},
	{"related", related, 2},
	{"remove", remove, anyNumber},
	{"removed", removed, 1},
	{"send", send, 2},
	{"set", set, 3},
	{"sources", sources, 2},
	{"spawn", spawn, 1},
	{"spawn_many", spawnMany, 3},
	{"stop", stop, 1},
	{"tag", tag, anyNumber},
	{"tagged", tagged, anyNumber},
	{"tags", tags, 1},
	{"unrelate", unrelate, 2},
	{"untag", untag, anyNumber},
}

// commandMethods are called on world.commands.
var commandMethods = []method{
	{"add", queueAdd, anyNumber},
	{"despawn", queueDespawn, 1},
	{"relate", queueRelate, 3},
	{"remove", queueRemove, anyNumber},
	{"send", queueSend, 2},
	{"set", queueSet, 3},
	{"spawn", queueSpawn, 1},
	{"tag", queueTag, anyNumber},
	{"unrelate", queueUnrelate, 2},
	{"untag", queueUntag, anyNumber},
}

// worldProperties are the names of world that are no functions.
var worldProperties = []string{"commands", "dt", "frame", "resources", "time"}

func names(methods []method) []string {
	out := make([]string, len(methods))
	for i, m := range methods {
		out[i] = m.name
	}
	return out
}

// Names lists what scripts can use, sorted: "ecs.query", "ecs.log.info",
// "world:spawn", "world.dt", "world.commands:set".
func Names() []string {
	out := []string{"ecs.none", "ecs.random"}
	add := func(prefix string, names []string) {
		for _, n := range names {
			out = append(out, prefix+n)
		}
	}
	add("ecs.", names(moduleFunctions))
	add("ecs.log.", names(logFunctions))
	add("world:", names(worldMethods))
	add("world.", worldProperties)
	add("world.commands:", names(commandMethods))
	return sorted(out)
}

// Module makes the module ecs for one environment. random is the environment's
// math.random.
func (s *Surface) Module(host Host, random *lua.LFunction) *lua.LTable {
	m := s.state.NewTable()
	for _, f := range moduleFunctions {
		m.RawSetString(f.name, s.state.NewFunction(f.function(s, host)))
	}
	logs := s.state.NewTable()
	for _, f := range logFunctions {
		logs.RawSetString(f.name, s.state.NewFunction(f.function(s, host)))
	}
	logs.Metatable = s.Strict("ecs.log", names(logFunctions))
	m.RawSetString("log", logs)
	m.RawSetString("none", lua.LNumber(0))
	m.RawSetString("random", random)
	m.Metatable = s.Strict("ecs", append(names(moduleFunctions), "log", "none", "random"))
	return m
}

// Strict makes a metatable under which unknown names of a module are errors with a
// suggestion.
func (s *Surface) Strict(name string, known []string) *lua.LTable {
	mt := s.state.NewTable()
	mt.RawSetString("__index", s.state.NewFunction(func(L *lua.LState) int {
		raiseUnknown(L, "%s has no function %q", name, L.Get(2), known)
		return 0
	}))
	mt.RawSetString("__newindex", s.state.NewFunction(func(L *lua.LState) int {
		raise(L, "%s cannot be changed", name)
		return 0
	}))
	mt.RawSetString("__metatable", lua.LString(name))
	return mt
}
