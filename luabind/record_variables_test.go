package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
)

// recordVariablesSource is a file with variables that are nil, or hold a table, when a loop begins.
const recordVariablesSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string", on = "bool" })
ecs.component("Q", { z = "f64" })
local kept
local state = { x = 50, n = 0, s = "none" }
local same = state
local function show(name, t)
  if type(t) ~= "table" then print(name, t) return end
  local text = {}
  for k, v in pairs(t) do text[#text + 1] = tostring(k) .. "=" .. tostring(v) end
  print(name, table.concat(text, " "), #t)
end
return { init = function(world)
  for i = 1, 120 do world:spawn{ P = { x = i * 37 % 101, k = i % 4, s = "s" .. i * 7 % 9, on = i % 5 == 1 }, Q = { z = i } } end
end, update = function(world, dt)
  local best, other, sum, list = nil, { x = 3, n = 1 }, 0, {}
  local before, M = other, { t = state, by = { state, other } }
  local function get() return best end
  local function gain(old, x) best = { x = x } if old then return best.x - old.x end return 0 end
  local function take(e, x) if not best or x > best.x then best = { e = e, x = x } end end
  for e, p in world:each("P") do BODY end
  show("best", best) show("other", other) show("kept", kept) show("state", state)
  print(sum, #list, other == before, state == same)
  show("before", before)
  if best then best.x = 1 end
  show("same", same)
end }`

// recordVariables are bodies with such variables. All but those with "exit" in front are machine code for all rows.
var recordVariables = []string{
	`if not best or p.x > best.x then best = { e = e, x = p.x } end`,
	`if not best or p.x < best.x then best = { x = p.x, e = e } end sum = sum + best.x`,
	`if best == nil or p.x < best.x then best = { x = p.x } end if best ~= nil then sum = sum + 1 end`,
	`exit if not best or p.x > best.x then best = { name = p.s, x = p.x, on = p.on, const = "c", yes = true } end if best.on then sum = sum + #best.const end`,
	`exit if not best or p.s < best.s then best = { s = p.s } end`,
	`exit if not best or best.s < p.s then best = { s = p.s, n = 0 } else best.n = best.n + 1 end`,
	`if not best then best = { n = 0, x = p.x } end best.n = best.n + 1 best.x = best.x + p.x`,
	`if p.k == 1 then best = { x = p.x } elseif p.k == 2 then best = { y = p.x, x = 2 } end if best and best.y then sum = sum + best.y end`,
	`if p.k == 1 then best = { x = p.x } elseif p.k == 2 then best = { x = 2, y = p.x } elseif p.k == 3 then best = { y = 1, x = 9 } end sum = sum + (best and best.y or 0.5)`,
	`if p.x % 7 == 0 then best = nil elseif not best then best = { x = p.x } end if best then sum = sum + best.x end`,
	`best = { x = p.x, last = best and best.x }`,
	`best = { x = p.x, last = best and best.x or nil } sum = sum + (best.last or 1)`,
	`local v = world:get(e, "Q") if not best or v.z * p.x > best.v then best = { v = v.z * p.x, z = v.z } end`,
	`take(e, p.x)`,
	`take(e, p.x) take(e, p.k * 100)`,
	`local d = p.x % 10 local near if d > 3 then near = { d = d, e = e } end if not near or near.d > 5 then near = { d = 1, e = e } end sum = sum + near.d`,
	`local near = { d = 100 } for i = 1, 5 do local d = math.abs(p.x - i * 20) if d < near.d then near = { d = d, i = i } end end sum = sum + near.d * 100 + near.i`,
	`local near for i = 1, 5 do local d = math.abs(p.x - i * 20) if not near or d < near.d then near = { d = d, i = i } end end sum = sum + near.i`,
	`local near for i = 1, p.k do if i % 2 == 0 then near = nil else near = { i = i } end if near then sum = sum + near.i end end if near == nil then sum = sum + 0.25 end`,
	`for i = 1, 3 do if not best or p.x + i > best.x then best = { x = p.x + i, i = i } end end`,
	`if p.x > other.x then other = { x = p.x, n = other.n + 1 } end`,
	`sum = sum + other.x if p.x > 90 then other = { x = p.x, n = 2 } end`,
	`if p.x > 200 then other = { x = p.x } end sum = sum + other.x`,
	`if p.k == 0 then other = nil end if other and p.x > 1 then sum = sum + other.x end if p.k == 3 then other = { x = p.x } end`,
	`if p.x > state.x then state = { x = p.x, n = state.n + 1, s = p.s } end`,
	`if state.s ~= p.s and p.x > 20 then state = { x = p.x, n = state.n + 1, s = p.s } end`,
	`if not kept or p.x > kept.x then kept = { x = p.x, s = p.s } end`,
	`if kept and kept.s == p.s then sum = sum + 1 else kept = { s = p.s, n = sum } end`,
	`if not best or p.x > best.x then best = { x = p.x } end if not kept or p.x < kept.x then kept = { x = best.x, y = p.x } end`,
	`local was = best and best.x or 0 best = { x = was + p.x } sum = sum + was`,
	`exit best = { x = p.x } if p.x == 50 then sum = sum + best.y end`,
	`exit sum = sum + best.x best = { x = p.x }`,
	`exit if not best or p.x > best.x then best = { x = p.x } end if p.x == 50 then coroutine.wrap(print)() end`,
	`exit if not best or p.x > best.x then best = { x = p.x } end if p.x == 50 then error("stop " .. best.x) end`,
	`exit if not best or p.x > best.x then best = { x = p.x } end if p.x == 50 then sum = sum + #(p.s .. "a") end`,
	`exit if not best or p.x > best.x then best = { x = p.x } list[#list + 1] = best end`,
	`exit if not best or p.x > best.x then best = { x = p.x, at = { 1, 2 } } end`,
	`exit if not best or p.x > best.x then best = { x = p.x, p = p } end sum = sum + best.p.x`,
	`exit if not best or p.x > best.x then best = { x = p.x } end best.y = p.k`,
	`exit if not best or p.x > best.x then best = { x = p.x } else best.x = best.x - 1 best.n = 1 end`,
	`exit other.n = other.n + 1 if p.x > other.x then other = { x = p.x, n = other.n } end`,
	`exit if p.x > other.x then other = { x = p.x, n = "n" } end`,
	`exit if not best or p.x > best.x then best = { x = p.x } end best = best`,
	`exit if p.x > 50 then best = { x = p.x } else best = other end sum = sum + best.x`,
	`exit if not best or p.x > best.x then best = { x = p.x } end for k, v in pairs(best) do sum = sum + v end`,
	`exit if not best or p.x > best.x then best = { x = p.x } end if best == other then sum = sum + 1 end`,
	`exit if not best or p.x > best.x then best, sum = { x = p.x }, sum + 1 end`,
	`exit if not best or p.x > best[1] then best = { p.x } end`,
	`exit if not best or p.x > best.x then best = { x = p.x, x = 3 } end`,
	`exit if not best or p.x > best.x then best = { x = p.k > 1 and p.x or "a" } end if best.x == "a" then best = nil end`,
	`exit if not state or p.x > state.x then state = { x = p.x } end if p.x == 30 then state.n = 5 end`,
	`exit local t = { x = p.x } local u = t t = { x = 1 } sum = sum + u.x`,
	`exit local old = best if not best or p.x > best.x then best = { x = p.x } end if old and best.x > old.x + 1 then sum = sum + 1 end`,
	`exit local t local u = t if p.k > 2 then t = { x = 1 } end if u then sum = sum + 1 end`,
	`exit local t if p.k > 2 then t = { x = p.x } end local u = t t = nil if u then sum = sum + u.x end`,
	`exit local t for i = 1, 3 do local u = t if i == p.k then t = nil elseif not t then t = { x = i * p.x } end if u then sum = sum + u.x end end`,
	`exit local t = { x = p.x } local function f(u) t = { x = 1 } return u.x end sum = sum + f(t)`,
	`exit sum = sum + gain(best, p.x)`,
	`exit local b = get() if not best or p.x > best.x then best = { x = p.x } end if b then sum = sum + b.x end`,
	`exit local x, y = best, other best, other = { x = p.x }, { x = p.k, n = 1 } sum = sum + y.x + (x and x.x or 0)`,
	`exit local u = best or other if not best then best = { x = p.x } end sum = sum + u.x`,
	`exit if p.x > 99 then state = { x = p.x, n = 0, s = "a" } end M.t.n = M.t.n + 1 sum = sum + state.n`,
	`exit M.t.n = M.t.n + 1 sum = sum + state.n`,
	`exit local l = M.by[p.k] if not l then l = { n = 0, x = 0 } M.by[p.k] = l end l.n = l.n + 1 sum = sum + state.n + other.n`,
	`exit if p.x > 99 then state = { x = p.x, n = 0, s = "a" } end local l = M.by[p.k] if not l then l = { n = 0 } M.by[p.k] = l end l.n = l.n + 1 sum = sum + state.n`,
	`exit same.x = same.x - 1 if p.x > state.x then state = { x = p.x, n = 1, s = "new" } end`,
	`exit if p.x == 7 then setmetatable(state, {}) end if p.x > state.x then state = { x = p.x, n = 1, s = "new" } end`,
}

// A variable to which rows assign tables that they make is that table: for the rows behind, for other code, and in its order of pairs.
func TestRecordVariables(t *testing.T) {
	t.Parallel()
	for _, body := range recordVariables {
		text, exits := strings.CutPrefix(body, "exit ")
		sameCompiled(t, strings.Replace(recordVariablesSource, "BODY", text, 1), body, func(impl Impl, did loops.Tally) bool {
			return exits || impl != Auto || did.Machine > 300 && did.Closures == 0
		})
	}
}
