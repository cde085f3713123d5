package luabind

import "testing"

// carriedLibrary has behaviour trees: functions that call the functions of a list, with a table of arguments.
const carriedLibrary = `local T = {}
function T.all(...)
  local children = { ... }
  return function(ctx) for _, child in ipairs(children) do if not child(ctx) then return false end end return true end
end
function T.any(...)
  local children = { ... }
  return function(ctx) for _, child in ipairs(children) do if child(ctx) then return true end end return false end
end
function T.no(child) return function(ctx) return not child(ctx) end end
function T.above(name, level) return function(ctx) return ctx.p[name] > level end end
function T.step(dx) return function(ctx) ctx.p.x = ctx.p.x + dx * ctx.dt ctx.q.kind = "step" return ctx.p.x > 20 end end
function T.rest(ctx) ctx.q.kind = "rest" return true end
return T
`

const carriedHead = `local T = require("trees")
local tree = T.any(T.all(T.above("y", 40), T.step(2)), T.all(T.no(T.above("x", 9)), T.step(-1)), T.rest)
local kept, turns = { a = 1 }, 0
local function show(ctx)
  local s = ""
  for k, v in pairs(ctx) do s = s .. k .. "=" .. (type(v) == "userdata" and tostring(v.x or v.v) or type(v) == "table" and "table" or tostring(v)) .. " " end
  return s
end
return function(world, dt) turns = turns + 1 local n, ctx = 0, { dt = dt }
`

const carriedTail = "\nprint(n, show(ctx), show(kept)) end"

// A table that carries the arguments of the functions of a loop does what it does interpreted, and holds the last ones behind the loop.
func TestCarriedArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		line int // of a loop of which no row is left to the interpreter
	}{
		{`for e, p, q in world:each("P", "Q") do ctx.p, ctx.q = p, q tree(ctx) end`, 10},
		{`for e, p, q in world:each("P", "Q") do ctx.p = p ctx.q = q if tree(ctx) then n = n + 1 end end`, 10},
		{`for e, p, q in world:each("P", "Q") do local c = { dt = dt, p = p, q = q, world = world } tree(c) n = n + (c.world:has(e, "S") and 1 or 0) end`, 10},
		{`for e, p, q in world:each("P", "Q") do local c = { a = { p = p }, q = q } c.a.p.x = c.a.p.x + c.q.v end`, 10},
		{`for e, p, q in world:each("P", "Q") do kept.p = p kept.p.x = kept.p.x + 1 end`, 10},
		{`for e, p, q in world:each("P", "Q") do kept.e, kept.v = e, p.x * 2 if kept.v > 9 then kept.v = 9 end p.y = kept.v n = n + (kept.e == e and 1 or 0) end`, 10},
		{`for e, p, q in world:each("P", "Q") do kept.on, kept.s = p.x > 3, q.kind if kept.on then p.y = 1 end if kept.s == "cat" then n = n + 1 end end`, 10},
		{`for e, p, q in world:each("P", "Q") do ctx.p, ctx.q = p, q if tree(ctx) then break end end`, 10},
		{`for e, p, q in world:each("P", "Q") do ctx.p, ctx.q = p, q if p.x == 60 then print(ctx.p.x) end tree(ctx) end`, 0},
		{`print(pcall(function() for e, p, q in world:each("P", "Q") do ctx.p, ctx.q = p, q if p.x == 64 then error("at " .. p.x) end p.y = ctx.p.x end end))`, 0},
		{`for e, p, q in world:each("P", "Q") do if p.x > 3 then ctx.p = p end p.y = 1 end`, 0},
		{`for e, p, q in world:each("P", "Q") do if ctx.p then n = n + ctx.p.x end ctx.p = p end`, 0},
		{`for e, p, q in world:each("P", "Q") do ctx.p = p local before = ctx.p ctx.p = nil n = n + before.x end`, 0},
		{`for e, p, q in world:each("P", "Q") do ctx.p = p ctx.p = q n = n + ctx.p.v end`, 0},
		{`for e, p, q in world:each("P", "Q") do ctx.p = world:get(e, "P") n = n + ctx.p.x end`, 0},
		{`local o = ctx for e, p, q in world:each("P", "Q") do ctx.p = p n = n + o.p.x end`, 0},
		{`local o = ctx for e, p, q in world:each("P", "Q") do if o.p then n = n + 1 end ctx.p = p end`, 0},
		{`local o = ctx for e, p, q in world:each("P", "Q") do ctx.p = p if not o.p then n = n + 1 end end`, 0},
		{`local o = { } for e, p, q in world:each("P", "Q") do ctx.p = p if not o.p then n = n + 1 end end`, 10},
		{`if turns == 3 then ctx = kept ctx.dt = 1 end for e, p, q in world:each("P", "Q") do ctx.p, kept.q = p, q n = n + ctx.p.x end`, 0},
		{`if turns == 3 then ctx = nil end for e, p, q in world:each("P", "Q") do ctx.p = p end`, 0},
		{`if turns == 3 then setmetatable(ctx, { __newindex = function(t, k, v) rawset(t, k .. "2", v) end }) end for e, p, q in world:each("P", "Q") do ctx.p = p p.x = p.x + 1 end`, 0},
		{`for ev in world:read("Hit") do kept.ev = ev end for e, p, q in world:each("P", "Q") do ctx.p, ctx.q = p, q tree(ctx) for o, r in world:each("S") do ctx.dt = r.v break end end`, 0},
		{`for e, p, s in world:each(require("ecs").query{ "P", optional = { "S" } }) do ctx.p, ctx.s = p, s n = n + 1 end`, 0},
	} {
		sameInSizes(t, map[string]string{"trees": carriedLibrary, "a": carriedHead + c.body + carriedTail}, c.line)
	}
}
