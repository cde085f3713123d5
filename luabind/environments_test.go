package luabind

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// All files of a mod share their globals, library tables and methods of strings; other mods see none of them.
func TestEnvironmentOfAMod(t *testing.T) {
	var out bytes.Buffer
	own := map[string]string{
		"one": `rawset(_G, "score", 1) function string.shout(s) return s:upper() .. "!" end string.format = function() return "mine" end
			return function() score = score + 1 print("one", score, ("a"):shout(), ("%d"):format(1)) end`,
		"two": `local lib = require("lib") return function() score = score * 2 print("two", score, lib(), string.format("%d", 1)) end`,
		"lib": `return function() return ("b"):shout() end`,
	}
	mods := []Mod{{Name: "other", Scripts: files(map[string]string{
		"three": `return function() print("three", pcall(function() return score end)) print(string.shout, ("%d"):format(3), pcall(function() return ("x"):shout() end)) end`,
	})}}
	for _, impl := range []Impl{Lua, Closures, Auto} {
		out.Reset()
		_, err := run(t, Options{Scripts: files(own), Mods: mods, Stdout: &out}, 2,
			System{Name: "one", Impl: impl}, System{Name: "two", Impl: impl}, System{Name: "other.three", Script: "other/three.lua", Impl: impl})
		if err != nil {
			t.Fatal(err)
		}
		const three = "three\tfalse\tother/three.lua:1: undeclared global \"score\"; no local of this name is visible here\n" +
			"nil\t3\tfalse\tother/three.lua:1: attempt to call a nil value (method \"shout\"); Lua 5.1 has no string.shout\n"
		if got, want := out.String(), "one\t2\tA!\tmine\ntwo\t4\tB!\tmine\n"+three+"one\t5\tA!\tmine\ntwo\t10\tB!\tmine\n"+three; got != want {
			t.Errorf("%v prints\n%s\nwant\n%s", impl, got, want)
		}
	}
}

// Loops that are compiled see what scripts have put in place of functions of libraries, also between two turns and as methods of strings.
func TestLoopsSeeReplacedFunctions(t *testing.T) {
	const source = `local sqrt = math.sqrt
		local n = 0
		return function(world)
			n = n + 1
			if n == 3 then function string.upper(s) return "up" end math.floor = function(x) return -1 end tostring = function() return "T" end end
			local names, sum = {}, 0
			for e, p in world:each("Position") do
				p.x = sqrt(16) + math.floor(2.5)
				sum = sum + p.x
				local name = "a"
				names[#names + 1] = name:upper() .. string.upper("b") .. tostring(1)
			end
			print(sum, names[1])
		end`
	for _, impl := range []Impl{Lua, Closures, Auto} {
		x := scriptOf(source)
		x.systems[0].Impl = impl
		x.sources["spawn.lua"] = `return function(world) world:spawn_many(3, { Position = {} }) end`
		x.systems = append([]System{{Name: "spawn", Script: "spawn.lua", Stage: ecs.Startup}}, x.systems...)
		tr := &runTrace{}
		rt := x.open(t, tr)
		start(t, rt)
		tr.frames(t, rt, 4)
		lines := strings.Split(strings.TrimSpace(tr.out.String()), "\n")
		for i, line := range lines {
			if want := "AB1"; i < 2 && !strings.HasSuffix(line, want) || i >= 2 && !strings.HasSuffix(line, "upupT") {
				t.Errorf("%v, frame %d: %s", impl, i+1, line)
			}
		}
		if len(lines) != 4 {
			t.Errorf("%v prints %q", impl, lines)
		}
	}
}

// What scripts have added to their environment, and functions that load has made, are saved.
func TestRestoredEnvironments(t *testing.T) {
	for name, source := range map[string]string{
		"globals":   `rawset(_G, "n", 0) return function() n = n + 1 print(n) end`,
		"libraries": `local n = 0 return function() n = n + 1 local k = n string["f" .. n] = function(s) return s .. k end table.last = n print(("x"):f1(), string["f" .. n]("y"), table.last) end`,
		"package":   `package.preload.made = function(name) return { name = name, n = 0 } end return function() local m = require("made") m.n = m.n + 1 print(m.name, m.n, package.loaded.made == m) end`,
		"modules":   `return function() local m = require("lib/count") m.n = m.n + 1 print(m.n, m.name) if m.n == 3 then package.loaded["lib.count"] = nil end end`,
		"text":      `local f = assert(loadstring("local n, more = 0, ... return function(k) n = n + k return n, more end", "=count"))("a") local g return function() g = g or load("return " .. f(1)) print(f(2), g()) end`,
		"text env":  `local env = { print = print } local f = load("n = (n or 0) + 1 print(n, ('x'):twice())", "t", "t", env) function string.twice(s) return s .. s end return function() f() print(env.n, rawget(_G, "n")) end`,
		"replaced":  `local old = print print = function(...) old("mine", ...) end local sqrt = math.sqrt math.sqrt = function(x) return -sqrt(x) end return function() print(math.sqrt(4), tostring(2)) end`,
		"random":    `math.randomseed(7) local a = math.random(100) return function() print(a, math.random(100)) end`,
	} {
		t.Run(name, func(t *testing.T) {
			x := scriptOf(source)
			x.sources["lib/count.lua"] = `return { n = 0, name = ... }`
			if x.resumes(t, 3).out.Len() == 0 {
				t.Error("nothing is printed")
			}
		})
	}
}

