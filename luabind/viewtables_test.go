package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// shopSource is a file with components that have tables, and loops over them that reach other ones through views in Lua tables.
const shopSource = `local ecs = require("ecs")
ecs.component("Shop", { stock = "table", prices = "table", cash = "f64", name = "string" }) ecs.component("House", { pantry = "table", n = "f64" }) ecs.event("Bought", { what = "string", bag = "table" })
local kinds = { "fish", "bread", "milk" }
local function cheapest(list, good, limit)
  local best, price = nil, limit
  for i = 1, #list do
    local s = list[i].shop
    local p = s.prices[good]
    if (s.stock[good] or 0) > 0 and p < price then best, price = list[i], p end
  end
  return best, price
end
local function bump(h) if h.n > 3 then h.n = h.n + 1 end return h.n end
local function take(t, good) t[good] = t[good] - 1 return t end
return { init = function(world)
  for i = 1, 9 do world:spawn{ Shop = { stock = { fish = i * 40, bread = 90, tags = { "a", "b", i } }, prices = { fish = i, bread = 10 - i, milk = i % 3 + 2 }, cash = 1, name = "s" .. i } } end
  for i = 1, 120 do world:spawn{ House = { pantry = { fish = 1, list = { i } }, n = i } } end
end, update = function(world, dt)
  local sum, text, kept, lists, by, last = 0, "", {}, {}, { any = "s" }, nil
  for e, shop in world:each("Shop") do
    local street = #shop.name % 2 == 0 and "a" or 5
    lists[street] = lists[street] or {}
    table.insert(lists[street], { e = e, shop = shop }) by[e] = shop
  end
  for e, h in world:each("House") do
    local shops = lists[h.n > 500 and 5 or "a"]
    local o, good = shops[h.n % #shops + 1], kinds[h.n % 3 + 1]
    local s = o.shop
    BODY
  end
  local n = 0
  for k, v in pairs(kept) do n = n + (type(v) == "table" and (v.fish or 1) or v) end
  print(sum, text, n, last and (last.fish or last[3]))
end }`

