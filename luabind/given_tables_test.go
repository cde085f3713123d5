package luabind

import (
	"testing"
)

// givenTables are loops that give tables to fields of events, of commands and of world:set; that keep, return and measure parts of constant tables;
// and that make tables with computed keys beside fields of type table. Each row has a number n, an entity e and a Bag.
var givenTables = []string{
	`world:send("Sent", { n = n, list = { n, { s = "a", n = 2 } } })`,
	`local t = {} for i = 1, n % 4 do t[i] = i end world:send("Sent", { list = t, n = #t }) t[1] = 9 sum = sum + (t[1] or 0)`,
	`local t = { at = { n } } world:send("Sent", { list = t }) t.at[1] = 0 world:send("Sent", { list = t.at })`,
	`world.commands:send("Sent", { n = n, list = { "x", n = n } })`,
	`world:send("Sent", { list = bag.items, n = #bag.items })`,
	`world:send("Sent", { list = n % 3 == 0 and outer or bag.items })`,
	`world:send("Sent", { list = n % 50 == 1 and 3 or {} })`,
	`world:send("Sent", { list = n % 50 == 1 and print or {} })`,
	`if n % 9 == 2 then world.commands:spawn{ Bag = { n = n, items = { { kind = "new", n = n } } } } end`,
	`world.commands:set(e, "Bag", { items = { gold = n } })`,
	`local t = { n } world:set(e, "Bag", { items = t, n = n }) t[2] = 4 sum = sum + #bag.items`,
	`world:set(n % 40 == 3 and 0 or e, "Bag", { items = { deep = { deep = { n } } } })`,
	`world:set(e, "Bag", { items = n % 40 == 3 and 7 or bag.items })`,
	`local r = best(n) if r then sum = sum + r.power bag.kind = r.name end`,
	`local name, act = chosen(bag.kind) if not act.want or act.want(n) then sum = sum + act.run(n, bag) bag.kind = name end`,
	`local act, low for name, a in pairs(ACTS) do local c = a.cost * n % 7 if not low or c < low then act, low = a, c end end sum = sum + act.run(n, bag)`,
	`local plan = PLANS[bag.kind] if plan then sum = sum + #plan bag.at = bag.at % #plan + 1 plan[bag.at](bag) end`,
	`sum = sum + #PLANS[bag.kind]`,
	`local seen = {} seen[n * 3 + 20] = { n, 2 } seen[n] = { 1, 1 } for k, v in pairs(seen) do sum = sum + k * v[1] end if #bag.items == 0 then bag.items = { n } end`,
	`local h = heap.new() for i = 1, 4 do h:push((n * i) % 11, { i }) end local t = {} while h.n > 0 do t[#t + 1] = h:pop()[1] end bag.items = t`,
	`local mine = owned[n % 5] if not mine then mine = { n = 0, list = {} } owned[n % 5] = mine end mine.n = mine.n + 1 mine.list[#mine.list + 1] = #bag.items if mine.n > 20 then owned[n % 5] = nil end`,
	`local t = {} t[n + 30] = bag.items bag.items = t[n + 30] t[n + 31] = { n } bag.at = #t[n + 31]`,
	`for k, v in pairs(POSTS[n % 2 + 1]) do if bag[k] ~= v then bag[k] = v sum = sum + 1 end end`,
	`for k, v in pairs(POSTS[n % 2 + 1]) do bag[k] = v end if n % 60 == 7 then bag.at = "x" end`,
	`for k, v in pairs(loose) do if bag[k] ~= v then bag[k] = v sum = sum + 1 end end loose.at = (loose.at + n) % 5 loose.kind = n % 2 == 0 and "a" or "b"`,
	`local a, b = { n }, {} b.a = a b[n + 100] = a a[2] = 5 sum = sum + b[n + 100][2] bag.items = a`,
	`local z = n % 3 == 0 and n or nil bag.items = { a = n, b = z, c = "x" } sum = sum + #bag.items`,
	`local z = n % 3 == 0 and n or nil bag.items = { z = z, a = { x = z, y = n, b = z }, n, "two" } sum = sum + #bag.items`,
	`local z if n % 2 == 0 then z = { n } end bag.items = { n, first = bag.items[1], z = z, last = z } sum = sum + (bag.items.z and 1 or 0)`,
	`local z, y = n % 2 == 0 and n or nil, n > 40 and "y" or nil bag.items = { n, { n, k = z, z = n }, b = y, a = z, B = bag.kind, c = n }`,
}

// givenSource is a file with a loop over such rows.
func givenSource(body string) string {
	return `local ecs = require("ecs")
ecs.component("Bag", { n = "f64", kind = "string", on = "bool", at = "i32", items = "table" })
ecs.event("Sent", { n = "f64", list = "table" })
local ACTS = { a = { cost = 1, run = function(n, bag) return n end }, b = { cost = 3, want = function(n) return n % 2 == 0 end, run = function(n, bag) bag.on = not bag.on return 2, 3 end }, c = { cost = 2, run = function() return 0.5 end } }
local RULES = { { name = "a", power = 3, from = 5 }, { name = "b", power = 7, from = 40 }, { name = "c", power = 11, from = 90 } }
local PLANS = { a = { function(bag) bag.on = true end, function(bag) bag.n = bag.n + 1 end }, b = { function(bag) bag.at = 0 end } }
local POSTS = { { on = true, at = 3, kind = "b" }, { on = false, kind = "a" } }
local function best(n) local found for _, r in ipairs(RULES) do if n >= r.from then found = r end end return found end
local function chosen(kind) local act = ACTS[kind] if act then return kind, act end return "c", ACTS.c end
local heap = {} heap.__index = heap
function heap.new() return setmetatable({ n = 0, keys = {}, values = {} }, heap) end
function heap:push(k, v) self.n = self.n + 1 local i = self.n while i > 1 and self.keys[i - 1] < k do self.keys[i], self.values[i] = self.keys[i - 1], self.values[i - 1] i = i - 1 end self.keys[i], self.values[i] = k, v end
function heap:pop() local v = self.values[self.n] self.keys[self.n], self.values[self.n] = nil, nil self.n = self.n - 1 return v end
local loose = { on = true, at = 1, kind = "b" }
local sum, outer, owned = 0, { 1, { x = 2 } }, {}
local function show(t) if type(t) ~= "table" then return tostring(t) end local s = "" for k, v in pairs(t) do s = s .. tostring(k) .. "=" .. show(v) .. " " end return "{" .. s .. "}" end
return { init = function(world)
  for i = 1, 150 do world:spawn{ Bag = { n = i, kind = ({ "a", "b", "z" })[i % 7 == 1 and 3 or i % 2 + 1], items = i % 3 == 0 and { i, gold = 2 } or {} } } end
end, update = function(world)
  local function run()
    for e, bag in world:each("Bag") do
      local n = bag.n
      ` + body + `
    end
  end
  print(pcall(run)) print(sum, world:count("Bag"), show(owned))
  for ev in world:drain("Sent") do print(ev.n, show(ev.list)) end
end }`
}

// Tables that rows give away, and constants that they keep, are the same in kernels as interpreted.
func TestGivenTablesAlike(t *testing.T) {
	t.Parallel()
	for _, body := range givenTables {
		exitsAlike(t, body, givenSource(body))
	}
}
