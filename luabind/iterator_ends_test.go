package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// endsSource is a file whose loop walks lists of everything that Lua can put into one, with iterators.
const endsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string", t = "table" }) ecs.component("Q", { y = "f64" }) ecs.event("Hit", { kind = "string", n = "f64", data = "table" })
local function iter(l) local i = 0 return function() i = i + 1 return l[i] end end
local function back(l) local i = #l + 1 return function() i = i - 1 return l[i], i end end
local function step(l, i) i = i + 1 if l[i] ~= nil then return i, l[i] end end
local function stepped(l) return step, l, 0 end
local function values(l, i) i = (i or 0) + 1 return l[i] and i, l[i] end
local Bag = {} Bag.__index = Bag
function Bag:each() local i = 0 return function() i = i + 1 return self.items[i] end end
local list, recs, names, counts, lists, flags, by, views, chosen = {}, { { n = 1, s = "a" }, { n = 2, s = "b" } }, { "x", "y", "z" }, { 5, 3, 8 }, { { 1, 2 }, { 3 } }, { true, false, true }, {}, {}, nil
local bag = setmetatable({ items = { { n = 4 }, { n = 6 } } }, Bag)
local FIXED, RULES = { { n = 3 }, { n = 9 } }, { fire = { 1, 2 }, ice = { 4 } }
return { init = function(world)
  for i = 1, 40 do world:spawn{ P = { x = i, s = i % 2 == 0 and "fire" or "ice", t = { i, i + 1, { n = i } } }, Q = { y = i % 3 } } end
end, update = function(world, dt)
  local sum, text = 0, ""
  for i = 1, 6 do world:send("Hit", { kind = i % 2 == 0 and "fire" or "ice", n = i, data = { n = i } }) end
  LOOP
  print(sum, text, #list, #views)
end }`

// A loop over an iterator ends where the first value is nil, whatever the list has.
func TestLoopsOverIteratorsEnd(t *testing.T) {
	t.Parallel()
	lists := []string{
		`recs`, `names`, `counts`, `lists`, `flags`, `list`, `views`, `FIXED`, `RULES[p.s]`, `p.t`, `by[p.s] or {}`, `lists[2]`, `{ p.x, 2, 3 }`, `{ { n = p.x } }`, `bag.items`,
	}
	iterators := []string{
		`for v in iter(%s) do USE end`, `for v, i in back(%s) do sum = sum + (i or 0) USE end`, `for i, v in stepped(%s) do sum = sum + i USE end`,
		`for i, v in step, %s, 0 do sum = sum + i USE end`, `local l = %s for v in bag.each(l.items and l or { items = l }) do USE end`,
		`local next_one = iter(%s) while true do local v = next_one() if v == nil then break end USE end`,
		`local i, l = 1, %s while l[i] ~= nil do local v = l[i] USE i = i + 1 end`,
		`local i, l = 0, %s repeat i = i + 1 local v = l[i] if v ~= nil then USE end until v == nil`,
	}
	uses := []string{
		`sum = sum + 1`, `if type(v) == "table" then sum = sum + (v.n or v[1] or 0) end`, `if type(v) == "number" then sum = sum + v end`, `text = tostring(type(v))`,
		`if sum > 1000 then break end sum = sum + 1`,
	}
	loopsOf := []string{
		`for e, p, q in world:each("P", "Q") do BODY end`,
		`for e, p, q in world:each("P", "Q") do BODY if p.x % 9 == 0 then list[#list + 1] = { n = p.x } end end`,
		`for e, p, q in world:each("P", "Q") do BODY if p.x % 9 == 0 and #views < 9 then views[#views + 1] = p end end`,
		`for hit in world:drain("Hit") do local p = { x = hit.n, s = hit.kind, t = hit.data } BODY if hit.n == 2 then list[#list + 1] = hit.data end end`,
		`for e, p, q in world:each("P", "Q") do BODY by[p.s] = by[p.s] or {} table.insert(by[p.s], p.x) end`,
	}
	n := 0
	for _, list := range lists {
		for _, iterator := range iterators {
			for _, use := range uses {
				for _, loop := range loopsOf {
					if n++; !effort.Full() && (n%7 != 0 || n%5 != 0 && !effort.More()) {
						continue
					}
					body := strings.Replace(loop, "BODY", strings.Replace(fmt.Sprintf(iterator, list), "USE", use, 1), 1)
					sameCompiled(t, strings.Replace(endsSource, "LOOP", body, 1), body, func(Impl, loops.Tally) bool { return true })
				}
			}
		}
	}
}
