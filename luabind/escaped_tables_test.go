package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// escapedSource is a file whose loop puts tables of fields into tables of the script, and the other way round.
const escapedSource = `local ecs = require("ecs")
ecs.component("Shop", { stock = "table", prices = "table", cash = "f64", name = "string" }) ecs.event("Sold", { what = "table" })
local Market = {} Market.__index = Market
function Market.new(e, shop)
  local self = setmetatable({}, Market)
  self.e, self.shop, self.stock, self.dirty = e, shop, shop.stock, false
  return self
end
function Market:take(good, n)
  local have = self.stock[good] or 0
  if have >= n then self.stock[good] = have - n self.dirty = true return n end
  return 0
end
function Market:commit() if self.dirty then self.shop.stock = self.stock self.dirty = false end end
local function show(t, depth)
  local parts = {}
  for k, v in pairs(t) do parts[#parts + 1] = tostring(k) .. "=" .. (type(v) == "table" and (depth > 3 and "..." or show(v, depth + 1)) or type(v) == "userdata" and "view" or tostring(v)) end
  return "{" .. table.concat(parts, " ") .. "}"
end
local held, list, by, last = {}, {}, { any = "s" }, nil
return { init = function(world)
  for i = 1, 40 do world:spawn{ Shop = { stock = { fish = i, bread = 90, tags = { "a", "b", i, { n = i } }, sub = { n = 1 }, [0] = i % 2 == 0 and 5 or nil, [true] = i % 3 == 0 and 4 or nil }, prices = { fish = i, milk = i % 3 }, cash = i, name = "s" .. i } } end
end, update = function(world, dt)
  local sum = 0
  held, list, by, last = {}, {}, { any = "s" }, nil
  for e, shop in world:each("Shop") do
    BODY
  end
  for e, shop in world:each("Shop") do print(show(shop.stock, 0), show(shop.prices, 0), shop.cash) end
  print(sum, show(held, 0), show(list, 0), last and show(last, 0))
end }`

// A table of a field that a row stores in a table of the script is that table from then on, and a table of the script that a row
// stores in a field is copied.
func TestTablesOfFieldsInLuaTables(t *testing.T) {
	t.Parallel()
	puts := []string{
		`held[e] = g`,
		`list[#list + 1] = g`,
		`table.insert(list, g)`,
		`list[#list + 1] = { of = g, n = 1 }`,
		`held.a = { list = { g, g } }`,
		`last = g`,
		`if shop.cash % 3 == 0 then last = g end`,
		`local o = {} o.g = g o.e = e list[#list + 1] = o`,
		`local o = setmetatable({ g = g }, Market) held[e] = o`,
		`rawset(held, e, g)`,
		`g.me = shop held[e] = g`,
		`g.self = g held[e] = g`,
		`held[g] = e`,
		`for i, tag in ipairs(g.tags) do held[i] = g.tags held.tag = tag if type(tag) == "table" then list[#list + 1] = tag end end`,
		`for k, v in pairs(g) do if type(v) == "table" then held[k] = v end end`,
	}
	befores := []string{
		``,
		`g.fish = 7`,
		`g.tags[2] = "z"`,
		`local sub = g.sub sub.n = sub.n + 1`,
		`g.bread = nil`,
		`g.new = 3`,
		`table.insert(g.tags, "c")`,
		`table.remove(g.tags)`,
		`table.remove(g.tags, 1) g.tags[1] = shop.prices`,
		`local p = shop.prices p.stock = g g = p`,
		`g.bread = nil g.bread = 4`,
		`local t = { 1, 2, x = 3 } g.made = t t.x = 5`,
		`local t = {} t.b = 1 t.a = 2 g.made = t`,
	}
	afters := []string{
		``,
		`g.fish = 5 shop.stock = g`,
		`local h = held[e] or list[#list] or last if h and h.tags then h.fish = 11 sum = sum + (g.fish or 0) shop.stock = h end`,
		`shop.stock = g g.fish = 100 sum = sum + (shop.stock.fish or 0)`,
		`if held[e] == g then sum = sum + 1 end if list[#list] == g then sum = sum + 10 end if last == g then sum = sum + 100 end`,
		`if g.tags then g.tags[1] = "y" sum = sum + #g.tags end`,
		`local s = g.sub if s then s.n = s.n * 2 if g.sub == s then sum = sum + 1 end end`,
		`for k, v in pairs(g) do if type(v) == "number" then sum = sum + v end end`,
		`shop.prices = { of = g.tags, n = 1 }`,
		`world:send("Sold", { what = g })`,
		`sum = sum + (g.fish or 0) + #(g.tags or {})`,
		`g.extra = e sum = sum + g.extra`,
	}
	all := len(puts) * len(befores) * len(afters)
	step := max(1, all/effort.Of(500))
	for i, put := range puts {
		for j, before := range befores {
			for k, after := range afters {
				if (i*71+j*31+k)%step != 0 {
					continue
				}
				body := fmt.Sprintf("local g = shop.stock %s %s %s", before, put, after)
				sameCompiled(t, strings.Replace(escapedSource, "BODY", body, 1), body, func(Impl, loops.Tally) bool { return true })
			}
		}
	}
	for _, body := range []string{ // the table becomes another one while it is walked or sorted
		`local g = shop.stock for k, v in pairs(g) do held[e] = g g.fish = 3 if type(v) == "number" then sum = sum + v end end shop.stock = g`,
		`local g = shop.stock local l = { 3, 1, 2, shop.cash } shop.prices = { list = l } local q = shop.prices.list table.sort(q, function(a, b) held[e] = q return a < b end) sum = sum + q[1] * 1000 + q[4] held[e][1] = 50 shop.prices = { list = q }`,
		`local g = shop.stock local t = g.tags table.remove(t) table.sort(t, function(a, b) list[#list + 1] = t return tostring(a) < tostring(b) end) sum = sum + #list g.tags = t shop.stock = g list[#list][1] = "zz"`,
	} {
		sameCompiled(t, strings.Replace(escapedSource, "BODY", body, 1), body, func(Impl, loops.Tally) bool { return true })
	}
	for _, body := range []string{
		`local g = shop.stock g.bread = nil g.zoo = 1 g.bread = 4 for k, v in pairs(g) do sum = sum + 1 if type(v) == "number" then sum = sum * 2 % 1009 + v end end held[e] = sum`,
		`local g = shop.stock g.new = 1 for k, v in pairs(g) do if k == "fish" then g.sub = nil end if type(v) == "table" then sum = sum + 1 end end held[e] = g.new`,
		`local m = Market.new(e, shop) sum = sum + m:take("fish", 2) + m:take("bread", 1) m:commit()`,
		`local m = held[e] if not m then m = Market.new(e, shop) held[e] = m end m:take("fish", 1) m.stock.tags[1] = "q" m:commit() sum = sum + m.stock.fish`,
		`local path = {} for i = 1, 3 do path[i] = i * shop.cash end path[2] = { n = 1 } list[#list + 1] = path shop.stock = path path[1] = 5`,
		`local b = shop.stock local c = b.sub list[#list + 1] = c c.n = 9 shop.stock = b sum = sum + list[#list].n`,
		`local a = shop.stock held.x = a.tags local b = { tags = a.tags } shop.prices = b b.tags[1] = "w" shop.stock = a`,
		`last = shop.stock last.fish = (last.fish or 0) + 1 shop.stock = last last.fish = 0`,
	} {
		sameCompiled(t, strings.Replace(escapedSource, "BODY", body, 1), body, func(_ Impl, did loops.Tally) bool {
			return did.Left == 0
		})
	}
}
