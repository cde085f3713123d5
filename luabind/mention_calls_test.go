package luabind

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A parameter called world is the world if all calls in all files give it, and one does.
func TestUndeclaredInModules(t *testing.T) {
	const lib = "local M = {}\nfunction M.f(world, n)\n  world:kil(n)\nend\nreturn M"
	for name, c := range map[string]struct {
		a, lib string
		want   string
	}{
		"the file returns the function": {`local lib = require("lib") return function(w) lib({}, w) end`, "return function(list, world)\n  list:kil()\n  world:kil()\nend", "lib.lua:3"},
		"it gets something else":        {`local lib = require("lib") return function(w) lib(w, {}) end`, "return function(list, world)\n  world:kil()\nend", ""},
		"it gets nothing":               {`local lib = require("lib") return function(w) lib(w) end`, "return function(list, world)\n  world:kil()\nend", ""},
		"a member":                      {`local lib = require("lib") return function(w) lib.f(w) end`, lib, "lib.lua:3"},
		"a member that is a local":      {`local f = require("lib").f return function(w) f(w, 1) end`, lib, "lib.lua:3"},
		"a member with another object":  {`local lib = require("lib") return function(w) lib.f(w) lib.f(setmetatable({}, lib)) end`, lib, ""},
		"nothing calls it":              {`local lib = require("lib") return function(w) print(lib, w) end`, lib, ""},
		"the function is given away":    {`local lib = require("lib") return function(w) lib.f(w) print(lib.f) end`, lib, ""},
		"a test for the function":       {`local lib = require("lib") return function(w) if lib.f then lib.f(w) end end`, lib, "lib.lua:3"},
		"a method":                      {`local lib = require("lib") return function(w) lib:f(w) end`, "local M = {}\nfunction M:f(world)\n  world:kil(self)\nend\nreturn M", "lib.lua:3"},
		"self is no world":              {`local lib = require("lib") return function(w) lib:f(w) end`, lib, ""},
		"through a function of the file": {
			`local lib = require("lib") return function(w) lib.g(w) end`,
			"local function f(world)\n  world:kil()\nend\nlocal M = {}\nfunction M.g(world) f(world) end\nfunction M.h(world) f(world) end\nreturn M", "",
		},
		"through functions that all get it": {
			`local lib = require("lib") return function(w) lib.g(w) lib.h(w) end`,
			"local function f(v)\n  v:kil()\nend\nlocal M = {}\nfunction M.g(world) f(world) end\nfunction M.h(world) f(world) end\nreturn M", "lib.lua:2",
		},
		"functions that only call each other": {`local lib = require("lib") return function(w) print(lib, w) end`, "local M = {}\nfunction M.f(world) M.f(world) world:kil() end\nreturn M", ""},
		"an observer":                         {`local lib = require("lib") return { init = function(w) w:on("stop", lib.f) end, update = function() end }`, lib, "lib.lua:3"},
		"a table of functions":                {`local T = { f = function(world)` + "\n" + `world:kil() end } return function(w) T[w.frame](w) end`, "return 1", "a.lua:2"},
		"another variable called world":       {"local world = setmetatable({}, {}) return function(w) world:kil() world.x = w end", "return 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := ""
			if c.want != "" {
				want = c.want + ": world has no function \"kil\""
			}
			if got := undeclaredOf(t, map[string]string{"a": c.a, "lib": c.lib}); got != want {
				t.Errorf("got %v\nwant %s", got, want)
			}
		})
	}
}

