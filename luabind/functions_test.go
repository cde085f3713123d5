package luabind

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// A library is a file lib/l.lua, for loops that call its functions. Line 20 of a case begins the loop, line 21 is its body.
const library = `local ecs = require("ecs")
local SPEED, calls, list, conf = 3, 0, { 4, 5, 6 }, { low = -2, high = 2 }
local l = { WIDTH = 7, name = "lib", deep = {} }
local function limit(v, low, high) if v < low then return low elseif v > high then return high end return v end
function l.clamp(v, a, b) if v < a then return a elseif v > b then return b end return v end
l.scale = function(v) return v * SPEED end
function l.limited(v) return limit(v, conf.low, conf.high) end
function l.count() calls = calls + 1 return calls end
function l.counted() return calls end
function l.at(i) return list[i] end
function l.put(i, v) list[i] = v end
function l.both(x, y) if x > y then return x, y end return y, x end
function l.shout(v) print("shout", v) return v end
function l.again(v) if v > 3 then return l.again(v - 1) end return v end
function l.many(...) return ... end
function l.draw() return ecs.random() + math.floor(2.5) end
function l.raise(v) return v.x.y end
function l.view(v) v.x = v.x + l.WIDTH end
function l.far(world, e) local at = world:get(e, "A") return at and at.x or 0 end
function l.hit(world, e, n) world:send("Hit", { who = e, n = n }) end
function l.spawn(world, x) return world.commands:spawn{ A = { x = x } } end
function l.faulty(world, e) world.commands:set(e, "A", { i8 = 1000 }) end
local function make(k) return function(v) k = k + 1 return v * k end end
l.twice, l.thrice = make(2), make(3)
local Account = {} Account.__index = Account
function Account.fee(v) return v / 2 end
l.account = setmetatable({}, Account)
function l.deep.half(v) return v / 2 end
function l.replace() l.clamp = function(v) return v end end
return l
`

const functionHead = `local ecs = require("ecs")
ecs.tag("red") ecs.tag("blue")
ecs.event("Hit", { who = "entity", n = "f64" })
local l = require("lib.l")
local clamp, scale = l.clamp, l.scale
local k, list, conf = 2, { 1, 2, 3 }, { speed = 2.5 }
local M = { add = function(x) return x + k end }
function M.mul(x) return x * k end
function M.set(x) k = k + x % 2 return k end
local all = ecs.query{ "A", "B", optional = { "C" } }
local WIDTH = l.WIDTH
local passed = M.add
local account = l.account
local half = l.deep.half
local turns = 0
--
--
--
return function(world, dt) local found, n, best = nil, 0, nil turns = turns + 1
for e, p, q, c in world:each(all) do
`

const functionTail = "\nend print(found, n, best, k, list[1], conf.speed, l.counted(), l.at(1)) end"

// A functionCase is a loop body. Reason is why it is interpreted, "": it is compiled, and runs so to its end.
type functionCase struct{ body, reason string }

var functionCases = []functionCase{
	{"p.x = l.clamp(p.x, 0, 3)", ""},
	{"p.x = clamp(p.x, 0, 3) p.y = clamp(p.y, -1, 1)", ""},
	{"p.x = scale(p.x) p.y = l.scale(p.y)", ""},
	{"p.x = l.limited(p.x)", ""},
	{"n = n + l.count()", ""},
	{"n = n + l.count() p.x = l.counted()", ""},
	{"p.x = l.counted()", ""},
	{"p.x = l.at(1) + l.at(2)", ""},
	{"l.put(1, p.y) p.x = l.at(1)", ""},
	{"p.x, p.y = l.both(p.x, p.y)", ""},
	{"p.x = l.draw()", ""},
	{"l.view(p)", ""},
	{"p.x = l.far(world, q.e)", ""},
	{"if p.x > 1 then l.hit(world, e, p.x) end", ""},
	{"if p.x > 1 then best = l.spawn(world, p.x) end", ""},
	{"p.x = l.twice(p.x) p.y = l.thrice(p.y)", ""},
	{"p.x = l.twice(l.twice(p.x))", ""},
	{"p.x = clamp(l.scale(p.x), l.limited(p.y), l.WIDTH)", ""},
	{"p.x = M.add(p.x) + M.mul(p.y)", ""},
	{"p.x = passed(p.x)", ""},
	{"p.x = account.fee(p.x)", ""},
	{"p.x = half(p.x)", ""},
	{"if turns == 2 then p.x = l.clamp(p.x, 0, l.WIDTH) end", ""},
	{"k = k + 1 p.x = M.mul(p.x)", `calls a function of a table that uses the variable "k", which is assigned (line 8)`},
	{"p.x = M.set(p.x) + k", `calls a function of a table that uses the variable "k", which is assigned (line 9)`},
	{"p.x = l.shout(p.x)", ""},
	{"p.x = l.many(p.x)", ""},
	{"p.x = l.raise(p)", "indexes v.x, which is no view or table of constants (lib/l.lua:17)"},
	{"p.x = l.missing(p.x)", "calls l.missing (line 21)"},
	{"p.x = l.name(p.x)", "calls l.name (line 21)"},
}

