package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// tableFieldHead is the file around the loops of these tests. MIX says which entities have data of other kinds than
// the loops expect.
const tableFieldHead = `local ecs = require("ecs")
ecs.component("Bag", { items = "table", grid = "table", n = "f64", k = "i32", s = "string", b = "bool", who = "entity" }) ecs.component("Other", { items = "table", n = "f64" })
ecs.tag("red") ecs.event("Took", { n = "f64", s = "string", e = "entity" }) ecs.event("Give", { items = "table", n = "f64" }) ecs.resource("total", { type = "f64" })
local KINDS, FOOD, counts, prices, list, kept, up = { "apple", "bread", "sword" }, { apple = 2, bread = 3 }, {}, { apple = { cost = 2 }, sword = { cost = 9, sharp = true } }, {}, nil, 0
local MIX = function(i) return %s end
local function weight(items) local w = 0 for i = 1, #items do w = w + items[i].w end return w end
local function find(items, kind) for _, it in ipairs(items) do if it.kind == kind then return it end end return nil end
local function make(n) local t = {} for i = 1, n do t[i] = { x = i, y = ecs.random(9) } end return t end
local function age(it, dt) it.age = (it.age or 0) + dt return it.age end
local function init(world)
  local last = ecs.none
  for i = 1, 120 do
    local items = {}
    for j = 1, i %% 5 do items[j] = { kind = KINDS[(i + j) %% 3 + 1], w = i + j, n = j, flag = j == 2 } end
    if i %% 4 == 0 then items.gold, items.name = i, "bag" .. i end
    if MIX(i) then
      if i %% 7 == 0 then items[1] = nil items[4] = { kind = "hole", w = 1 } end
      if i %% 7 == 1 then items[2] = "word" end
      if i %% 7 == 2 then items = { [0] = { w = 1, kind = "zero" }, { w = 2, kind = "one" }, [2.5] = true, [true] = "yes", x = 1 } end
      if i %% 7 == 3 then items = {} end
      if i %% 7 == 4 then items[1] = { kind = 5, w = "heavy", n = { 1 } } end
      if i %% 7 == 5 then items.deep = { { { a = { b = { i } } } } } items[#items + 1] = last end
      if i %% 7 == 6 then items[1] = false items.gold = "much" end
    end
    local e = world:spawn{ Bag = { items = items, grid = { { 1, 2, i }, { 4, 5, 6 } }, k = i %% 4, s = KINDS[i %% 3 + 1], b = i %% 2 == 0, who = last } }
    if i %% 3 == 0 then world:add(e, "Other") world:get(e, "Other").items = { i, i + 1 } end
    if i %% 5 == 0 then world:tag(e, "red") end
    last = e
  end
end
local function run(world, dt)
  local sum, last, text, res = 0, nil, "", world.resources
  %s
  print(sum, last, text, up, res.total, counts.apple, #list, kept and #kept, ecs.random(1000))
  return sum
end
return { init = init, update = function(world, dt)
  for i = 1, 9 do world:send("Give", { items = { { w = i, kind = KINDS[i %% 3 + 1] }, i, name = "g" .. i }, n = i }) end
  %s
  for out in world:drain("Took") do print("took", out.n, out.s, out.e) end
  for give in world:read("Give") do print("unread", give.n) break end
end }`

