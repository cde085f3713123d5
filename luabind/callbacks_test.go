package luabind

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Loops that call functions which are made anew each turn stay compiled: their templates are tied to the code of the
// functions.

// callbackLibrary is a required file with loops that call what they are given.
const callbackLibrary = `local ecs = require("ecs")
local lib = { all = ecs.query{ "A" } }
function lib.each(world, fn)
  for e, a in world:each("A") do fn(e, a) end
end
function lib.count(world, ok)
  local n = 0
  for e, a in world:each(lib.all) do
    if ok(a, e) then n = n + 1 end
  end
  return n
end
function lib.best(world, score)
  local best, most = nil, -math.huge
  for e, a in world:each("A") do
    local s = score(a)
    if s > most then best, most = e, s end
  end
  return best
end
function lib.both(world, one, two)
  for e, a in world:each("A") do one(a) two(a) end
end
function lib.with(world, t)
  for e, a in world:each("A") do t.fn(a) end
end
function lib.choose(world, by)
  for e, a in world:each("A") do
    local f = by[a.i8]
    if f then f(a) end
  end
end
function lib.chain(world, list)
  for e, a in world:each("A") do
    for _, f in ipairs(list) do f(a) end
  end
end
function lib.walk(world, fn, list)
  for e, a in world:each("A") do
    for _, v in ipairs(list) do fn(a, v) end
  end
end
function lib.read(world, fn)
  for ev in world:read("Hit") do fn(ev.who, ev.n) end
end
return lib
`

// A callbackCase is the body of a system that runs 24 turns. Made is the number of kernels at the end. Reason is why its
// loops are interpreted, "": they are not.
type callbackCase struct {
	before, body string
	made         int
	reason       string
}

