package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// exchanges assign several values at once that are read and stored in the same places: of a map, of records at keys, of a list of
// numbers, of a list of records, of a table that the row makes, of a stored table, of a view, of variables and of resources.
var exchanges = []string{
	`local a, b = p.s, q map[a], map[b] = map[b], map[a] or 1`,
	`map[p.s], map[q], sum = map[q] or 2, sum, map[p.s] or 1`,
	`local a, b = p.s, q if map[a] and map[b] then map[a], map[b] = map[b], map[a] end`,
	`if rec[p.s] and rec[q] then rec[p.s].n, rec[q].n = rec[q].n, rec[p.s].n end`,
	`local r, o = rec[p.s], rec[q] if r and o then r.n, o.n, o.m = o.n, r.n, r.n + o.m end`,
	`list[p.k + 1], list[5 - p.k] = list[5 - p.k], list[p.k + 1]`,
	`list[p.k + 1], list[9] = list[9] or 3, list[p.k + 1]`,
	`rows[p.k + 1].x, rows[5 - p.k].x = rows[5 - p.k].x, rows[p.k + 1].x`,
	`rows[p.k + 1].x, rows[5 - p.k].y, sum = sum, rows[p.k + 1].x, rows[5 - p.k].y`,
	`local t = { x = p.x, y = p.k } t.x, t.y = t.y, t.x sum = sum + t.x * 3 + t.y`,
	`local t = { p.x, p.k } t[1], t[2], t[3] = t[2], t[1], t[3] or t[1] sum = sum + t[1] * 3 + t[2] - t[3]`,
	`local items = p.bag items.a, items.b = items.b or 1, items.a p.bag = items sum = sum + items.b`,
	`p.x, p.k = p.k, p.x % 4`,
	`sum, p.x = p.x, sum % 50`,
	`local o = world:get(other[p.k + 1], "P") o.x, p.x = p.x, o.x`,
	`world.resources.a, world.resources.b, p.x = world.resources.b, world.resources.a + 1, world.resources.a`,
	`local function both(a, b) map.s1 = (map.s1 or 0) + 1 return b, a end map[p.s], p.x = both(map[p.s] or 1, p.x)`,
	`local function both(a, b) map[p.s] = 5 return a or 1, b end sum = both(map[p.s], map[q]) + (map[p.s] or 2)`,
	`local v = map[p.s] map[p.s] = p.x sum = sum + (v or 1) + (map[p.s] or 2)`,
	`local v = map[p.s] or map[q] map[q], map[p.s] = 1, 2 sum = sum + (v or 3)`,
	`sum = sum + (map[p.s] or 0) + (function() map[p.s] = p.x return 1 end)()`,
	`p.x = math.max(map[p.s] or 0, map[q] or 0) % 60 map[p.s], map[q] = p.x, map[p.s]`,
}

const exchangeSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string", bag = "table" })
ecs.resource("a", "f64") ecs.resource("b", "f64")
local map, rec, list = { s0 = 3, s1 = 1, s3 = 5 }, { s0 = { n = 1, m = 2 }, s1 = { n = 5, m = 0 }, s2 = { n = 7, m = 1 } }, { 4, 3, 2, 1, 0 }
local rows = { { x = 1, y = 2 }, { x = 3, y = 4 }, { x = 5, y = 6 }, { x = 7, y = 8 }, { x = 9, y = 0 } }
local other, grow = {}, {}
return { init = function(world)
  for i = 1, 120 do other[#other + 1] = world:spawn{ P = { x = i, k = i % 4, s = "s" .. (i * 7) % 4, bag = { a = i } } } end
end, update = function(world, dt)
  local sum = 0
  for e, p in world:each("P") do local q = p.k > 1 and "s1" or "s3" BODY end
  print(#grow, grow[1], grow[#grow]) if #grow > 300 then grow = {} end
  print(sum, world.resources.a, world.resources.b, list[1], list[2], list[3], list[4], list[9])
  for i = 1, 5 do print(rows[i].x, rows[i].y) end
  for i = 0, 3 do local r = rec["s" .. i] print(map["s" .. i], r and r.n, r and r.m) end
end }`

// All values are read before the first one is stored.
func TestExchanges(t *testing.T) {
	t.Parallel()
	for _, body := range exchanges {
		sameCompiled(t, strings.Replace(exchangeSource, "BODY", body, 1), body, func(_ Impl, did loops.Tally) bool { return did.Closures+did.Machine > 200 })
	}
}

// insertBesideExits add to a list that a statement reads which is left to closures or to the interpreter.
var insertBesideExits = []string{
	`do local ok = xpcall(function() return assert(grow[1]) end, function(m) return 1 end) sum = sum + (ok and 1 or 2) end table.insert(grow, p.s)`,
	`if p.k == 2 then local ok = pcall(error, grow[1]) sum = sum + (ok and 1 or 2) end grow[#grow + 1] = p.s`,
	`if p.x == 7 then print(grow[1], #grow) end table.insert(grow, p.s) sum = sum + #grow`,
}

// The list becomes as long as interpreted.
func TestInsertBesideExits(t *testing.T) {
	t.Parallel()
	for _, body := range insertBesideExits {
		sameCompiled(t, strings.Replace(exchangeSource, "BODY", body, 1), body, byAny)
	}
}
