package luatest

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The globals of a test file, as busted has them. The code of the file sees one table, the scope, above _G. What a test
// assigns is gone after it, what a group and its setup and before_each assign after the group: each has a layer, and
// the scope shows the innermost value of each name. Required files read _G, too, and have its library tables.

// A layer has the globals that the code of the file, a group or a test has assigned.
type layer map[lua.LValue]lua.LValue

// scope is what the code of a test file sees as its globals.
type scope struct {
	table  *lua.LTable // its metatable leads to the words, and theirs to _G
	_g     *lua.LTable // _G
	strict lua.LValue  // raises the error of scripts for a global that is not declared
	layers []layer     // of the file, of the groups that are entered, and of the running test
	shown  layer       // what the table has: the innermost values
}

// environment makes the globals of the test file, and those that the files share which it requires. Besides files it can require its
// own instances of the modules ecs and ecs.test, those of busted and luassert, and those of Options.Modules.
func (s *suite) environment(string) (*sandbox.Env, func(name string) lua.LValue) {
	h := testHost{s}
	env := s.state.NewEnv(sandbox.EnvOptions{Print: &s.output, Random: s.surf.Stream(h)})
	module := s.surf.Module(h, env, s.surf.GuardRandom(h, env))
	if s.scope.table == nil {
		s.openScope(env)
	} else {
		s.share(env)
	}
	return env, func(name string) lua.LValue {
		switch {
		case name == "ecs":
			return module
		case name == "ecs.test":
			return s.testModule()
		case s.packages.hidden[name]:
			return lua.LNil // the file of that name is wanted
		case s.o.Modules[name] != nil:
			return surface.Functions(s.surf, env, name, s.o.Modules[name])
		}
		return s.module(name)
	}
}

// openScope gives the test file a scope above its environment, whose table is _G from then on. Undeclared globals are nil.
func (s *suite) openScope(env *sandbox.Env) {
	s.scope._g, s.scope.table = env.Table, s.state.NewTable()
	mt, _ := env.Table.Metatable.(*lua.LTable)
	s.scope.strict = mt.RawGetString("__index")
	s.scope._g.Metatable = lua.LNil
	words := s.state.NewTable()
	words.Metatable, s.scope.table.Metatable = s.inherits(s.scope._g), s.inherits(words)
	env.Table = s.scope.table
	s.scope.shown = layer{}
	library, _ := s.scope._g.RawGetString("string").(*lua.LTable)
	s.find, _ = library.RawGetString("find").(*lua.LFunction)
	s.state.SetStrings(s.scope._g, library)
	s.state.SetStrings(s.scope.table, library)
	plain, _ := s.scope._g.RawGetString("assert").(*lua.LFunction)
	s.makeWords(plain.GFunction)
	for _, name := range sortedNamesOf(s.words) {
		words.RawSetString(name, s.words[name])
	}
}

// isSpec reports whether the file is a spec of busted.
func (s *suite) isSpec() bool { return strings.HasSuffix(s.file.Path, "_spec.lua") }

// inherits makes a metatable that leads to a table.
func (s *suite) inherits(from *lua.LTable) *lua.LTable {
	mt := s.state.NewTable()
	mt.RawSetString("__index", from)
	return mt
}

// share gives required files the library tables of the test file, and lets it read what the test file has put into _G. What
// a spec of busted requires has its _G altogether.
func (s *suite) share(env *sandbox.Env) {
	library, _ := s.scope._g.RawGetString("string").(*lua.LTable)
	s.state.SetStrings(env.Table, library)
	if s.isSpec() {
		env.Table.Metatable = s.inherits(s.scope._g)
		env.Table.Metatable.(*lua.LTable).RawSetString("__newindex", s.scope._g)
		for _, k := range contentsOf(env.Table).keys {
			sandbox.Set(env.Table, k, lua.LNil)
		}
		return
	}
	for _, name := range []string{"bit", "coroutine", "math", "string", "table"} {
		env.Set(name, s.scope._g.RawGetString(name))
	}
	mt, _ := env.Table.Metatable.(*lua.LTable)
	strict, _ := mt.RawGetString("__index").(*lua.LFunction)
	mt.RawSetString("__index", s.state.NewFunction(func(L *lua.LState) int {
		if v := sandbox.Get(s.scope._g, L.Get(2)); v != lua.LNil {
			L.Push(v)
			return 1
		}
		return strict.GFunction(L)
	}))
}

// names returns the names of the globals that scripts have, too.
func (sc *scope) names() []string {
	var out []string
	for k, _ := sc._g.Next(lua.LNil); k != lua.LNil; k, _ = sc._g.Next(k) {
		if name, ok := k.(lua.LString); ok {
			out = append(out, string(name))
		}
	}
	return out
}

// settle moves what was assigned since the last call to a layer.
func (sc *scope) settle(to layer) {
	n := 0
	for k, v := sc.table.Next(lua.LNil); k != lua.LNil; k, v = sc.table.Next(k) {
		n++
		if was, ok := sc.shown[k]; !ok || was != v {
			to[k] = v
			sc.show(k)
		}
	}
	if n == len(sc.shown) {
		return
	}
	for k := range sc.shown {
		if sandbox.Get(sc.table, k) == lua.LNil { // set to nil: the name is that of the layer below again
			delete(to, k)
			sc.show(k)
		}
	}
}

// show makes the table have the innermost value of a name.
func (sc *scope) show(k lua.LValue) {
	for i := len(sc.layers) - 1; i >= 0; i-- {
		if v, ok := sc.layers[i][k]; ok {
			sc.shown[k] = v
			sandbox.Set(sc.table, k, v)
			return
		}
	}
	delete(sc.shown, k)
	sandbox.Set(sc.table, k, lua.LNil)
}

// enter puts a layer above the others.
func (sc *scope) enter(l layer) { sc.layers = append(sc.layers, l) }

// leave takes away the uppermost layer.
func (sc *scope) leave() {
	top := sc.layers[len(sc.layers)-1]
	sc.layers = sc.layers[:len(sc.layers)-1]
	for k := range top {
		sc.show(k)
	}
}
