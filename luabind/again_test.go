package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// A loop begins again and again, with other values than the time before, in a world that has changed meanwhile. Each
// loop runs several times in a turn; what changes in between is behind it.
var againCases = map[string]string{
	"numbers":                  `local v = 1 return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = a.x + v end v = v + i end end`,
	"a number, then a string":  `local v = 1 return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = a.x + v end if i == 3 then v = "2" else v = i end end end`,
	"a number, then nil":       `local v = 1 return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = a.x + v end if i == 4 then v = nil end end end`,
	"booleans":                 `local on = true return function(world) for i = 1, 6 do for e, a in world:each("A") do if on then a.x = a.x + 1 end end on = not on if i == 4 then on = 0 end end end`,
	"strings":                  `local s = "x" return function(world) for i = 1, 6 do for e, a in world:each("A") do if s == "y" then a.x = a.x + 1 end end s = s == "x" and "y" or "x" end end`,
	"a table":                  `local t = { d = 1 } return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = a.x + t.d end t.d = t.d + 1 if i == 3 then t = setmetatable({}, { __index = { d = 7 } }) end end end`,
	"elements":                 `local t = { 1, 2 } return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = a.x + t[1] end t[1] = t[1] + 1 if i == 4 then t[1] = nil end end end`,
	"a function":               `local f = math.floor return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = f(a.x + 0.5) end if i == 2 then f = math.ceil elseif i == 4 then f = function(x) return x + i end end end end`,
	"a member":                 `local m = { f = function(x) return x + 1 end } return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = m.f(a.x) end if i == 2 then m.f = function(x) return x * 2 end elseif i == 4 then m.f = math.floor end end end`,
	"a member by inheritance":  `local base = { f = function(x) return x + 1 end } local m = setmetatable({}, { __index = base }) return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = m.f(a.x) end if i == 2 then base.f = function(x) return x * 2 end elseif i == 4 then m.f = function(x) return x - 1 end end end end`,
	"another table with it":    `local m = { f = function(x) return x + 1 end } return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = m.f(a.x) end if i == 3 then m = { f = function(x) return x * 2 end } end end end`,
	"a member that is removed": `local m = { f = function(x) return x + 1 end } return function(world) for i = 1, 6 do pcall(function() for e, a in world:each("A") do a.x = m.f(a.x) end end) if i == 4 then m.f = nil end end end`,
	"members with upvalues":    `local m = {} for i = 1, 3 do local k = i m[i] = { f = function(x) return x + k end } end local n = m[1] return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = n.f(a.x) end if i == 3 then n.f = m[2].f elseif i == 4 then n = m[3] end end end`,
	"members of two tables":    `local m, n = { f = function(x) return x + 1 end }, { g = function(x) return x * 2 end } return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = m.f(n.g(a.x)) end if i == 2 then n.g = m.f elseif i == 4 then m = { f = n.g } end end end`,
	"names":                    `local n = "A" return function(world) for i = 1, 6 do for e, c in world:each(n) do c.x = c.x + 1 end n = n == "A" and "C" or i == 4 and "nothing" or "A" end end`,
	"a query":                  `local ecs = require("ecs") local q, r = ecs.query { "A" }, ecs.query { "A", without = { "C" } } return function(world) for i = 1, 6 do for e, a in world:each(q) do a.x = a.x + 1 end if i == 3 then q = r end end end`,
	"a result":                 `local sum = 0 return function(world) for i = 1, 6 do for e, a in world:each("A") do sum = sum + a.i8 end print(sum) end end`,
	"a return":                 `local function first(world, most) for e, a in world:each("A") do if a.i8 > most then return a.i8 end end return "none" end return function(world) for i = 1, 6 do print(first(world, i * 20)) end end`,
	"rows that are left":       `local v = 1 return function(world) for i = 1, 6 do for e, a in world:each("A") do a.i8 = a.i8 + v end v = v + 10 end end`,
	"dt and time":              `return function(world) for i = 1, 6 do for e, a in world:each("A") do a.x = a.x + world.dt + world.time * world.frame end end end`,
	"entities that are added":  `return function(world) for i = 1, 6 do for e, c in world:each("C") do c.x = c.x + i end for j = 1, 40 do world:spawn { C = { x = j } } end end end`,
	"one table that grows":     `return function(world) for i = 1, 6 do for j = 1, 100 do world:spawn { C = { x = j }, D = {} } end for e, c in world:each("C", "D") do c.x = c.x + i end end end`,
	"a new archetype":          `return function(world) for i = 1, 6 do for e, c in world:each("C") do c.x = c.x + i end world:spawn { C = { x = 1 }, D = {}, B = i > 3 and {} or nil } end end`,
	"entities that are gone":   `local ecs = require("ecs") return function(world) for i = 1, 6 do for e, c in world:each("C") do c.x = c.x + i end local e = world:first("C") if e then world:despawn(e) end end end`,
	"in a function that calls": `local function walk(world, depth) for e, c in world:each("C") do c.x = c.x + depth end if depth > 0 then walk(world, depth - 1) end end return function(world) walk(world, 5) end`,
	"in a coroutine":           `local function walk(world, d) for e, c in world:each("C") do c.x = c.x + d end end return function(world) for i = 1, 3 do walk(world, i) coroutine.wrap(walk)(world, i) end end`,
}

// A loop does the same however it has begun before.
func TestLoopsBeginAgain(t *testing.T) {
	for name, source := range againCases {
		for seed := range uint64(effort.Of(24)) {
			if sameTraces(t, kernelWorld, seed, []string{source}) == 0 {
				t.Errorf("%s: no loop was compiled", name)
			}
		}
	}
}
