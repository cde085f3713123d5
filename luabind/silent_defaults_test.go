package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// silentSource is a file whose loop does something with a value of a kind that a place in the compiler did not name.
const silentSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string", t = "table" }) ecs.component("Q", { y = "f64" })
local F = { fire = function() return 1 end, ice = function() return 2 end } local H = { f = F.fire, t = F, q = 3 } local FUNCS = { F.fire, F.ice }
local M = { fire = false, ice = function() return 1 end } local FLAGS = { fire = false, ice = true } local L = { { n = 1 }, { n = 2 } }
local function f(x) return x end local function row() return L[ecs.random(2)] end local function half(x) return x / 2, L[ecs.random(2)] end
return { init = function(world)
  for i = 1, 8 do local e = world:spawn{ P = { x = i, s = i % 2 == 0 and "fire" or "ice", t = { { n = 1 }, {}, { n = false } } } } if i % 3 == 0 then world:set(e, "Q", { y = i }) end if i % 4 == 0 then world:relate(e, "ChildOf", e - 1) end end
end, update = function(world)
  local n, text, x, kept = 0, "", 0, {}
  for e, p in world:each("P") do BODY end
  print(n, text, x, #kept, ecs.random(1000))
end }`

// A place that distinguishes kinds of values does not take one that it does not name for another.
func TestKindsThatArePassedOver(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`local g = F[p.s] if H.f == F.fire then n = n + 1 end`,
		`if H.f ~= F.ice then n = n + 1 end`,
		`for k, v in pairs(F) do if H.f == v then n = n + 1 end end`,
		`for k, v in pairs(H) do if v == F then n = n + 1 elseif v == F.fire then n = n + 10 end end kept[#kept + 1] = { p.x }`,
		`local v = M[p.s] if v == F.fire then n = n + 1 end if v == false then n = n + 10 end`,
		`if (M[p.s] and 1) == nil then n = n + 1 end`,
		`local v = M[p.s] and p if v == nil then n = n + 1 end text = text .. tostring(v == false)`,
		`text = text .. tostring(M[p.s] and 1)`,
		`local v = FLAGS[p.s] and p if v == nil then n = n + 1 end`,
		`kept[#kept + 1] = M[p.s] and 5`,
		`local q = world:get(e, "Q") for i in ipairs({ q, 2 }) do n = n + 1 end`,
		`local q = world:get(e, "Q") for k in pairs({ a = q, b = 1 }) do n = n + 1 end`,
		`local list = { p, world:get(e, "Q"), p } for i, v in ipairs(list) do n = n + i end`,
		`for i, v in ipairs({ p.x > 3 and p or nil, p }) do n = n + i end`,
		`for i, v in ipairs({ FLAGS[p.s] and p, p }) do n = n + i end`,
		`local m if p.x > 4 then m = p.x end for i, v in ipairs({ m, 3 }) do n = n + i end`,
		`local a = 1, L[ecs.random(2)] n = n + a`,
		`f(1, L[ecs.random(2)]) n = n + 1`,
		`n = n + select("#", L[ecs.random(2)])`,
		`x = x, L[ecs.random(2)]`,
		`local ok = pcall(half, 3, L[ecs.random(2)]) n = n + (ok and 1 or 0)`,
		`assert(true, L[ecs.random(2)]) n = n + 1`,
		`local v = assert(L[ecs.random(2)]) n = n + v.n`,
		`row() n = n + 1`,
		`half(p.x) n = n + 1`,
		`xpcall(f, ecs.random(2), 5)`,
		`if p.t[ecs.random(2)].n == nil then n = n + 1 end`,
		`if p.t[ecs.random(3)].n then n = n + 1 end`,
		`if not p.t[ecs.random(3)].n then n = n + 1 end`,
		`while p.t[ecs.random(3)].n and n < 50 do n = n + 1 end`,
		`local k = p.t[ecs.random(3)].n and 5 or 7 n = n + k`,
		`if p.t[ecs.random(3)][p.s == "ice" and "n" or "m"] then n = n + 1 end`,
		`local t = p.t kept[#kept + 1] = t if kept[ecs.random(#kept)][1].n == nil then n = n + 1 end if kept[ecs.random(#kept)][3].n then n = n + 10 end`,
		`for o, q, r in world:each(ecs.query{ "P", optional = { "ChildOf" } }) do if r then n = n + 1 end if r == e then n = n + 100 end if not r then x = x + 1 end end`,
		`local v = (p.x > 2 and nil) or p if v then n = n + 1 end`,
		`local v = p.x > 2 and nil or world:get(e, "Q") if v then n = n + v.y end`,
		`local v = (p.x > 2 and nil) or (p.x > 1 and p) if v then n = n + v.x end`,
	} {
		sameCompiled(t, strings.Replace(silentSource, "BODY", body, 1), body, func(Impl, loops.Tally) bool { return true })
	}
}

// A table in a field of a view that a Lua table holds grows for nothing, as that of a view of the row does.
func TestTablesOfViewsGrowForNothing(t *testing.T) {
	t.Parallel()
	for _, change := range []string{`views[2].stock.fromrow = 1`, `views[2].stock.fromrow = g`, `views[2].stock.tags[5] = 1`, `table.insert(views[2].stock.tags, 1)`, `shop.stock.fromrow = 1`} {
		source := `local ecs = require("ecs") ecs.component("Shop", { stock = "table" })
local held, views = {}, {}
return { init = function(world) for i = 1, 3 do views[i] = world:get(world:spawn{ Shop = { stock = { n = i, tags = {} } } }, "Shop") end end,
update = function(world) local pad = string.rep("x", 1910)
  for e, shop in world:each("Shop") do local g = shop.stock held[e] = g ` + change + ` end
  print("done") end }`
		for _, bytes := range []uint64{1950, 1990, 2000, 2010, 2040, 2100} {
			want, _ := exitTrace(t, source, Lua, Limits{Allocations: bytes})
			for _, impl := range []Impl{Closures, Auto} {
				if got, _ := exitTrace(t, source, impl, Limits{Allocations: bytes}); got != want {
					t.Errorf("%v, %d bytes, %s: got\n%s\nwant\n%s", impl, bytes, change, got, want)
				}
			}
		}
	}
}