var callbackCases = []callbackCase{
	{"", "local sum = 0 lib.each(world, function(e, a) sum = sum + a.x end) print(sum)", 1, ""},
	{"", "local limit = world.frame % 5 print(lib.count(world, function(a) return a.x < limit end))", 1, ""},
	{"", "local x, last = world.frame, nil print(lib.best(world, function(a) last = a.x return -(a.x - x) ^ 2 end), last)", 1, ""},
	{"", "local list = {} lib.each(world, function(e, a) if a.x > 1 then list[#list + 1] = e end end) print(#list, list[1])", 1, ""},
	{"", "local a, b = 0, 0 lib.each(world, function() a = a + 1 end) lib.each(world, function() b = b + 2 end) print(a, b)", 2, ""},
	{"", "local function f(e, a) a.x = a.x + dt end lib.each(world, f) lib.each(world, f)", 1, ""},
	{"local function by(k) return function(a) a.x = a.x + k k = k + 1 end end", "lib.both(world, by(1), by(2))", 1, ""},
	{"local function by(k) return function(a) a.x = a.x + k k = k + 1 end end", "local f = by(1) lib.both(world, f, f)", 1, ""},
	{"local function by(k) return function(a) a.x = a.x + k k = k + 1 end end", "local f = by(1) lib.both(world, f, world.frame % 2 == 0 and f or by(3))", 2, ""},
	{"local function two() local n = 0 return function(a) n = n + 1 end, function(a) a.x = n end end", "local f, g = two() lib.both(world, f, g)", 1, ""},
	{"local function two() local n = 0 return function(a) n = n + 1 end, function(a) a.x = n end end", "local f, g = two() local h, i = two() lib.both(world, f, world.frame % 3 == 0 and g or i)", 2, ""},
	{"", "local k = world.frame lib.with(world, { fn = function(a) a.x = a.x + k end })", 1, ""},
	{"", "local n = 0 lib.choose(world, { [0] = function(a) n = n + 1 end, [1] = function(a) a.x = n end, [-1] = function(a) a.y = dt end }) print(n)", 1, ""},
	{"", "local n = 0 local f, g = function(a) n = n + 1 end, function(a) a.x = n end lib.choose(world, world.frame % 2 == 0 and { [0] = f, [1] = g } or { [0] = g, [1] = f }) print(n)", 2, ""},
	{"", "local function inner(x) return x * dt end lib.each(world, function(e, a) a.x = inner(a.x) + world.frame end)", 1, ""},
	{"", "local k = world.frame local function deep() return k end local function inner(x) k = k + 1 return x * deep() end lib.each(world, function(e, a) a.x = inner(a.x) end) print(k)", 1, ""},
	{"", "local function again(n) if n > 0 then return again(n - 1) end return 0 end lib.each(world, function(e, a) a.x = again(1) end)", 1, "rows that reach a.lua:2 (the function \"again\" calls itself)"},
	{"", "local k = 0 lib.chain(world, { function(a) k = k + 1 end, function(a) a.x = a.x + k end })", 1, ""},
	{"", "local tables = { n = 0 } lib.each(world, function(e, a) tables.n = tables.n + a.x end) print(tables.n)", 1, ""},
	{"", "local by = { [0] = function(x) return x + dt end, [1] = function(x) return -x end } lib.each(world, function(e, a) local f = by[a.i8] if f then a.x = f(a.x) end end)", 1, ""},
	{
		"local function cond(name, n) return function(a) return a[name] > n end end local function all(...) local l = { ... } return function(a) for _, f in ipairs(l) do if not f(a) then return false end end return true end end",
		`print(lib.count(world, all(cond("x", 0), cond("y", world.frame % 3))))`, 1, "",
	},
	{"", `local lim = world.frame < 12 and 3 or "x" print(pcall(lib.count, world, function(a) return a.x < lim end))`, 1, "compares a number with a string (a.lua:2)"},
	{"", "local seen = 0 lib.each(world, function(e) world:send(\"Hit\", { who = e, n = seen }) seen = seen + 1 end) lib.read(world, function(who, n) local a = world:get(who, \"A\") if a then a.y = n + seen end end)", 2, ""},
	{"", "print(coroutine.wrap(function() local n = 0 lib.each(world, function(e, a) n = n + a.x end) return n end)())", 1, ""},
	{"", "local n = 0 local function f(e, a) n = n + a.x end if world.frame % 2 == 0 then coroutine.wrap(function() local n = 3 lib.each(world, function(e, a) n = n + a.x end) print(n) end)() end lib.each(world, f) print(n)", 2, ""},
	{"", "local l = world.frame % 2 == 0 and { 1, 2 } or { 3, 4, 5 } lib.choose(world, { [0] = function(a) for _, v in ipairs(l) do a.x = a.x + v end end, [1] = function(a) a.y = l[1] end })", 2, ""},
	{"", "local l = {} for i = 1, world.frame do l[i] = i end lib.each(world, function(e, a) for _, v in ipairs(l) do a.x = a.x + v end end)", 13, ""},
	{"local l = {}", "l[world.frame] = 1 lib.each(world, function(e, a) for _, v in ipairs(l) do a.x = a.x + v end end)", 5, ""},
	{"local function f(a) a.x = 1 end local function g(a) a.x = 2 end local function h(a) a.x = 3 end local T = { { f, g }, { g, f }, { f, h }, { h, f }, { g, h }, { h, g }, { f, f } }", "lib.choose(world, T[world.frame % 7 + 1]) lib.choose(world, T[world.frame % 6 + 1])", 7, ""},
	{"", "local n = world.frame " + manyCallbacks(28, ""), 28, ""},
	{"", "local n = world.frame " + manyCallbacks(28, "{ dt, 2 }"), 28, ""},
	{"", "local n = world.frame " + manyCallbacks(40, ""), 32, "its variables have held too many kinds of values"},
}

// manyCallbacks calls a function of the library with different functions, and a list if there is one.
func manyCallbacks(n int, list string) string {
	var b strings.Builder
	for i := range n {
		if list == "" {
			fmt.Fprintf(&b, "lib.each(world, function(e, a) a.x = a.x + n * %d end) ", i)
		} else {
			fmt.Fprintf(&b, "lib.walk(world, function(a, v) a.x = a.x + v * %d end, { dt, %d }) ", i, i)
		}
	}
	return b.String()
}

