package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// amongSource is a file whose loop assigns views together with other values.
const amongSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string", to = "entity" }) ecs.component("Q", { y = "f64" }) ecs.relation("Of")
local list = {}
local function richest(world, e)
  local best, view, most = nil, nil, -1
  for c in world:sources("Of", e) do
    local p = world:get(c, "P")
    if p and p.x > most then best, view, most = c, p, p.x end
  end
  return best, view, most
end
return { init = function(world)
  local l
  for i = 1, 120 do
    local e = world:spawn{ P = { x = i * 7 % 31, s = "s" .. i % 4 }, Q = { y = i } }
    if i % 5 == 0 then world:remove(e, "P") end
    if l and i % 3 ~= 0 then world:relate(e, "Of", l) end
    if i % 6 == 0 then l = e end
  end
end, update = function(world, dt)
  local sum, kept, least, last, count = 0, nil, nil, nil, 0
  list = {}
  for e, q in world:each("Q") do
    BODY
  end
  for e, p in world:each("P") do sum = sum + p.x * #p.s end
  for i = 1, #list do local v = list[i] sum = sum + (type(v) == "userdata" and v.x or v) end
  print(sum, count, kept and kept.x, least, last)
end }`

// A view that is assigned together with other values is the one that the right side had before any of them was assigned.
func TestViewsAssignedAmongOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body    string
		machine bool
	}{
		{`local best, view, most = nil, nil, -1 for c in world:sources("Of", e) do local p = world:get(c, "P") if p and p.x > most then best, view, most = c, p, p.x end end if best then view.x, count = view.x * 0.5, count + 1 sum = sum + most end`, true},
		{`local view, most for o, p in world:each("P") do if o ~= e and (not most or p.x < most) then view, most = p, p.x end end if view then view.x = view.x + 1 end`, true},
		{`local best, view, most = richest(world, e) if view then view.x = view.x + most sum = sum + 1 end`, true},
		{`local a, b = world:get(e, "P"), nil for c in world:sources("Of", e) do a, b = world:get(c, "P"), c end if a then a.x = a.x + 1 end if b then sum = sum + b % 7 end`, true},
		{`local a, b = world:get(e, "P"), world:get(e + 1, "P") if a and b then a, b = b, a a.x = 1 b.x = 2 end`, false},
		{`local a, b = world:get(e, "P"), nil for c in world:sources("Of", e) do b, a = a, world:get(c, "P") end if b then b.x = b.x + 1 end`, false},
		{`local a, n = world:get(e, "P"), 0 for c in world:sources("Of", e) do if a then a.x, a = n, world:get(c, "P") n = n + 1 end end`, false},
		{`local a, n = world:get(e, "P"), 0 for c in world:sources("Of", e) do if a then a, n = world:get(c, "P"), a.x end end sum = sum + n if a then a.x = n end`, true},
		{`local a = world:get(e, "P") local n = 0 for c in world:sources("Of", e) do a, n = nil, n + 1 end if a then a.x = n + 50 end`, true},
		{`local p = world:get(e, "P") if p and (not kept or p.x < least) then kept, least = p, p.x end count = count + 1`, false},
		{`local p = world:get(e, "P") kept, least = p, e % 5 if kept then kept.x = kept.x + 1 end`, false},
		{`local p, o = world:get(e, "P"), nil if p then o, list[#list + 1] = p, p.x o.x = o.x + 1 end`, false},
		{`local p, o = world:get(e, "P"), nil if p then o, list[#list + 1] = p, p o.x = o.x + 1 end`, false},
		{`local p, o = world:get(e, "P"), nil if p then list[#list + 1], o = o and 1 or 2, p o.x = o.x + 1 end`, false},
		{`local a for i = 0, 3 do a, count = world:get(e + i, "P"), count + i if a then a.x = a.x + i end end`, true},
		{`local a, b for i = 0, 3 do a, b = world:get(e + i, "P"), world:get(e - i, "P") if a and b then a.x, b.x = b.x, a.x end end`, true},
		{`local a, b for i = 0, 3 do a, b = world:get(e + i, "P"), a end if b then b.x = 4 end`, false},
		{`local a, n for i = 0, 3 do a, n = i == 2 and world:get(e, "P") or nil, i if a then a.x = n end end`, false},
		{`local a, n = world:get(e, "P"), 1 if a then a, n = a, 2 a.x = n end`, false},
		{`local a, n = q, 1 for c in world:sources("Of", e) do local r = world:get(c, "Q") if r and r.y % 2 == 0 then a, n = r, n + 1 end end a.y = a.y + n`, true},
		{`local a, to = world:get(e, "P"), nil for c in world:sources("Of", e) do a, to = world:get(c, "P"), c end if a and to then a.to = to a.s, sum = "z", sum + 1 end`, true},
	} {
		sameCompiled(t, strings.Replace(amongSource, "BODY", c.body, 1), c.body, func(impl Impl, did loops.Tally) bool {
			return !c.machine || did.Left == 0 && (impl != Auto || did.Machine >= 300)
		})
	}
}
