package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// worldValueSource is a file whose loop finds the world and its parts in tables of the script.
const worldValueSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string", bag = "table" }) ecs.component("Q", { y = "f64" }) ecs.tag("hot") ecs.event("Hit", { e = "entity", n = "f64" })
ecs.resource("gold", "f64") ecs.resource("title", "string") ecs.resource("open", "bool") ecs.resource("rates", { type = "table" }) ecs.resource("big", "i64")
local function act(f) return function(ctx) return f(ctx) or "ok" end end
local bus = { sent = 0 } bus.__index = bus
function bus:send(name) self.sent = self.sent + 1 return self.sent end
local M = { targets = {}, n = 0 }
return { init = function(world)
  world.resources.gold, world.resources.title, world.resources.open, world.resources.rates, world.resources.big = 5, "t", true, { a = 1, list = { 4, 5 } }, 7
  for i = 1, 60 do local e = world:spawn{ P = { x = i, s = "s" .. i % 3, bag = { n = i } } } if i % 2 == 0 then world:set(e, "Q", { y = i }) end end
end, update = function(world, dt)
  local sum, text, log, last = 0, "", {}, nil
  local shared, other = { world = world, n = 0, res = world.resources, cmd = world.commands }, setmetatable({}, bus)
  for e, p in world:each("P") do
    BODY
  end
  for h in world:read("Hit") do sum = sum + h.n end
  for e, q in world:each("Q") do sum = sum + q.y end
  for e in world:each(ecs.query{ "P", tagged = { "hot" } }) do sum = sum + 1000 end
  print(sum, text, #log, shared.n, world.resources.gold, last == world, type(last), other.sent, world:count("P"))
end }`

// The objects world, world.resources and world.commands may be in tables of the script, and their functions and members are used there.
func TestTheWorldInTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`local ctx = { world = world, e = e, p = p, targets = M.targets } ctx.targets[ctx.e] = ctx.p.x ctx.world:send("Hit", { e = ctx.e, n = ctx.p.x })`, true},
		{`log[#log + 1] = world sum = sum + (log[1] == world and 1 or 2)`, true},
		{`log[#log + 1] = { w = world, n = p.x } local w = log[#log].w sum = sum + w.time + w.dt + w.frame + log[#log].n`, true},
		{`shared.e = e local q = shared.world:get(shared.e, "Q") if q then q.y = q.y + 1 end`, true},
		{`shared.e = e if shared.world:has(shared.e, "Q") and not shared.world:tagged(e, "hot") then shared.world:tag(e, "hot") shared.n = shared.n + 1 end`, true},
		{`shared.e = e shared.world.commands:despawn(shared.e)`, true},
		{`shared.e = e if p.x > 50 then shared.cmd:remove(shared.e, "Q") end shared.last = p.s`, true},
		{`shared.e = e if p.x > 50 then local cmd = shared.cmd cmd:add(e, "Q") end shared.last = p.s`, true},
		{`shared.last = p.s sum = sum + shared.world.resources.gold + #shared.world.resources.title + (shared.res.open and 1 or 0) + shared.res.big`, true},
		{`shared.last = p.s local r = shared.res.rates r.a = r.a + 1 sum = sum + r.a + shared.res.rates.a + #shared.res.rates.list`, true},
		{`shared.last = p.s sum = sum + (shared.res.nothing and 1 or 2)`, false},
		{`shared.last = p.s shared.res.gold = shared.res.gold + 1`, false},
		{`shared.last = p.s world.resources.gold = world.resources.gold + 1 sum = sum + shared.res.gold`, false},
		{`shared.last = p.s world.resources.rates = { a = p.x } sum = sum + shared.res.rates.a`, true},
		{`last = world shared.last = p.s`, false},
		{`local ctx = p.x % 2 == 0 and shared or other sum = sum + (ctx:send("Hit", { e = e, n = 1 }) or 0)`, false},
		{`local ctx = { w = p.x % 2 == 0 and world or nil } if ctx.w then ctx.w:send("Hit", { e = e, n = 2 }) end M.n = M.n + 1 M[M.n] = ctx`, false},
		{`local ctx = { w = p.x == 30 and 5 or world, t = M.targets } ctx.t[e] = 1 ctx.w:send("Hit", { e = e, n = 2 })`, false},
		{`shared.last = p.s for o, q in shared.world:each("Q") do sum = sum + q.y end`, false},
		{`shared.last = p.s for s in shared.world:sources("ChildOf", e) do sum = sum + 1 end`, false},
		{`text = tostring(type(world)) log[#log + 1] = type(shared.world)`, false},
		{`if shared.world == world then sum = sum + 1 end if shared.world ~= shared.cmd then sum = sum + 2 end shared.last = e`, false},
		{`shared.last = p.s if p.x == 40 then shared.world:nothing() end`, false},
		{`shared.last = p.s shared.world:set(e, "Q", { y = 1 })`, false},
		{`act(function(ctx) ctx.n = ctx.n + 1 ctx.world:send("Hit", { e = e, n = ctx.n }) end)(shared)`, true},
		{`rawset(shared, p.s, world) local w = shared[p.s] w:send("Hit", { e = e, n = 3 })`, true},
		{`local ctx = { world = world, res = world.resources } ctx.world.resources.rates.a = p.x sum = sum + world.resources.rates.a`, false},
		{`local ctx = { res = world.resources } ctx.res.rates.list[1] = p.x sum = sum + world.resources.rates.list[1]`, false},
		{`local ctx = { res = world.resources } table.insert(ctx.res.rates.list, p.x) sum = sum + #world.resources.rates.list`, false},
		{`local ctx = { res = world.resources } table.remove(ctx.res.rates.list) sum = sum + #world.resources.rates.list`, false},
		{`local ctx = { world = world } table.sort(ctx.world.resources.rates.list, function(a, b) return a > b end) sum = sum + world.resources.rates.list[1]`, false},
		{`local ctx = { res = world.resources } ctx.res.rates.a, sum = p.x, sum + 1 sum = sum + world.resources.rates.a`, false},
		{`local ctx = { res = world.resources } ctx.res.rates.a = nil sum = sum + (world.resources.rates.a or 7)`, false},
		{`shared.world.resources.rates.a = p.x shared.last = p.s sum = sum + world.resources.rates.a`, false},
		{`shared.res.rates.list[2] = p.x shared.last = p.s sum = sum + shared.res.rates.list[2]`, false},
		{`table.insert(shared.res.rates.list, p.x) shared.last = p.s sum = sum + #shared.res.rates.list`, false},
		{`local t = { world } t[1].resources.rates.a = p.x sum = sum + world.resources.rates.a`, false},
		{`local t = { r = { s = world.resources } } t.r.s.rates.a = p.x sum = sum + world.resources.rates.a`, false},
		{`local r = shared.res r.rates.a = p.x shared.last = p.s sum = sum + r.rates.a`, false},
		{`local function put(c, x) c.world.resources.rates.a = x end put({ world = world }, p.x) pcall(put, shared, p.x + 1) sum = sum + world.resources.rates.a`, false},
		{`local rates = shared.res.rates rates.a = p.x shared.last = p.s sum = sum + shared.res.rates.a + rates.a`, false},
		{`log[1] = shared log[1].world:send("Hit", { e = e, n = 1 }) if p.x == 30 then shared.world = 5 end`, false},
		{`log[1] = shared log[2] = p.x if p.x == 30 then shared.world = "no" end local ok = pcall(function() log[1].world:tag(e, "hot") end) sum = sum + (ok and 1 or 5)`, false},
		{`log[1] = shared log[2] = p.x world.resources.gold = world.resources.gold + 1 sum = sum + log[1].res.gold + log[1].world.resources.gold`, false},
		{`log[1] = shared log[2] = p.x if p.x == 30 then log[1].res = { gold = 4 } end sum = sum + log[1].res.gold`, false},
		{`log[1] = shared log[2] = p.x if p.x == 30 then shared.cmd = world end log[1].cmd:tag(e, "hot") sum = sum + (world:tagged(e, "hot") and 1 or 0)`, false},
		{`p.bag = { n = 2, w = p.x == 44 and world or nil }`, false},
	} {
		sameCompiled(t, strings.Replace(worldValueSource, "BODY", c.body, 1), c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0
		})
	}
}