// Tables in the fields of views that a Lua table holds are copies, as those of the views of a row are, and are stored by assignments.
func TestTablesOfViewsInTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`sum = sum + (s.stock[good] or 0) + #s.stock.tags`, true},
		{`local best, price = cheapest(shops, good, 20) if best then local b = best.shop local stock = b.stock stock[good] = stock[good] - 1 b.stock = stock b.cash = b.cash + price sum = sum + price end`, true},
		{`local stock = s.stock stock[good] = (stock[good] or 0) + 1 if h.n % 2 == 0 then s.stock = stock end sum = sum + (s.stock[good] or 0)`, true},
		{`local a, b = s.stock, s.stock a.fish = 5 sum = sum + a.fish + b.fish + s.stock.fish if a == b then sum = sum + 1000 end`, true},
		{`local a = s.stock local b = a a.fish = 5 sum = sum + b.fish if a == b then sum = sum + 1000 end`, true},
		{`for k, v in pairs(s.prices) do sum = sum + v + #k end for i, v in ipairs(s.stock.tags) do sum = sum + i end`, true},
		{`local tags = s.stock.tags tags[#tags + 1] = h.n sum = sum + #tags + #s.stock.tags`, true},
		{`local stock = s.stock table.insert(stock.tags, h.n) s.stock = stock sum = sum + #s.stock.tags`, true},
		{`s.stock[good] = (s.stock[good] or 0) + 1 sum = sum + s.stock[good]`, true},
		{`s.stock.tags[2] = "c" sum = sum + #s.stock.tags`, true},
		{`table.insert(s.stock.tags, h.n) sum = sum + #s.stock.tags`, true},
		{`s.stock[good] = bump(h) sum = sum + s.stock[good]`, false},
		{`s.stock.tags[bump(h) % 3 + 1] = "c" sum = sum + #s.stock.tags`, false},
		{`s.stock[good] = h.n > 50 and bump(h) or 3 sum = sum + s.stock[good]`, false},
		{`s.stock[h.n > 50 and good or "fish"] = bump(h) sum = sum + (s.stock[good] or 0)`, false},
		{`table.insert(s.stock.tags, bump(h)) sum = sum + #s.stock.tags`, false},
		{`s.stock.fish, s.stock.bread = bump(h), h.n sum = sum + s.stock.fish`, false},
		{`shops[h.n % #shops + 1].shop.stock.fish = bump(h) sum = sum + s.stock.fish`, false},
		{`take(s.stock, "fish") sum = sum + s.stock.fish`, true},
		{`take(s.stock, "fish").fish = 3 sum = sum + s.stock.fish`, true},
		{`local t = s.stock t.tags[bump(h) % 3 + 1] = "c" s.stock = t sum = sum + #s.stock.tags`, true},
		{`table.sort(s.stock.tags, function(a, b) return tostring(a) > tostring(b) end) sum = sum + #s.stock.tags`, false},
		{`table.remove(s.stock.tags) if #s.stock.tags < 2 then table.insert(s.stock.tags, 1, "z") end sum = sum + #s.stock.tags`, true},
		{`s.stock.tags[#s.stock.tags + 1], s.stock.fish = h.n, 7 sum = sum + #s.stock.tags`, false},
		{`if h.n == 40 then s.stock.nope.x = 1 end sum = sum + 1`, false},
		{`s.stock.deep = { n = h.n } s.stock.deep.n = s.stock.deep.n + 1 sum = sum + s.stock.deep.n`, false},
		{`by[o.e].stock.fish = h.n sum = sum + s.stock.fish`, true},
		{`local t = take(s.stock, "fish") sum = sum + t.fish + s.stock.fish`, true},
		{`s.stock = take(s.stock, "fish") sum = sum + s.stock.fish`, true},
		{`s.prices = s.stock sum = sum + s.prices.fish`, true},
		{`h.pantry = s.stock local p = h.pantry p.fish = 3 sum = sum + s.stock.fish + h.pantry.fish`, true},
		{`s.stock = h.pantry sum = sum + #s.stock.list`, true},
		{`local p = h.pantry p[good] = (p[good] or 0) + s.prices[good] h.pantry = p s.cash = s.cash - 1`, true},
		{`kept[1] = s.stock sum = sum + 1`, true},
		{`kept[h.n] = s.stock.fish sum = sum + 1`, true},
		{`s.stock = { fish = h.n, bread = 1, tags = { "x" } } sum = sum + s.stock.fish`, false},
		{`if h.n == 50 then s.stock = nil end sum = sum + s.stock.fish`, false},
		{`if h.n == 50 then s.stock = 5 end sum = sum + s.stock.fish`, false},
		{`if h.n == 50 then sum = sum + s.nope.fish end sum = sum + s.stock.fish`, false},
		{`if h.n == 50 then sum = sum + s.stock.nope.fish end sum = sum + s.stock.fish`, false},
		{`if h.n == 50 and world.frame == 2 then world.commands:despawn(o.e) end sum = sum + s.stock.fish`, false},
		{`world:send("Bought", { what = good, bag = s.stock }) sum = sum + 1`, true},
		{`text = s.stock.tags[1] .. s.name sum = sum + #text`, true},
		{`for _, x in ipairs(shops) do local p = x.shop.prices[good] if p and p > 4 then sum = sum + p end end`, true},
		{`local v = s[good == "milk" and "stock" or "prices"] sum = sum + (v.fish or 0)`, true},
		{`local ok = pcall(function() s.stock[good] = "many" .. nil end) sum = sum + (ok and 1 or 2)`, false},
		{`if h.n > 3 then last = s.stock end sum = sum + 1`, true},
		{`if h.n == 3 then last = { fish = 4 } elseif h.n > 5 then last = s.stock last.fish = h.n end sum = sum + (last and last.fish or 0)`, false},
		{`if h.n > 5 then last = s.stock.tags end sum = sum + (last and #last or 0)`, false},
		{`local t = h.n % 2 == 0 and s.stock or s.prices t.fish = 1 sum = sum + t.fish + s.stock.fish`, true},
		{`local stock = s.stock for i = 1, 3 do stock[kinds[i]] = i if i == h.n % 4 then break end end s.stock = stock sum = sum + s.stock.fish`, true},
		{`local stock, prices = s.stock, s.prices stock.fish, prices.fish = prices.fish, stock.fish if prices.fish < 400 then s.stock, s.prices = stock, prices end sum = sum + s.stock.fish`, true},
	} {
		source := strings.Replace(shopSource, "BODY", c.body, 1)
		sameCompiled(t, source, c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0 && did.Machine+did.Closures >= 480
		})
	}
}