// tableFieldLoops read and write tables in fields, as modders write them.
var tableFieldLoops = []string{
	// reads
	`local items = bag.items for i = 1, #items do sum = sum + items[i].w end bag.n = sum`,
	`for i, it in ipairs(bag.items) do sum = sum + it.w * i end`,
	`for _, it in ipairs(bag.items) do if it.kind == bag.s and it.flag then sum = sum + it.n elseif it.kind ~= "apple" then up = up + 1 end end`,
	`for k, v in pairs(bag.items) do if k == "gold" then sum = sum + v elseif type(v) == "table" then sum = sum + 1 end end`,
	`local n = 0 for k in pairs(bag.items) do n = n + 1 end bag.n = n`,
	`for k, v in pairs(bag.grid) do for l, w in pairs(v) do sum = sum + k * l + w end end`,
	`bag.n = bag.items.gold or 0 if bag.items.name then bag.s = bag.items.name end`,
	`local gold = bag.items.gold if gold and gold > 50 then sum = sum + gold end if gold == nil then up = up + 1 end`,
	`sum = sum + bag.grid[bag.k % 2 + 1][bag.k % 3 + 1] - bag.grid[1][3]`,
	`if bag.items[1] and bag.items[1].flag == false then sum = sum + bag.items[1].w end`,
	`local first = bag.items[1] if first then last = first.w text = first.kind end`,
	`sum = sum + weight(bag.items) + (#bag.items > 2 and bag.items[2].n or 7)`,
	`local it = find(bag.items, "bread") if it then sum = sum + it.w bag.k = it.n end`,
	`local it = bag.items[bag.k] local life = it and FOOD[it.kind] if life then sum = sum + life end`,
	`for i = #bag.items, 1, -1 do local kind = bag.items[i].kind counts[kind] = (counts[kind] or 0) + 1 if prices[kind] then sum = sum + prices[kind].cost end end`,
	`local best, most for _, it in ipairs(bag.items) do if not best or it.w > most then best, most = it, it.w end end if best then bag.s = best.kind sum = sum + most end`,
	`local best = nil for i = 1, #bag.items do if best == nil or bag.items[i].w > best.w then best = bag.items[i] end end if best then sum = sum + best.w end`,
	`local found = false for _, it in ipairs(bag.items) do if it.kind == "sword" then found = it break end end if found then sum = sum + found.w end bag.b = found ~= false`,
	`local o = world:get(e, "Other") if o then sum = sum + o.items[1] + o.items[2] end`,
	`local o = world:get(bag.who, "Bag") if o and o.items[1] then sum = sum + o.items[1].w o.n = o.n + 1 end`,
	`for f, o in world:each("Other") do if o.items[1] == bag.n + 3 then sum = sum + o.items[2] end end`,
	`local a, b = bag.items[1], bag.items[2] if a and b and a.kind == b.kind then sum = sum + 1 end sum = sum + ((a or b or { w = 3 }).w or 1)`,
	`world:send("Took", { n = bag.items.gold or 1, s = bag.items[1] and bag.items[1].kind or "none", e = e })`,
	`if bag.items.gold then world.commands:set(e, "Bag", { n = bag.items.gold, k = #bag.items }) end`,
	`sum = sum + #bag.s + #bag.items for i = 1, #bag.items do sum = sum + #bag.items[i].kind end`,
	`local t = bag.items while t and t.deep do t = t.deep[1] end if t and t[1] then sum = sum + #t end`,
	`sum = sum + (bag.items.missing or 2) if bag.items.a and bag.items.a.b then sum = 1000 end sum = sum + bag.items[1].w`,
	`if bag.b then sum = sum + bag.items[2].w end bag.k = bag.items[1].n`,
	`bag.n = bag.items[bag.s] or bag.items[true] and 3 or bag.items[2.5] and 4 or bag.items[0] and 5 or -1`,
	`local it = bag.items[1] if it and it.w < 50 and it.w <= 40 and 3 < it.w then sum = sum - it.w / 2 end`,
	`local w = bag.items[1] and -bag.items[1].w or 1 sum = sum + w ^ 2 % 7 + math.max(w, bag.n) + math.floor(w / 3)`,
	`local t = { bag.items.gold or 1, x = #bag.items } sum = sum + t[1] + t.x`,
	// the order of values of any kind, and variables that are read before they have a value
	`local best, at for k, v in pairs(bag.items) do if type(k) == "string" and (not at or k < best) then best, at = k, k end end if best then text = best bag.s = best end`,
	`local first for i = 1, 3 do local k = KINDS[i] if first == nil or k < first then first = k end end bag.s = first`,
	`local low for _, it in ipairs(bag.items) do if it.w and (low == nil or it.w < low) then low = it.w end end sum = sum + (low or 0.5)`,
	`local low for _, n in ipairs(bag.grid[1]) do if not low or n >= low then low = n end end if low then bag.n = low end`,
	`for _, a in ipairs(bag.items) do for _, b in ipairs(bag.items) do if a.kind < b.kind then sum = sum + 1 end if a.kind <= b.kind then sum = sum + 10 end if a.w > b.w then sum = sum + 100 end if a.n >= b.n then sum = sum + 1000 end end end`,
	`local t = { a = 0 / 0, b = bag.n, s = bag.s, z = -0 } if t.a < t.b or t.a >= t.b or t.a <= t.a or t.z < t.a then sum = sum + 1 end if t.s <= t.s and not (t.s < t.s) and t.z >= t.z then sum = sum + 10 end if bag.k == 4 and t.s < t.b then sum = 0 end`,
	`local a, b = bag.items[1], bag.items.gold if a and b and a < b then sum = sum + 1 end`,
	`if bag.items[2] and bag.items[1].kind < bag.items[2].w then sum = sum + 1 end`,
	`if bag.items.none <= bag.items.gold then sum = sum + 1 end`,
	`local last for i = 1, 3 do if last then sum = sum + #last end last = KINDS[i] end`,
	`local was for i = 1, 4 do if was == (i % 2 == 0) then sum = sum + i end was = bag.b end`,
	// writes
	`local items = bag.items items[1].w = items[1].w + dt bag.items = items`,
	`for _, it in ipairs(bag.items) do it.w = 0 end sum = sum + bag.items[1].w`,
	`local items = bag.items for _, it in ipairs(items) do it.age = (it.age or 0) + dt end bag.items = items`,
	`local items, rest = bag.items, {} for _, it in ipairs(items) do it.w = it.w - 7 if it.w > 0 then rest[#rest + 1] = it else world:send("Took", { n = it.w, s = it.kind, e = e }) end end bag.items = rest`,
	`local items = bag.items table.insert(items, { kind = "new", w = sum, n = 1 }) if #items > 4 then table.remove(items, 1) end bag.items = items bag.k = #items`,
	`local items = bag.items for i = #items, 1, -1 do items[i].n = items[i].n - 1 if items[i].n <= 0 then table.remove(items, i) end end bag.items = items`,
	`local items = bag.items items[#items + 1] = { kind = bag.b and "even" or "odd", w = ecs.random(5) } bag.items = items`,
	`bag.items.gold = (bag.items.gold or 0) + 1 bag.items.sword = 1 bag.items.name = nil`,
	`if bag.items[1] then bag.items[1].w = bag.items[1].w + 1 bag.items[1].tag = bag.s end`,
	`bag.grid[bag.k % 2 + 1][2] = sum sum = sum + 1 bag.grid[1][4] = bag.grid[1][3]`,
	`table.insert(bag.items, { w = 1, kind = "x" }) if #bag.items > 5 then sum = sum + table.remove(bag.items).w end`,
	`local old = bag.items bag.items = {} bag.items.was = #old if bag.k == 1 then bag.items = old end`,
	`bag.items = make(bag.k) sum = sum + #bag.items`,
	`bag.items = { kind = bag.s, at = { x = bag.n, y = bag.k }, list = { 1, bag.k, 3 } } sum = sum + bag.items.at.x + bag.items.list[2]`,
	`local items = bag.items bag.items = items items.late = true if items[1] then items[1].w = -1 end sum = sum + (bag.items[1] and bag.items[1].w or 0)`,
	`local a = bag.items local b = a a.x = 1 sum = sum + b.x local c = bag.items if c.x then up = up + 1 end b.x = 2 bag.items = a`,
	`local items = bag.items local one = items[1] if one then one.w = 5 sum = sum + items[1].w items[1] = nil one.w = 6 sum = sum + (items[1] and 1 or 0) items.one = one bag.items = items end`,
	`local items = bag.items items[1], items[2] = items[2], items[1] bag.items = items`,
	`local o = world:get(bag.who, "Bag") if o then o.items = bag.items local t = o.items t.from = sum o.items = t sum = sum + 1 end`,
	`local items = bag.items for k, v in pairs(items) do if k == "gold" then items[k] = v + 1 end end bag.items = items`,
	`local items = bag.items for k, v in pairs(items) do items[k] = nil up = up + 1 end bag.items = items`,
	`local items = bag.items for i, it in ipairs(items) do if i < 3 then items[#items + 1] = { w = i } end end bag.items = items`,
	`if bag.items[1] then sum = sum + age(bag.items[1], dt) local items = bag.items age(items[1], dt) bag.items = items end`,
	`local items = bag.items items.self = items bag.n = 1 if bag.k == 0 then bag.items = items end`,
	`local t = {} for i = 1, 40 do t = { t } end if bag.k == 2 then bag.items = t end`,
	`local pair = { w = 1 } bag.items = { pair, pair } local items = bag.items items[1].w = 9 sum = sum + items[2].w bag.items = items`,
	`local items = bag.items table.insert(items, 1, { w = 0, kind = "front" }) items[#items] = nil bag.items = items`,
	`local items = bag.items sum = sum + (table.remove(items) or { w = 2 }).w table.insert(items, 3) bag.items = items`,
	`bag.items = bag.b and bag.items or {} bag.items[bag.s] = bag.k`,
	`local items = bag.items if items[1] == items[1] then sum = sum + 1 end if items[1] and items[1] == bag.items[1] then sum = sum + 100 end items.n = 0 bag.items = items`,
	`bag.items[0 / 0] = 1`,
	`bag.items[-0] = 1 bag.n = bag.items[0]`,
	`bag.items = bag.k`,
	`bag.items.gold = world`,
	`local items = bag.items items.f = print bag.items = items`,
	`bag.items.gold.x = 1`,
	`bag.items = setmetatable({}, {})`,
	`local items = bag.items items[1].w.x = 3`,
	`if bag.k == 3 then bag.items.list = list end list[bag.k + 1] = bag.items.gold`,
	`if bag.k == 1 then kept = bag.items end if kept then kept[1] = sum end sum = sum + 1`,
	`if bag.k == 1 then text = text .. tostring(bag.items[1] and bag.items[1].w) end sum = sum + #bag.items`,
	`bag.items.hits = (bag.items.hits or 0) + 1 bag.k = bag.items.hits / 2 % 4`, // a row that has stored is restored
	`bag.items.hits = (bag.items.hits or 0) + 1 if bag.items.hits % 2 == 1 then text = tostring(bag.items.hits) end`,
	`local o = world:get(bag.who, "Bag") if o then o.items.hits = (o.items.hits or 0) + 1 if o.items.hits % 2 == 1 then text = tostring(o.items.hits) end end`,
	`if bag.k == 2 then bag.items = bag.grid bag.grid = { bag.items } end`,
	`local n = 0 for k, v in pairs(bag.items) do if v == "yes" or v == true or v == 1 then n = n + 1 end end bag.n = n`,
	`local names = { "a", "b" } for i = 1, bag.k do names[#names + 1] = KINDS[i] end bag.items.names = names sum = sum + #names`,
	`local sums = {} for _, it in ipairs(bag.items) do sums[it.kind] = (sums[it.kind] or 0) + it.w end bag.items.sums = sums sum = sum + (sums.apple or 0)`,
	`local slots = { false, false } for i, it in ipairs(bag.items) do slots[i] = it.n end bag.items.slots = slots`,
}

