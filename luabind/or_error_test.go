package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// orErrorSource is a file whose loops stop where something is missing, ask whether they were given a function, and look around.
const orErrorSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", s = "string", bag = "table" }) ecs.component("Q", { y = "f64" }) ecs.tag("seen") ecs.grid("near", { component = "P", cell = 4 })
local F = { a = function(p) return p.x end, b = function(p) return 2 end } local N = { a = 1, b = 0 } local B = { a = true, b = false } local T = { a = { n = 1 }, b = { n = 5 } }
local L, S = { 4, 5, 6 }, { a = "one", b = "two" }
local function list(world, filter, most)
  local out = {}
  for e, p in world:each("P") do
    if not filter or filter(e, p) then out[#out + 1] = e end
    if most and #out >= most then break end
  end
  return out
end
local function diff(a, b) local d = (a - b) % (2 * math.pi) if d > math.pi then d = d - 2 * math.pi end return d end
local function look(world, e, x, y, facing, fov)
  local seen = 0
  for o, d2 in world:near("near", x, y, 6) do
    if o ~= e then
      local q = world:get(o, "Q")
      if q and q.y ~= 6 then
        local p = world:get(o, "P")
        if math.abs(diff(math.atan2(p.y - y, p.x - x), facing)) < fov then
          seen = seen + 1
          if not world:tagged(o, "seen") or ecs.random() < 0.05 then world:tag(o, "seen") end
        end
      end
    end
  end
  return seen
end
return { init = function(world)
  for i = 1, 60 do local e = world:spawn{ P = { x = i, y = i % 7, s = i % 2 == 0 and "a" or "b", bag = { n = i } } } if i % 3 > 0 then world:set(e, "Q", { y = i }) end end
end, update = function(world, dt)
  local sum, text = 0, ""
  BODY
  print(sum, text, ecs.random(1000))
end }`

// X or error(…) is X: rows in which it is nil or false raise the error.
func TestErrorsInsteadOfValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`for e, p in world:each("P") do local f = F[p.s] or error("no " .. p.s) sum = sum + f(p) end`, true},
		{`for e, p in world:each("P") do local f = F[p.x == 50 and "c" or p.s] or error("no " .. p.s) sum = sum + f(p) end`, false},
		{`for e, p in world:each("P") do local n = N[p.s] or error("none") sum = sum + n end`, true},
		{`for e, p in world:each("P") do local n = N[p.x < 59 and p.s or "c"] or error("none") sum = sum + n end`, false},
		{`for e, p in world:each("P") do local n = B[p.s] or error("false") sum = sum + (n and 1 or 2) end`, false},
		{`for e, p in world:each("P") do sum = sum + (T[p.s] or error("none")).n end`, false},
		{`for e, p in world:each("P") do local t = T[p.s] or error("none") sum = sum + t.n end`, true},
		{`for e, p in world:each("P") do local n = L[p.x % 3 + 1] or error("none") sum = sum + n end`, true},
		{`for e, p in world:each("P") do local n = L[p.x] or error("at " .. p.x) sum = sum + n end`, false},
		{`for e, p in world:each("P") do local q = world:get(e, "Q") or error("no Q") sum = sum + q.y end`, false},
		{`for e, q in world:each("Q") do local o = world:get(e, "P") or error("no P") sum = sum + o.x o.x = o.x + 1 end`, true},
		{`for e, q in world:each("Q") do local o, n = world:get(e, "P") or error("no P"), 1 sum = sum + o.x * n end`, false},
		{`for e, p in world:each("P") do text = (S[p.s] or error("none")) .. p.x end`, true},
		{`for e, p in world:each("P") do local n = p.bag.n or error("none") sum = sum + n end`, true},
		{`for e, p in world:each("P") do local n = p.bag.m or error("none", 2) sum = sum + n end`, false},
		{`for e, p in world:each("P") do local ok, n = pcall(function() return L[p.x] or error("at " .. p.x, 0) end) sum = sum + (ok and n or 1) text = tostring(n) end`, false},
		{`for e, p in world:each("P") do local f = p.x > 3 and F[p.s] or error("small") sum = sum + f(p) end`, false},
		{`sum = #list(world) + #list(world, function(e, p) return p.x > 30 end) + #list(world, nil, 5) + #list(world, function(e) return e % 2 == 0 end, 7)`, false},
		{`for e, p in world:each("P") do sum = sum + look(world, e, p.x, p.y, p.x / 10, 0.6) end`, false},
		{`for e, p in world:each("P") do for o, d in world:near("near", p.x, p.y, 4) do local at = world:get(o, "P") local k = at.x - p.x if k < 0 then k = k + 1 end if math.abs(k) < 2 and math.floor(k / 2) ~= 1 and math.sqrt(d) < 3 then sum = sum + k end end end`, true},
	} {
		sameCompiled(t, strings.Replace(orErrorSource, "BODY", c.body, 1), c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0 && did.Machine+did.Closures >= 150
		})
	}
}
