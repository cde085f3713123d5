package surface

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The functions of scripts, put together: each entry of the lists in package api gets its Go function here. A new
// function needs an entry there and one here.

// A method is a function of an object that is called with a colon, or a function of the module.
type method struct {
	name string
	run  func(c call) int // pushes the results, and returns their number
	most int              // the largest number of arguments; anyNumber if run checks that itself
}

// anyNumber stands for the number of arguments of functions that take lists of names.
const anyNumber = math.MaxInt

// What runs the functions of package api. Each function there has one here.
var (
	moduleFunctions = bind(api.Module, map[string]func(call) int{
		"component": declareComponent, "data": data, "describe": describe, "event": declareEvent, "fields": fields, "grid": declareGrid, "index": declareIndex, "layer": declareLayer, "name": entityName,
		"normal": normal, "pick": pickItem, "prefab": declarePrefab, "query": newQuery, "relation": declareRelation, "resource": declareResource, "sample": sample, "shuffle": shuffle,
		"tag": declareTag,
	})
	logFunctions = bind(api.Log, map[string]func(call) int{
		"debug": logDebug, "error": logError, "info": logInfo, "warn": logWarn,
	})
	worldMethods = bind(api.World, map[string]func(call) int{
		"add": add, "alive": alive, "all": all, "around": around, "at": at, "child": child, "components": components, "count": count, "despawn": despawn, "drain": drain, "each": each, "first": first, "get": get,
		"has": has, "instance": instance, "near": near, "nearest": nearest, "on": on, "peek": peek, "pick": pick, "prefab": prefabEntity, "read": read, "relate": relate, "related": related, "relates": relates, "remove": remove, "removed": removed, "send": send,
		"set": set, "sources": sources, "spawn": spawn, "spawn_many": spawnMany, "stop": stop, "tag": tag, "tagged": tagged, "tags": tags, "targets": targets,
		"unrelate": unrelate, "untag": untag,
	})
	commandMethods = bind(api.Commands, map[string]func(call) int{
		"add": queueAdd, "cancel": queueCancel, "despawn": queueDespawn, "instance": queueInstance, "relate": queueRelate, "remove": queueRemove, "send": queueSend, "set": queueSet, "spawn": queueSpawn,
		"state": queueState, "tag": queueTag, "unrelate": queueUnrelate, "untag": queueUntag,
	})
)

// The functions of layers.
var layerMethods = bind(api.Layer, map[string]func(call) int{
	"add": layerAdd, "around": layerAround, "copy": layerCopy, "count": layerCount, "each": layerEach, "fill": layerFill, "get": layerGet, "set": layerSet,
	"size": layerSize, "sum": layerSum,
})

// bind gives each function of a list its Go function. It panics if one is missing on either side.
func bind(list []api.Function, run map[string]func(call) int) []method {
	out := make([]method, len(list))
	for i, f := range list {
		m := method{name: f.Name, run: run[f.Name], most: len(f.Args)}
		if f.Rest != api.Nothing {
			m.most = anyNumber
		}
		if m.run == nil || len(list) != len(run) {
			panic("surface: package api and the functions here differ at " + f.Name)
		}
		out[i] = m
	}
	return out
}

func names(methods []method) []string {
	out := make([]string, len(methods))
	for i, m := range methods {
		out[i] = m.name
	}
	return out
}

// Names lists everything that scripts can use, sorted: "ecs.query", "ecs.log.info", "world:spawn", "world.dt",
// "world.commands:set".
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
	add("world.", api.Properties)
	add("world.commands:", names(commandMethods))
	add("layer:", names(layerMethods))
	return sorted(out)
}

// Module makes the module ecs for one environment. random is the math.random of that environment.
func (s *Surface) Module(host Host, env *sandbox.Env, random *lua.LFunction) *lua.LTable {
	m := s.state.NewTable()
	for _, f := range moduleFunctions {
		fn := s.state.NewNative(f.function(s, host), s.chanceForm(f.name, host))
		if f.name == "shuffle" {
			interp.Changes(fn)
		}
		m.RawSetString(f.name, fn)
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
	own(env, "ecs", m)
	return m
}

// own makes a module that was just made an original of the environment, with everything in it.
func own(env *sandbox.Env, name string, module *lua.LTable) {
	env.Own("module", name, module, true)
	env.Own(name, "metatable", module.Metatable, false)
	for k, v := module.Next(lua.LNil); k != lua.LNil; k, v = module.Next(k) {
		switch v := v.(type) {
		case *lua.LFunction:
			env.Own(name, k.String(), v, false)
		case *lua.LTable:
			own(env, name+"."+k.String(), v)
		}
	}
}

// Strict makes a metatable with which the use of an unknown name of a module is an error, with a suggestion.
func (s *Surface) Strict(name string, known []string) *lua.LTable {
	mt := s.state.NewTable()
	mt.RawSetString("__index", s.state.NewFunction(func(L *lua.LState) int {
		raiseLacking(L, nil, Object(name), L.Get(2), known)
		return 0
	}))
	mt.RawSetString("__newindex", s.state.NewFunction(func(L *lua.LState) int {
		sandbox.Raise(L, Object(name).Changed())
		return 0
	}))
	mt.RawSetString("__metatable", lua.LString(name))
	return mt
}