// otherTableLoops walk something else.
var otherTableLoops = []string{
	`for give in world:read("Give") do local items = give.items sum = sum + items[1].w + items[2] text = items.name end`,
	`for give in world:drain("Give") do for k, v in pairs(give.items) do if k == 2 then sum = sum + v end end give.items[1].w = 5 sum = sum + give.items[1].w end`,
	`for give in world:peek("Give") do if give.n > 3 then local t = give.items t[1].w = t[1].w + 1 sum = sum + t[1].w end end`,
	`for e, o, bag in world:each(ecs.query{ "Other", optional = { "Bag" }, tagged = { "red" } }) do if bag then o.items[1] = bag.items.gold or #bag.items end sum = sum + o.items[1] end`,
	`for e, bag in world:each(ecs.query{ "Bag", changed = { "Bag" } }) do if bag.k > 1 then bag.items.seen = (bag.items.seen or 0) + 1 end sum = sum + 1 end`,
}

// tableFieldSource is a file with a loop in it.
func tableFieldSource(body, mix, call string) string {
	if !strings.HasPrefix(body, "for give") && !strings.HasPrefix(body, "for e,") {
		body = `for e, bag in world:each("Bag") do ` + body + ` end`
	}
	return fmt.Sprintf(tableFieldHead, mix, body, call)
}

// Loops over table fields do the same with every implementation, with the data that they expect and with other
// data, with errors in the middle of a row, and at every budget.
func TestTableFieldsAlike(t *testing.T) {
	t.Parallel()
	rows := 0
	for i, body := range append(otherTableLoops, tableFieldLoops...) {
		mixes := []string{"false", "i % 13 == 5", "true"}
		for j := range effort.Of(len(mixes)) { // for each body others
			mix := mixes[(i+j)%len(mixes)]
			call := []string{"print(run(world, dt))", "print(pcall(run, world, dt)) print(pcall(run, world, dt))"}[(i+len(mix))%2]
			source := tableFieldSource(body, mix, call)
			did := exitsAlike(t, mix, source)
			rows += did.Closures + did.Machine
		}
	}
	t.Log(rows)
	if rows < effort.Of(50_000) {
		t.Errorf("the test tests little: kernels ran %d rows", rows)
	}
}
