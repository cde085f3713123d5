package script

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// newSet makes a set over files, whose environments have the built-in module "built".
func newSet(files fstest.MapFS) *Set {
	state := sandbox.New(sandbox.Options{})
	state.Budget().Reset(1_000_000)
	h := &Host{State: state, Surface: surface.New(state), Sources: Folders{{Files: files}}, Compile: CompilePlain, RequireTakes: "string expected", Builtins: []string{"built"}}
	h.Environment = func(string) (*sandbox.Env, func(string) lua.LValue) {
		return state.NewEnv(sandbox.EnvOptions{Scripts: true}), func(name string) lua.LValue {
			if name == "built" {
				return state.NewTable()
			}
			return lua.LNil
		}
	}
	return NewSet(h)
}

// load loads an instance of a file.
func load(t *testing.T, s *Set, path string) (*Instance, error) {
	t.Helper()
	i, err := s.Instance(path)
	if err != nil {
		return nil, err
	}
	return i, i.Load()
}

// What a system's file returns, and what is wrong with it.
func TestAdopt(t *testing.T) {
	for source, want := range map[string]string{
		`return function() end`:              "update",
		`return { update = function() end }`: "update",
		`return { init = function() end }`:   "init",
		`return { init = function() end, update = function() end, on_reload = function() end }`:           "init update on_reload",
		`return { update = function() end, state = { n = 1 } }`:                                           "update state",
		`return { { name = "other", init = function() end }, { name = "sys", update = function() end } }`: "update",
		`return {}`:                                        "the table the file returns has neither update nor init",
		`return { on_reload = function() end }`:            "the table the file returns has neither update nor init",
		`return { updat = function() end }`:                `the table the file returns has neither update nor init: "updat"; did you mean "update"?`,
		`return { update = 5 }`:                            "update is a number; it must be a function",
		`return { update = function() end, init = {} }`:    "init is a table; it must be a function",
		`return { update = function() end, state = 5 }`:    "state is a number; it must be a table",
		`local x = 1`:                                      "the file returns nothing; write return function(world, dt) … end, or return a table with update: local M = {} function M.update(world, dt) … end return M",
		`return 5`:                                         "the file returns a number; a system's file returns a function or a table with update",
		`return { 5 }`:                                     "item 1 of the list the file returns is a number; it must be a table with a name",
		`return { { name = "a" }, 5 }`:                     "item 2 of the list the file returns is a number; it must be a table with a name",
		`return { { update = function() end } }`:           "item 1 of the list the file returns has no name",
		`return { { name = 5 } }`:                          "item 1 of the list the file returns has no name",
		`return { { name = "syss" } }`:                     `the file returns no system of the name "sys"; did you mean "syss"?`,
		`return { { name = "apple" }, { name = "pear" } }`: `the file returns no system of the name "sys"; it has "apple", "pear"`,
	} {
		i, err := load(t, newSet(folder("a.lua", source)), "a.lua")
		if err != nil {
			t.Fatal(err)
		}
		err = i.Adopt("sys")
		var has []string
		for _, f := range []struct {
			name string
			fn   *lua.LFunction
		}{{"init", i.Init}, {"update", i.Update}, {"on_reload", i.OnReload}} {
			if f.fn != nil && err == nil {
				has = append(has, f.name)
			}
		}
		if i.State() != lua.LNil && err == nil {
			has = append(has, "state")
		}
		got := strings.Join(has, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
		}
		if err == nil {
			table := !strings.HasPrefix(source, "return function")
			if i.SetState(lua.LTrue) != table || table != (i.State() == lua.LTrue) {
				t.Errorf("%s: its state is %v", source, i.State())
			}
		}
	}
}