// The functions of one file get the world in many ways. Lines with "--!" have a mistake.
func TestUndeclaredInFunctions(t *testing.T) {
	for name, source := range map[string]string{
		"declared before": `
local f
function f(world) world:kil() end --!
return function(world) f(world) end`,
		"mutual recursion": `
local odd, even
function even(world, n) if n > 0 then odd(world, n - 1) end end
odd = function(world, n)
  world:kil(1) --!
  even(world, n - 1)
end
return function(world) even(world, 3) end`,
		"declared before, and something else": `
local f
function f(world) world:kil() end
return function(world) f(world) f({}) end`,
		"called where it stands": `
return function(world)
  (function(world) world:kil() end)(world) --!
end`,
		"called where it stands with something else": `
return function(world)
  (function(world) world:kil() end)({})
end`,
		"pcall": `
local function f(world) world:kil() end --!
return function(world) pcall(f, world) f(world) end`,
		"only pcall": `
local function f(world) world:kil() end --!
return function(world) pcall(f, world) end`,
		"pcall with something else": `
local function f(world) world:kil() end
return function(world) pcall(f, {}) f(world) end`,
		"pcall of a function that is written there": `
return function(world)
  pcall(function(world) world:kil() end, world) --!
end`,
		"pcall of a member": `
local M = {}
function M.f(world) world:kil() end --!
return function(world) pcall(M.f, world) end`,
		"xpcall": `
local function f(world) world:kil() end --!
return function(world) xpcall(f, print) f(world) end`,
		"another name": `
local function f(world) world:kil() end --!
local g = f
return function(world) g(world) end`,
		"another name with something else": `
local function f(world) world:kil() end
local g = f
return function(world) f(world) g({}) end`,
		"passed on": `
local function f(world) world:kil() end --!
local function call(g, w) g(w) end
return function(world) call(f, world) end`,
		"passed on and given something else": `
local function f(world) world:kil() end
local function call(g, w) g({}) end
return function(world) call(f, world) f(world) end`,
		"a callback": `
local function f(w, g) g(w) end
return function(world)
  f(world, function(world) world:kil() end) --!
end`,
		"a callback for an unknown function": `
return function(world)
  table.sort({}, function(world, b) world:kil() end)
end`,
		"given to an unknown function and called": `
local function f(world) world:kil() end --!
return function(world) f(world) table.foreach({}, f) end`,
		"a coroutine": `
local co
return function(world)
  co = co or 1
  co = coroutine.create(function(world) world:kil() end) --!
  coroutine.resume(co, world)
end`,
		"a coroutine of a local function": `
local function f(world) coroutine.yield() world:kil() end --!
return function(world)
  local next = coroutine.wrap(f)
  next(world)
  next()
end`,
		"a coroutine that is made once": `
local co
return function(world)
  co = co or coroutine.create(function(world) world:kil() end) --!
  coroutine.resume(co, world)
end`,
		"a system that is declared before": `
local update
function update(w) w:kil() end --!
return update`,
		"a function of a system that is declared before": `
local M = {} local update
function update(w) w:kil() end --!
M.update = update
return M`,
		"all arguments": `
local function f(world) world:kil() end --!
return { update = function(...) f(...) end }`,
		"all arguments of another function": `
local function f(world) world:kil() end
local function g(...) f(...) end
return function(world) g({}) f(world) end`,
		"a list": `
local steps = {
  function(world) world:kil() end, --!
}
return function(world) steps[world.frame](world) end`,
		"a loop over a list": `
local steps = {
  function(world) world:kil() end, --!
}
return function(world) for _, step in ipairs(steps) do step(world) end end`,
		"a list that gets something else": `
local steps = {
  function(world) world:kil() end,
}
return function(world) for _, step in ipairs(steps) do step(world, steps[1]({})) end end`,
		"a coroutine with something else": `
local function f(world) coroutine.yield() world:kil() end
return function(world) coroutine.wrap(f)({}) end`,
	} {
		t.Run(name, func(t *testing.T) {
			var got, want []string
			for i, line := range strings.Split(source, "\n") {
				if strings.Contains(line, "--!") {
					want = append(want, fmt.Sprintf("a.lua:%d: world has no function \"kil\"", i+1))
				}
			}
			if text := undeclaredOf(t, map[string]string{"a": source}); text != "" {
				got = strings.Split(text, "\n")
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
}

// In a module, a function that is given away may be called with anything.
func TestUndeclaredInModuleGivenAway(t *testing.T) {
	const source = `local function f(world)
  world:kil()
end
local M = {}
function M.run(world) f(world) table.foreach({}, f) end
return M`
	if got := undeclaredOf(t, map[string]string{"a": `local lib = require("lib") return function(w) lib.run(w) end`, "lib": source}); got != "" {
		t.Error(got)
	}
}

// undeclaredOf returns what is undeclared in some files, of which a is a system.
func undeclaredOf(t *testing.T, sources map[string]string) string {
	t.Helper()
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(sources)})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(System{Name: "a", Script: "a.lua"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Load(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Undeclared()...); err != nil {
		return err.Error()
	}
	return ""
}