// A reload that is refused leaves globals and library tables as they were; one that is not keeps what others have added.
func TestReloadAndEnvironments(t *testing.T) {
	c := startChanging(t, Auto, map[string]string{
		"a.lua":   `rawset(_G, "count", 10) function string.f() return "one" end return function() count = count + 1 print("a", count, ("x"):f()) end`,
		"b.lua":   `local lib = require("lib") return function() print("b", lib.version, require("lib") == lib, package.loaded.lib == lib) end`,
		"lib.lua": `return { version = 1 }`,
	}, "a", "b")
	expect := func(want string) {
		t.Helper()
		if got := c.frames(t, 1); got != want {
			t.Errorf("prints %q, want %q", got, want)
		}
	}
	expect("a\t11\tone\nb\t1\ttrue\ttrue\n")
	if err := c.change("a.lua", `rawset(_G, "count", 0) function string.f() return "two" end package.loaded.lib = nil error("no")`); err == nil {
		t.Fatal("no error")
	}
	expect("a\t12\tone\nb\t1\ttrue\ttrue\n")
	if err := c.change("a.lua", `if not rawget(_G, "count") then rawset(_G, "count", 0) end function string.f() return "two" end return function() count = count + 1 print("a", count, ("x"):f()) end`); err != nil {
		t.Fatal(err)
	}
	expect("a\t13\ttwo\nb\t1\ttrue\ttrue\n")
	if err := c.change("lib.lua", `return { version = 2 }`); err != nil {
		t.Fatal(err)
	}
	expect("a\t14\ttwo\nb\t2\ttrue\ttrue\n")
}

// The random numbers of a file that is loaded follow from the seed, the name of the file and what it gives to randomseed; those of systems do not
// depend on them.
func TestRandomNumbersOfFiles(t *testing.T) {
	of := func(source string) string {
		tr := &runTrace{}
		rt := scriptOf(source+` return function() print(a, math.random(1000)) end`).open(t, tr)
		start(t, rt)
		tr.frames(t, rt, 1)
		return strings.TrimSpace(tr.out.String())
	}
	cut := func(s string) (string, string) { a, b, _ := strings.Cut(s, "\t"); return a, b }
	plain, drawn := cut(of(`local a = math.random(1000)`))
	again, _ := cut(of(`local a = math.random(1000)`))
	seeded, alike := cut(of(`math.randomseed(3) local a = math.random(1000)`))
	_, none := cut(of(`local a = 1`))
	if plain != again || plain == seeded || drawn != alike || drawn != none {
		t.Errorf("%s %s, seeded %s, system %s %s %s", plain, again, seeded, drawn, alike, none)
	}
}

// Texts that load was given cost instructions, are forgotten when no function of theirs is left, and are refused as byte code.
func TestLoadedTexts(t *testing.T) {
	tr := &runTrace{}
	rt := scriptOf(`local n = 0 return function()
		for i = 1, 500 do n = n + load("return " .. n .. " * 0 + 1")() end
		print(n, select(2, load("x =")), select(2, pcall(load("local t t.x = 1", "=named"))), select(2, load("\27Lua")))
	end`).open(t, tr)
	start(t, rt)
	tr.frames(t, rt, 2)
	const want = "\t[string \"x =\"]:1:4: unexpected end of file after \"=\"\tnamed:1: attempt to index a nil value (local \"t\")\t[string \"\x1bLua\"]: byte code cannot be loaded; load takes the text of a program"
	for i, line := range strings.Split(strings.TrimSpace(tr.out.String()), "\n") {
		if !strings.HasPrefix(line, []string{"500", "1000"}[i]+want) {
			t.Errorf("line %d: %q", i, line)
		}
	}
}
