package luabind

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

func TestErrorLines(t *testing.T) {
	for _, c := range []struct {
		name, source, want, excerpt string
	}{
		{
			"component", "return function(world)\n  world:get(0, \"Helth\")\nend",
			`poison.lua:2: system "poison", frame 1: component "Helth" is not declared; did you mean "Health"?`, `    2 |   world:get(0, "Helth")`,
		},
		{
			"nil index", "return function(world)\n  local hp\n  local x = hp.current\nend",
			`poison.lua:3: system "poison", frame 1: attempt to index a nil value (local "hp")`, `    3 |   local x = hp.current`,
		},
		{
			"global", "return function(world)\n  prnt(1)\nend",
			`poison.lua:2: system "poison", frame 1: undeclared global "prnt"; did you mean "print"?`, `    2 |   prnt(1)`,
		},
		{
			"locked", "return function(world)\n  world:spawn{ Position = {} }\n  for e in world:each(\"Position\") do\n    world:despawn(e)\n  end\nend",
			`poison.lua:4: system "poison", frame 1: world:despawn inside a query loop; use world.commands:despawn`, `    4 |     world:despawn(e)`,
		},
		{
			"own error", "return function(world)\n  error(\"no way\")\nend",
			`poison.lua:2: system "poison", frame 1: no way`, `    2 |   error("no way")`,
		},
		{
			"init", "return { init = function(world)\n  error(\"no way\")\nend }",
			`poison.lua:2: system "poison", frame 0: no way`, `    2 |   error("no way")`,
		},
		{
			"load", "local x = nil\nreturn x.y",
			`poison.lua:2: system "poison": attempt to index a nil value (local "x")`, `    2 | return x.y`,
		},
		{"syntax", "local x =\n= 1", `poison.lua:2:1: system "poison": `, `    2 | = 1`},
		{"nothing", "local x = 1", `poison.lua: system "poison": the file returns nothing; write return function(world, dt) … end, or return a table with update: local M = {} function M.update(world, dt) … end return M`, ``},
		{"number", "return 5", `poison.lua: system "poison": the file returns a number; a system's file returns a function or a table with update`, ``},
		{"no update", "return { udpate = function() end }", `poison.lua: system "poison": the table the file returns has neither update nor init: "udpate"; did you mean "update"?`, ``},
		{"init no function", "return { init = 5 }", `poison.lua: system "poison": init is a number; it must be a function`, ``},
		{"list", `return { { name = "posion", update = function() end } }`, `poison.lua: system "poison": the file returns no system of the name "poison"; did you mean "posion"?`, ``},
		{"list without name", `return { { update = function() end } }`, `poison.lua: system "poison": item 1 of the list the file returns has no name`, ``},
		{"broken library", `require("lib.broken")`, `lib/broken.lua:2:1: system "poison": `, `    2 | = 1`},
		{"failing library", `require("lib.failing")`, `lib/failing.lua:2: system "poison": attempt to index a nil value (local "t")`, `    2 | return t.x`},
		{"circle", `require("lib.a")`, `lib/b.lua:1: system "poison": require "lib.a": the files require each other in a circle`, `    1 | return require("lib.a")`},
		{
			"query", "local ecs = require(\"ecs\")\nlocal q = ecs.query{ \"Helth\" }\nreturn function() end",
			`poison.lua:2: component "Helth" is not declared; did you mean "Health"?`, `    2 | local q = ecs.query{ "Helth" }`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := run(t, Options{Scripts: files(map[string]string{
				"poison": c.source, "lib/broken": "local x =\n= 1", "lib/failing": "local t = nil\nreturn t.x",
				"lib/a": `return require("lib.b")`, "lib/b": `return require("lib.a")`,
			})}, 1, System{Name: "poison"})
			var se *ScriptError
			if !errors.As(err, &se) {
				t.Fatalf("got %v, want a ScriptError", err)
			}
			if got := se.Error(); got != c.want && (!strings.HasSuffix(c.want, ": ") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if se.Excerpt != c.excerpt {
				t.Errorf("excerpt %q, want %q", se.Excerpt, c.excerpt)
			}
			loading := !strings.Contains(c.want, "frame")
			if errors.Is(err, ErrLoad) != loading {
				t.Errorf("errors.Is(err, ErrLoad) is %v, want %v", !loading, loading)
			}
			if errors.Is(err, ErrLimit) || errors.Is(err, ErrBug) {
				t.Errorf("it is no limit and no bug: %v", err)
			}
		})
	}
}

func TestStackIsApart(t *testing.T) {
	_, err := run(t, Options{Scripts: files(map[string]string{"a": `
local function inner() error("deep") end
return { update = function(world) (function() inner() end)() end }`})}, 1, System{Name: "a"})
	var se *ScriptError
	if !errors.As(err, &se) {
		t.Fatalf("got %#v", err)
	}
	want := []StackFrame{{"a.lua", 2, "inner", NamedFunction}, {"a.lua", 3, "", AnonymousFunction}, {"a.lua", 3, "update", NamedFunction}}
	if !slices.Equal(se.Stack, want) {
		t.Errorf("stack %v, want %v", se.Stack, want)
	}
	if got, want := Traceback(se.Stack), []string{"inner (a.lua:2)", "anonymous function (a.lua:3)", "update (a.lua:3)"}; !slices.Equal(got, want) {
		t.Errorf("traceback %q, want %q", got, want)
	}
	if strings.Contains(se.Error(), "\n") {
		t.Errorf("more than a line: %q", se.Error())
	}
}

func TestDeepTracebackIsShort(t *testing.T) {
	_, err := run(t, Options{Scripts: files(map[string]string{"a": "local function f() return 1 + f() end return f"})}, 1, System{Name: "a"})
	var se *ScriptError
	if !errors.As(err, &se) {
		t.Fatalf("got %#v", err)
	}
	lines := Traceback(se.Stack)
	if len(lines) != 21 || lines[11] != "f (a.lua:1)" || lines[12] != fmt.Sprintf("... %d more", len(se.Stack)-20) {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
	if got := Traceback([]StackFrame{{Kind: MainChunk}}); !slices.Equal(got, []string{"main chunk"}) || Traceback(nil) != nil {
		t.Errorf("without a place: %q", got)
	}
}

func TestLoadReportsEverything(t *testing.T) {
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{
		"a": "local x = = 1", "b": `local ecs = require("ecs"); ecs.query{ "Nope" }; return function() end`, "c": "return function() end",
	})})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []System{
		{Name: "a", Script: "a.lua"},
		{Name: "b", Script: "b.lua"},
		{Name: "c", Script: "c.lua", When: "fram > 1"},
		{Name: "d", Script: "../d.lua"},
		{Name: "e", Script: "cc.lua"},
		{Name: "f", Native: "nope"},
	} {
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	err = r.Load()
	for _, want := range []string{
		`a.lua:1:11: system "a": `, `b.lua:1: component "Nope" is not declared`,
		`system "c": when "fram > 1": unknown name "fram"; did you mean "frame"?`,
		`../d.lua: system "d": not a path inside the script folder`,
		`cc.lua: system "e": there is no such file in the script folder; did you mean "c.lua"?`,
		`system "f": no native system "nope" is registered`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("missing %s in:\n%v", want, err)
		}
	}
	if !errors.Is(err, ErrLoad) {
		t.Error("not an ErrLoad")
	}
}