// A file is loaded once in a set, a built-in module once in an environment; package.loaded and preload count as in Lua; what is wrong is raised where it was required.
func TestRequire(t *testing.T) {
	for source, want := range map[string]string{
		`local a, b = require("lib.count"), require("lib.count") assert(a == b and a.n == 1)`:                                                            "",
		`assert(require("lib.user").count == require("lib.count"))`:                                                                                      "",
		`assert(require("built") == require("built") and require("lib.user").built == require("built"))`:                                                 "",
		`assert(require("lib.nothing") == true and require("lib.nothing") == true)`:                                                                      "",
		`assert(require("lib.off") == false)`:                                                                                                            "",
		`assert(require("lib/count") == require("lib.count"))`:                                                                                           "",
		`assert(require("lib.args") == "lib.args" and require("lib/args") == "lib.args")`:                                                                "",
		`assert(require("pack") == "pack" and package.loaded.pack == "pack")`:                                                                            "",
		`assert(require("string") == string and require("_G") == _G and require("package") == package)`:                                                  "",
		`package.preload.made = function(name) return { name = name } end assert(require("made").name == "made" and require("made") == require("made"))`: "",
		`local a = require("lib.count") package.loaded["lib.count"] = nil assert(require("lib.count") ~= a)`:                                             "",
		`package.loaded["lib.count"] = 7 assert(require("lib.count") == 7)`:                                                                              "",
		`assert(require("lib.sets") == 5)`:                                                                                                               "",
		`assert(require("lib.early").n == 1)`:                                                                                                            "",
		`require("lib.shared") assert(shared == 3 and ("x"):twice() == "xx") shared = 4 assert(require("lib.reads")() == 4)`:                             "",
		`require("lib.count.lua")`: `a.lua:1: require "lib.count.lua": folders are separated by dots, and files have no ending: require("lib.count")`,
		`require(5)`:               "a.lua:1: bad argument #1 to 'require' (string expected, got number)",
		`require()`:                "a.lua:1: bad argument #1 to 'require' (string expected, got nil)",
		`require("lib.cont")`:      `a.lua:1: require "lib.cont": there is no file lib/cont.lua in the script folder; did you mean "lib.count"?`,
		`require("bilt")`:          `a.lua:1: require "bilt": there is no file bilt.lua in the script folder; did you mean "built"?`,
		`require("lib.circle")`:    `lib/circle.lua:1: require "lib.circle": the files require each other in a circle`,
		`require("lib.broken")`:    "lib/broken.lua:1:5: unexpected",
		`require("lib.fails")`:     "lib/fails.lua:1: no",
		`pcall(require, "lib.fails") require("lib.fails")`: "lib/fails.lua:1: no",
	} {
		s := newSet(folder("a.lua", source, "lib/count.lua", "local M = { n = 0 } M.n = M.n + 1 return M", "lib/user.lua", `return { count = require("lib.count"), built = require("built") }`,
			"lib/nothing.lua", "", "lib/off.lua", "return false", "lib/circle.lua", `return require("lib.circle")`, "lib/broken.lua", "x = = 1", "lib/fails.lua", `error("no")`,
			"lib/args.lua", "return ...", "pack/init.lua", "return ...", "lib/sets.lua", "package.loaded[...] = 5", "lib/early.lua", `local M = { n = 1 } package.loaded[...] = M require("lib.late") return M`,
			"lib/late.lua", `assert(require("lib.early").n == 1)`, "lib/shared.lua", `rawset(_G, "shared", 3) function string.twice(s) return s .. s end`, "lib/reads.lua", "return function() return shared end"))
		_, err := load(t, s, "a.lua")
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.HasPrefix(got, want) {
			t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
		}
	}
}

// After a file was replaced, what uses it is loaded anew, and the rest is shared; instances of the old set require in the new one.
func TestNextSet(t *testing.T) {
	files := folder("a.lua", `return { base = require("lib.base"), other = require("lib.other") }`, "lib/base.lua", `return { deep = require("lib.deep") }`,
		"lib/deep.lua", "return { v = 1 }", "lib/other.lua", "return { late = function() return require('lib.deep') end }")
	s := newSet(files)
	a, err := load(t, s, "a.lua")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a.lua": true, "lib/base.lua": true, "lib/deep.lua": true, "lib/other.lua": true, "lib/none.lua": false} {
		if a.Uses(map[string]bool{path: true}) != want {
			t.Errorf("that a uses %s is %v", path, !want)
		}
	}
	if got := fmt.Sprint(s.Paths()); got != "[a.lua lib/base.lua lib/deep.lua lib/other.lua]" {
		t.Errorf("the set has %s", got)
	}
	if s.Excerpt("lib/deep.lua", 1) == "" || s.Excerpt("lib/none.lua", 1) != "" {
		t.Error("the excerpts are others")
	}
	files["lib/deep.lua"].Data = []byte("return { v = 2 }")
	next := s.Next("lib/deep.lua")
	if next.Lookup("lib/deep.lua") != nil || next.Lookup("lib/base.lua").Unit != s.Lookup("lib/base.lua").Unit {
		t.Error("the new set has the changed file, or compiles the others again")
	}
	if next.Lookup("lib/base.lua").module != nil || next.Lookup("lib/other.lua").module == nil {
		t.Error("a module that uses the changed file is kept, or another one is dropped")
	}
	b, err := load(t, next, "a.lua")
	if err != nil {
		t.Fatal(err)
	}
	s.Retire(next)
	value := func(i *Instance) lua.LValue {
		return i.value.(*lua.LTable).RawGetString("base").(*lua.LTable).RawGetString("deep").(*lua.LTable).RawGetString("v")
	}
	if value(a) != lua.LNumber(1) || value(b) != lua.LNumber(2) {
		t.Errorf("the old instance has %v, the new one %v", value(a), value(b))
	}
	results, err := next.host.State.CallResults(a.value.(*lua.LTable).RawGetString("other").(*lua.LTable).RawGetString("late"), 1)
	if err != nil || results[0].(*lua.LTable).RawGetString("v") != lua.LNumber(2) {
		t.Errorf("an old instance requires %v, %v", results, err)
	}
	if s.live() != next || next.live() != next {
		t.Error("another set is in use")
	}
	if _, err := next.Script("lib/none.lua"); readError(err) == nil || errors.Unwrap(readError(err)) == nil {
		t.Errorf("a file that is not there: %v", err)
	}
}
