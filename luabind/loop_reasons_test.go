package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// reasonsSource is a file whose loops are on its last line but one.
const reasonsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", t = "table" }) ecs.component("Q", { y = "f64" }) ecs.event("Hit", { n = "f64" })
local held, other, any = { n = 1 }, { n = 2 }, { 5, "s", { 3 } }
local function two() return "P", "Q" end
local function one() return "P" end
local function dots(...) return ... end
local function none() return end
local function inner() local f = function() return 1, 2 end function held.f() return 1, 2 end return "P" end
local function passed() return tostring("P") end
local function whole() return (tostring("P")) end
local function made() return ecs.query{ "P" } end
local function chosen() if any then return "P" end return "P", "Q" end
local changed = function() return "P" end
changed = two
local queried = ecs
queried = { query = two }
return function(world) local sum, text = 0, ""
BODY
end`

// loopReasons are loops with all that explain says of why they are interpreted, always or from some row on.
var loopReasons = []struct{ body, reason, unless string }{
	// the arguments of each
	{`for e, p in world:each(one()) do sum = sum + p.x end`, laterQuery, ""},
	{`for e, p, q in world:each(one(), "Q") do sum = sum + p.x end`, laterQuery, ""},
	{`for e, p, q in world:each(two(), "Q") do sum = sum + p.x end`, laterQuery, ""},
	{`for e, p in world:each((two())) do sum = sum + p.x end`, laterQuery, ""},
	{`for e, p in world:each(none()) do sum = sum + 1 end`, laterQuery, ""},
	{`for e, p in world:each(inner()) do sum = sum + p.x end`, laterQuery, ""},
	{`for e, p in world:each(whole()) do sum = sum + p.x end`, laterQuery, ""},
	{`for e, p in world:each(made()) do sum = sum + p.x end`, laterQuery, ""},
	{`for e, p in world:each(ecs.query{ "P" }) do sum = sum + p.x end`, "", ""},
	{`for e, p in world:each(two()) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each("P", two()) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each(dots("P")) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each(passed()) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each(chosen()) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each(changed()) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each(held.f()) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each(tostring("P")) do sum = sum + p.x end`, severalValues, ""},
	{`for e, p in world:each(queried.query("P")) do sum = sum + p.x end`, severalValues, ""},
	{`local function go(...) for e, p in world:each(...) do sum = sum + p.x end end go("P")`, "passes ... to each", ""},
	// what changes the structure of the world
	{`for hit in world:read("Hit") do world:spawn{ Q = { y = 1 } } end`, "", ""},
	{`for hit in world:read("Hit") do world:spawn{ Q = { y = 1 }, ChildOf = hit.n } end`, "", ""},
	{`for hit in world:read("Hit") do world:despawn() end`, "calls world:despawn with 0 arguments", ""},
	{`for hit in world:read("Hit") do world:despawn(1, 2) end`, "calls world:despawn with 2 arguments", ""},
	{`for hit in world:read("Hit") do held = world:spawn{ Q = { y = 1 } } end`, "", ""},
	{`for e, p in world:each("P") do world:spawn{ Q = { y = 1 } } end`, "calls world:spawn", ""},
	{`for hit in world:read("Hit") do world:spawn{ Q = { y = 1 } } if world:alive(3) then sum = sum + 1 end end`, "", "in rows in which an entity is looked at after world:spawn, despawn, add, remove, set or relate has changed it (line 18)"},
	{`for hit in world:read("Hit") do world:spawn{ Q = { y = 1 } } while world:alive(3) do sum = sum + 1 end end`, "calls world:spawn", ""},
	{`for hit in world:read("Hit") do world:relate(1, "IsA", 2) end`, `calls world:relate with "IsA"`, ""},
	// what is indexed
	{`for e, p in world:each("P") do if p.x == 60 then text = (p.x + 1).y end end`, "", "in rows that reach line 18 (indexes something else than a variable or what a call gives)"},
	{`for e, p in world:each("P") do if p.x == 60 then text = (not p.x).y end end`, "", "in rows that reach line 18 (indexes something else than a variable or what a call gives)"},
	{`for e, p in world:each("P") do text = (p.x + 1).y end`, "indexes something else than a variable or what a call gives", ""},
	{`for e, p in world:each("P") do text = (p.x < 1).y end`, "indexes something else than a variable or what a call gives", ""},
	{`for e, p in world:each("P") do sum = sum + ({ 5, 7, 9 })[p.k] end`, "", ""},
}

// A call with one value may make the query: a run compiles the loop, and explain does not know what it will walk.
const (
	laterQuery    = "the query is not made in a local beside the function, so it is not known before the loop begins"
	severalValues = "an argument of each is a call, which may give several values"
)

// A loop is interpreted for the reason that explain gives.
func TestLoopReasons(t *testing.T) {
	t.Parallel()
	for _, c := range loopReasons {
		r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{"a": strings.Replace(reasonsSource, "BODY", c.body, 1)})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: Closures})
		}
		if err == nil {
			err = r.Load()
		}
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		all := r.Explain()
		if len(all) != 1 || all[0].Reason != c.reason || strings.Join(all[0].Unless, ", ") != c.unless {
			t.Errorf("%s\nis interpreted because it %+v\nwant %q, unless %q", c.body, all, c.reason, c.unless)
		}
	}
}