// runLibrary runs a system with the library for three frames. It returns what can be seen, and why loops fell back.
func runLibrary(t testing.TB, seed uint64, impl Impl, sources map[string]string) (seen string, r *Runtime) {
	t.Helper()
	w := kernelWorld(t, seed)
	var out bytes.Buffer
	r, err := New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(sources),
		Report: func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for i := 0; err == nil && i < 3; i++ {
		err = r.Frame(context.Background(), 0.5)
		fmt.Fprintf(&out, "digest %v check %v\n", w.Digest(), w.Check())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, sources["a"])
	}
	return out.String(), r
}

// sameWithLibrary compares the tiers for a body, and what explain says with what the loop does.
func sameWithLibrary(t *testing.T, head, tail string, libraries map[string]string, cases []functionCase) {
	t.Helper()
	for i, c := range cases {
		sources := map[string]string{"a": head + c.body + tail}
		for name, text := range libraries {
			sources[name] = text
		}
		seed := uint64(1 + 2*(i%8))
		want, _ := runLibrary(t, seed, Lua, sources)
		for _, impl := range []Impl{Closures, Auto} {
			got, r := runLibrary(t, seed, impl, sources)
			if got != want {
				t.Errorf("%v: %s\ngot\n%s\ninterpreted\n%s", impl, c.body, got, want)
			}
			reason := ""
			for _, l := range r.Explain() {
				if l.File == "a.lua" && l.Line == strings.Count(head, "\n") && l.Reason != "" {
					at := fmt.Sprintf("line %d", l.At)
					if l.AtFile != "" {
						at = fmt.Sprintf("%s:%d", l.AtFile, l.At)
					}
					reason = fmt.Sprintf("%s (%s)", l.Reason, at)
				}
			}
			if reason != c.reason {
				t.Errorf("%v: %s: explain says %q, not %q", impl, c.body, reason, c.reason)
			}
			for _, f := range r.Fallbacks() {
				if c.reason == "" && f.Line == strings.Count(head, "\n") {
					t.Errorf("%v: %s fell back: %s", impl, c.body, f.Reason)
				}
			}
		}
	}
}

// Functions of required files, and of tables, do as a part of a loop what they do when they are called.
func TestFunctionsOfFiles(t *testing.T) {
	t.Parallel()
	sameWithLibrary(t, functionHead, functionTail, map[string]string{"lib/l": library}, functionCases)
}

// A function that is replaced between two turns is the one that is called from then on. Beyond a number of functions the loop is interpreted.
func TestFunctionsThatAreReplaced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, body, after, falls string }{
		{"", "p.x = l.clamp(p.x, 0, 1)", "l.replace()", ""},
		{"if turns == 2 then clamp = scale end", "p.x = clamp(p.x, 0, 1)", "", ""},
		{"if turns == 2 then clamp = nil end", "p.x = clamp(p.x, 0, 1)", "", "calls clamp (line 21)"},
		{"if turns == 2 then l.clamp = math.max end", "p.x = l.clamp(p.x, 0, 1)", "", ""},
		{"if turns == 2 then l = { clamp = function(v) return v end, counted = l.counted, at = l.at } end", "p.x = l.clamp(p.x, 0, 1)", "", ""},
		{"", "l.faulty(world, e)", "", ""},
		{"local near = { f = function(v) return v + dt end }", "p.x = near.f(p.x)", "", ""},
		{"local low = l.low or function(v) return v + turns end", "p.x = low(p.x)", "", ""},
	} {
		sources := map[string]string{"lib/l": library, "a": strings.Replace(functionHead, "turns = turns + 1", "turns = turns + 1 "+c.before, 1) + c.body + strings.Replace(functionTail, "end print", "end "+c.after+" print", 1)}
		want, _ := runLibrary(t, 3, Lua, sources)
		for _, impl := range []Impl{Closures, Auto} {
			got, r := runLibrary(t, 3, impl, sources)
			if got != want {
				t.Errorf("%v: %s %s\ngot\n%s\ninterpreted\n%s", impl, c.before, c.body, got, want)
			}
			falls := ""
			for _, f := range r.Fallbacks() {
				falls += f.Reason
			}
			if falls != c.falls {
				t.Errorf("%v: %s %s falls back: %q, not %q", impl, c.before, c.body, falls, c.falls)
			}
		}
	}
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "local function make%d() return function(v) return v + %d end end M[%d] = make%d()\n", i, i, i, i)
	}
	sources := map[string]string{"lib/l": library, "a": strings.Replace(functionHead, "local turns", many.String()+"local turns", 1)}
	sources["a"] = strings.Replace(sources["a"], "for e,", "for i = 0, 39 do local f = M[i] for e,", 1) + "p.x = f(p.x)" + strings.Replace(functionTail, "end print", "end end print", 1)
	want, _ := runLibrary(t, 3, Lua, sources)
	got, r := runLibrary(t, 3, Closures, sources)
	if falls := r.Fallbacks(); got != want || len(falls) != 1 || falls[0].Reason != "its variables have held too many kinds of values" {
		t.Errorf("with 40 functions: %+v\n%s\ninterpreted\n%s", falls, got, want)
	}
}