// runCallbacks runs systems of one file for some turns.
func runCallbacks(t testing.TB, impl Impl, source string, turns int, systems ...string) (seen string, r *Runtime) {
	t.Helper()
	return runFiles(t, impl, map[string]string{"a": source, "lib": callbackLibrary}, turns, systems...)
}

// runFiles runs systems of the file a for some turns.
func runFiles(t testing.TB, impl Impl, sources map[string]string, turns int, systems ...string) (seen string, r *Runtime) {
	t.Helper()
	w := kernelWorld(t, 1)
	var out bytes.Buffer
	r, err := New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(sources),
		Report: func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
	})
	for _, name := range systems {
		if err == nil {
			err = r.Add(System{Name: name, Script: "a.lua", Impl: impl})
		}
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for i := 0; err == nil && i < turns; i++ {
		err = r.Frame(context.Background(), 0.5)
		fmt.Fprintf(&out, "digest %v check %v\n", w.Digest(), w.Check())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, sources["a"])
	}
	return out.String(), r
}

func TestFunctionsMadeEachTurn(t *testing.T) {
	t.Parallel()
	for _, c := range callbackCases {
		source := `local ecs = require("ecs") ecs.event("Hit", { who = "entity", n = "f64" }) local lib = require("lib") ` + c.before + "\nreturn function(world, dt) " + c.body + " end"
		want, _ := runCallbacks(t, Lua, source, 24, "a")
		for _, impl := range []Impl{Closures, Auto} {
			got, r := runCallbacks(t, impl, source, 24, "a")
			if got != want {
				t.Errorf("%v: %s\ngot\n%s\ninterpreted\n%s", impl, c.body, got, want)
			}
			var reasons []string
			for _, f := range r.Fallbacks() {
				reasons = append(reasons, f.Reason)
			}
			if got := strings.Join(slices.Compact(reasons), "; "); got != c.reason {
				t.Errorf("%v: %s\nfalls back: %q, not %q", impl, c.body, got, c.reason)
			}
			made := 0
			for _, p := range r.runners() {
				made += p.Kernels()
			}
			if made != c.made {
				t.Errorf("%v: %s\n%d kernels, not %d", impl, c.body, made, c.made)
			}
		}
	}
}

// Two instances of a file have environments and variables of their own, and share the loops of required files.
func TestFunctionsOfTwoInstances(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"local n = 0 lib.each(world, function(e, a) n = n + math.abs(a.x) end) print(n)",
		"lib.each(world, function(e, a) a.x = math.abs(a.x) + k k = k + 1 end) print(k)",
		"for e, a in world:each(\"A\") do a.x = made(a.x) + k end print(made(1))",
		"for e, a in world:each(\"A\") do local f = by[a.i8] if f then a.x = f(a.x) end end print(made(1))",
		"for e, a in world:each(\"A\") do for i, v in ipairs(list) do a.x = a.x + v end end list[world.frame % 3 + 1] = k",
	} {
		source := `local ecs, lib = require("ecs"), require("lib")
lib.n = (lib.n or 0) + 1
local k = lib.n
if k == 2 then math.abs = function(x) return x * 2 end end
lib.make = lib.make or function(k) return function(x) k = k + 1 return x * k end end
local made, list = lib.make(k * 10), { k, 2 }
local by = { [0] = lib.make(k), [1] = made }
return function(world, dt) ` + body + " end"
		want, _ := runCallbacks(t, Lua, source, 24, "a", "b")
		for _, impl := range []Impl{Closures, Auto} {
			if got, r := runCallbacks(t, impl, source, 24, "a", "b"); got != want || len(r.Fallbacks()) > 0 {
				t.Errorf("%v: %s: %v\ngot\n%s\ninterpreted\n%s", impl, body, r.Fallbacks(), got, want)
			}
		}
	}
}
