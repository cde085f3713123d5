package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// Bodies at the edge of what a rule of the compiler takes for granted: each is one word away from a common one, and means something else.
func TestEdgesOfRules(t *testing.T) {
	t.Parallel()
	const source = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "f64" }) ecs.component("Bag", { items = "table" }) ecs.component("Name", { text = "string" }) ecs.relation("After") ecs.event("Ev", { items = "table", n = "f64" })
local list, any, n, bumped = { 1, 2, 3 }, nil, 0, 0
local by, objects = {}, {}
for i = 0, 4 do by[i], objects[i] = { i, 2, 3 }, { list = { { v = i }, { v = 2 }, { v = 3 } } } end
local V = {} V.__index = V V.__unm = function(v) return setmetatable({ v = -v.v }, V) end V.__tostring = function(v) return "V" .. v.v end
local function new(v) return setmetatable({ v = v }, V) end
local function none() end
local function two(a) return a, a + 1 end
return { init = function(world)
  world:spawn_many(20, { P = {}, Bag = { items = { 1, 2, 3 } }, Name = { text = "7" } }, function(i) return { P = { x = i, k = i % 5 } } end)
end, update = function(world)
  local last
  for e, p, bag, name in world:each("P", "Bag", "Name") do
    local function bump() bumped = bumped + 1 p.x = p.x + 10 return bumped end
    BODY
  end
  print(n, bumped, last, #list, list[#list])
end }`
	for _, body := range []string{
		"list[#list - 1] = p.x", "list[#list * 1] = p.x", "list[#list + 2 - 1] = p.x if #list > 9 then list = { 1, 2 } end", "local to = #list - 1 list[to] = p.x",
		"local l = by[p.k] l[#l - 1] = p.x last = l[#l]", "by[p.k][#by[p.k] - 1] = p.x n = n + #by[p.k]", "local l = by[p.k] local to = #l - 1 l[to] = p.x n = n + l[2]",
		"local l = by[p.k + 9] if not l then l = { 4, 5 } by[p.k + 9] = l end l[#l - 1] = p.x n = n + #l", "local l = objects[p.k].list l[#l - 1] = { v = p.x } n = n + #l", "local o = objects[p.k] local to = #o.list - 1 o.list[to].v = p.x n = n + o.list[1].v",
		`last = select("#", 7, world:first("P"))`, `local t = { 7, world:first("P") } n = n + #t`, `local a, b, c = world:first("P") n = n + b.x last = c`, `n = n + select("#", world:first("P"), 1)`,
		`any = p.k > 2 and "s" or p.k type(any) last = any`, `type(bag.items) any = bag.items[2] last = any`, `local v = new(p.x) type(v) last = -v`, `type(none) last = type(none)`,
		"last = select(p.k % 2 + 1, p.x, bump())", "last = select(p.k % 2 + 1, bump(), p.x)", "local a, b = select(2, p.x, p.x, bump()) last = a + b", `last = select("#", p.x, bump()) + p.x`,
		"if p.k == 3 then pcall() end", "if p.k == 3 then xpcall(none) end", "last = pcall(none)", "if p.k == 9 then pcall() end n = n + 1",
		`if p.k == 3 then for s in world:sources("After") do n = n + 1 end end`, `for s in world:sources("After", e, e) do n = n + 1 end`, `for a, b in world:sources("After", e) do n = n + 1 end`,
		"local v = new(p.x) last = tostring(two(v.v))", "local v = new(p.x) last = tostring(v)", "local v = new(p.x) if p.k == 3 then last = tostring(none()) end", "last = tostring(-new(p.x))",
		"last = -name.text", "last = -new(p.x).v", "last = -p.x - -name.text",
		`world.commands:set(e, "Bag", { items = nil })`, `world:send("Ev", { items = nil, n = p.x })`, `world:send("Ev", { items = { p.x }, n = p.x }) for ev in world:peek("Ev") do n = n + #ev.items end`,
		"local l = bag.items l[1] = p.x l[#l + 1] = 4 l[#l + 1] = 5 l[#l + 1] = 6 l[#l + 1] = 7 bag.items = l last = #bag.items if #l > 30 then bag.items = { 1 } end",
		"local l = bag.items l[2] = p.x for i = 1, 9 do l[#l + 1] = i end l[3] = #l bag.items = l n = n + bag.items[#bag.items] bag.items = { l[3], l[2] }",
	} {
		sameCompiled(t, strings.Replace(source, "BODY", body, 1), body, func(Impl, loops.Tally) bool { return true })
	}
}
