package luatest

import (
	"embed"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The modules of busted and luassert that test files require: most are words of the file, some are written in Lua (lib).

//go:embed lib/*.lua
var libraries embed.FS

// libraryPrefix begins the names of the files of lib in errors, which are reported where the test has called them.
const libraryPrefix = "(luassert)/"

// moduleNames are the modules that module knows, for suggestions.
var moduleNames = []string{
	"busted", "busted.runner", "luassert", "luassert.array", "luassert.assert", "luassert.assertions", "luassert.formatters", "luassert.languages.en",
	"luassert.match", "luassert.matchers", "luassert.mock", "luassert.modifiers", "luassert.spy", "luassert.stub", "luassert.util", "say",
}

// module returns a module of busted or luassert, nil of Lua if there is none of that name.
func (s *suite) module(name string) lua.LValue {
	v, known := s.modules[name]
	if known {
		return v
	}
	v = lua.LNil
	switch name {
	case "luassert", "luassert.assert":
		v = s.words["assert"]
	case "luassert.match", "luassert.mock", "luassert.spy", "luassert.stub":
		v = s.words[name[len("luassert."):]]
	case "luassert.array", "luassert.assertions", "luassert.formatters", "luassert.languages.en", "luassert.matchers", "luassert.modifiers":
		v = lua.LTrue // they are there without
	case "busted.runner":
		v = s.state.NewFunction(func(*lua.LState) int { return 0 }) // ecsrun test is the runner
	case "busted":
		v = s.bustedModule()
	case "say":
		if v = s.library("say"); v == lua.LNil || s.library("english", v) == lua.LNil {
			return lua.LNil
		}
	case "luassert.util":
		v = s.library("util", s.nativeUtil())
	}
	if v != lua.LNil {
		s.modules[name] = v
	}
	return v
}

// library runs a file of lib and returns its value, nil of Lua if the test has no instructions or calls left for it.
func (s *suite) library(name string, args ...lua.LValue) lua.LValue {
	text, err := libraries.ReadFile("lib/" + name + ".lua")
	if err != nil {
		panic("luatest: " + err.Error())
	}
	chunk, err := sandbox.Compile(libraryPrefix+name+".lua", string(text))
	if err != nil {
		panic("luatest: " + err.Error())
	}
	results, err := s.state.CallResults(s.state.NewEnv(sandbox.EnvOptions{}).Load(chunk, nil), 1, args...)
	if err != nil {
		return lua.LNil // the test has no instructions or calls left
	}
	return results[0]
}

// bustedModule makes the module busted: the words, and what needs no events.
func (s *suite) bustedModule() *lua.LTable {
	t := s.state.NewTable()
	for _, name := range sortedNamesOf(s.words) {
		t.RawSetString(name, s.words[name])
	}
	t.RawSetString("version", lua.LString("2.1.1"))
	t.RawSetString("fail", s.state.NewFunction(func(L *lua.LState) int {
		text := "nil"
		if own, ok := s.textual(L, L.Get(1)); ok {
			text = own
		}
		sandbox.Raise(L, &mismatch{message: text, text: text})
		return 0
	}))
	t.Metatable = s.surf.Strict("busted", nil)
	return t
}

// nativeUtil are the functions of luassert.util that Lua alone cannot have.
func (s *suite) nativeUtil() *lua.LTable {
	is := func(holds func(L *lua.LState, v lua.LValue) bool) lua.LGFunction {
		return func(L *lua.LState) int {
			L.Push(lua.LBool(holds(L, L.Get(1))))
			return 1
		}
	}
	return s.functions(map[string]lua.LGFunction{
		"callable": is(callable),
		"hastostring": is(func(L *lua.LState, v lua.LValue) bool {
			_, ok := s.textual(L, v)
			return ok && v.Type() != lua.LTNumber
		}),
		"is_arglist":     is(func(_ *lua.LState, v lua.LValue) bool { return s.isArgumentList(v) }),
		"is_matcher":     is(func(_ *lua.LState, v lua.LValue) bool { return s.matcherOf(v) != nil }),
		"is_ref_matcher": is(func(_ *lua.LState, v lua.LValue) bool { m := s.matcherOf(v); return m != nil && m.name == "ref" }),
		"is_spy":         is(func(_ *lua.LState, v lua.LValue) bool { return s.spyOf(v) != nil }),
		"make_arglist": func(L *lua.LState) int {
			L.Push(s.argumentList(L))
			return 1
		},
		"deepcompare": func(L *lua.LState) int {
			c := &comparison{suite: s, L: L, outer: !lua.LVAsBool(L.Get(3))}
			c.compare("", L.Get(1), L.Get(2))
			crumbs := s.state.NewTable()
			for i, k := range c.first {
				crumbs.RawSetInt(len(c.first)-i, k)
			}
			L.Push(lua.LBool(c.lines == nil))
			L.Push(crumbs)
			return 2
		},
	})
}
