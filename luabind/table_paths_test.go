package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// tablePathsSource is a file with a loop over components with a field of type table. What the loop leaves in them is printed after it.
const tablePathsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string" }) ecs.component("Bag", { items = "table", more = "table" })
ecs.resource("all", { type = "table" })
local function last(list) return #list end
local function items(bag) return bag.items end
local function second(bag) return bag.items[2] end
local function drop(bag) bag.items[1].n = bag.items[1].n + 1 return 2 end
local function swap(bag) local old = bag.items bag.items = { { n = 70, l = { 7 } }, { n = 80, l = {} } } return #old end
local function insert(...) table.insert(...) end
local O = {} O.__index = O function O:items(bag) return bag.items end function O:place(n) return n * 2 end
local o = setmetatable({}, O)
local function show(v) if type(v) ~= "table" then return tostring(v) end local s = "" for i = 1, 4 do s = s .. show(v[i]) .. "," end return "{" .. s .. show(v.n) .. show(v.l) .. show(v.z) .. "}" end
return { init = function(world)
  world.resources.all = { { n = 1, l = { 3 } }, { n = 2, l = {} } }
  for i = 1, 40 do world:spawn{ P = { x = i, k = i % 2 + 1, s = "s" .. i % 2 + 1 }, Bag = { items = { { n = 1, l = { i } }, { n = 2, l = {} } }, more = { s1 = 1, s2 = { n = 2 } } } } end
end, update = function(world, dt)
  for e, p, bag in world:each("P", "Bag") do BODY end
  local text = show(world.resources.all)
  for e, p, bag in world:each("P", "Bag") do text = text .. " " .. show(bag.items) .. show(bag.more.s2) end
  print(text)
end }`

// tablePaths are statements that change a table, or a copy of it. A path that the source writes out from a field or a resource names the
// stored table; what a function returns, or pcall passes on, is a copy.
var tablePaths = []string{
	// Keys for which code stands in front of the statement.
	`bag.items[last(bag.items)].n = p.x`,
	`bag.items[last(bag.items) - 1].n = p.x`,
	`bag.items[tonumber("2")].n = p.x`,
	`bag.items[tonumber(p.s:sub(2))].n = p.x`,
	`bag.items[o:place(1)].l[o:place(1) - 1] = p.x`,
	`bag.items[(function() return 2 end)()].n = p.x`,
	`bag.items[p.k == 1 and last(bag.items) or 1].n = p.x`,
	`bag.items[world:get(e, "P").k].n = p.x`,
	`world:get(e, "Bag").items[last(bag.items)].n = p.x`,
	`bag.more[("S2"):lower()].n = p.x`,
	`bag.more["s" .. tostring(2)].n = p.x`,
	`if p.x % 9 == 3 then bag.items[last(bag.items)].n = p.x end`,
	`pcall(function() bag.items[last(bag.items)].n = p.x end)`,
	`bag.items[last(bag.items)].n, bag.items[last(bag.items) - 1].n = p.x, -p.x`,
	`table.insert(bag.items[last(bag.items)].l, p.x)`,
	`table.insert(bag.items[last(bag.items)].l, 1, last(bag.items))`,
	`table.insert(bag.items[1].l, p.x) table.sort(bag.items[last(bag.items) - 1].l, function(a, b) return a > b end)`,
	`table.remove(bag.items[last(bag.items) - 1].l)`,
	`world.resources.all[last(bag.items)].n = p.x`,
	`table.insert(world.resources.all[last(bag.items)].l, p.x)`,
	// Keys and values whose functions change the table, too.
	`bag.items[drop(bag)].n = p.x`,
	`bag.items[swap(bag)].n = p.x`,
	`bag.items[2].n = drop(bag)`,
	`bag.items[2].n = swap(bag)`,
	`bag.items[2] = { n = swap(bag) }`,
	`table.insert(bag.items[2].l, drop(bag))`,
	`table.insert(bag.items[1].l, swap(bag))`,
	`table.insert(bag.items[1].l, swap(bag), p.x)`,
	`bag.items[1].n, bag.items[2].n = swap(bag), p.x`,
	`bag.items[1].n = bag.items[swap(bag)].n`,
	// Copies.
	`items(bag)[1].n = p.x`,
	`items(bag).z = p.x`,
	`items(bag)[1] = p.x`,
	`o:items(bag)[1].n = p.x`,
	`second(bag).l[1] = p.x`,
	`table.insert(items(bag)[1].l, p.x)`,
	`table.insert(second(bag).l, p.x)`,
	`table.remove(items(bag)[1].l)`,
	`pcall(table.insert, bag.items, p.x)`,
	`pcall(table.insert, bag.items[1].l, p.x)`,
	`pcall(table.remove, bag.items, 1)`,
	`pcall(table.remove, bag.items[1].l)`,
	`pcall(table.sort, bag.items[1].l)`,
	`pcall(table.insert, world.resources.all, p.x)`,
	`pcall(insert, bag.items, p.x)`,
	`insert(bag.items[1].l, p.x)`,
	`local at = bag.items at[last(at)].n = p.x`,
	`local at = bag.items[last(bag.items)] at.n = p.x`,
	// Both at once.
	`pcall(table.insert, bag.items, p.x) table.insert(bag.items[1].l, p.x)`,
	`items(bag)[1].n = p.x bag.items[1].n = bag.items[1].n + 1`,
	`local add = table.insert add(bag.items[1].l, p.x)`,
	`pcall(function() table.insert(bag.items[1].l, p.x) end)`,
	// Fields and views that are chosen by a name or a condition.
	`local name = p.k == 1 and "items" or "more" bag[name].z = p.x`,
	`bag["items"][1].n = p.x`,
	`local v = p.k == 1 and bag or world:get(e, "Bag") v.items[1].n = p.x`,
	`for i = 1, last(bag.items) do bag.items[i].n = bag.items[last(bag.items)].n + i end`,
}

// A statement changes the same tables under every implementation.
func TestTablePaths(t *testing.T) {
	t.Parallel()
	for i, body := range tablePaths {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			source := strings.Replace(tablePathsSource, "BODY", body, 1)
			sameCompiled(t, source, body, func(Impl, loops.Tally) bool { return true })
		})
	}
}
