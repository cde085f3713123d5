package luabind

import (
	"strings"
	"testing"
)

// presenceBodies ask whether entities have a component and use nothing else of it: q is a component of numbers, s has a string, n no
// fields.
var presenceBodies = []string{
	`for e, p in world:each("P") do for o, r, q in world:each(numbers) do if q then sum = sum + 1 end end p.x = sum end`,
	`for e, p in world:each("P") do for o, r, s in world:each(texts) do if s then p.x = p.x + 1 else p.k = 3 end end end`,
	`for e, p in world:each("P") do for o, r, n in world:each(none) do if n then p.x = p.x + o elseif p.k > 2 then break end end end`,
	`for e, p in world:each("P") do for o, r, q, s, n in world:each(all) do if q and not s or n then p.x = p.x + r.z end end end`,
	`for e, p in world:each("P") do for o, r, q in world:each(numbers) do local has = q ~= nil sum = sum + (has and 1 or 2) end end`,
	`for e, p, q, s, n in world:each(own) do if q then sum = sum + 1 end if s then p.x = p.x + 1 end if n then p.k = 3 end end`,
	`for e, p in world:each("P") do local q, s, n = world:get(e, "Q"), world:get(e, "S"), world:get(e, "N") if q and not n then sum = sum + 1 end if s then p.x = sum end end`,
	`for e, p in world:each("P") do if world:has(e, "N") then sum = sum + 1 end for o, r, n in world:each(none) do if n and world:has(o, "S") then p.x = p.x + 1 end end end`,
}

const presenceSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32" }) ecs.component("Q", { y = "f64" }) ecs.component("R", { z = "f64" }) ecs.component("S", { name = "string" }) ecs.component("N", {})
local numbers, texts, none = ecs.query{ "R", optional = { "Q" } }, ecs.query{ "R", optional = { "S" } }, ecs.query{ "R", optional = { "N" } }
local all, own = ecs.query{ "R", optional = { "Q", "S", "N" } }, ecs.query{ "P", optional = { "Q", "S", "N" } }
return { init = function(world)
  for i = 1, 90 do
    local e = world:spawn{ P = { x = i, k = i % 4 } }
    if i % 2 == 0 then world:set(e, "R", { z = i }) end
    if i % 3 == 0 then world:set(e, "Q", { y = i }) end
    if i % 5 < 2 then world:set(e, "S", { name = "s" .. i }) end
    if i % 7 < 3 then world:add(e, "N") end
  end
end, update = function(world, dt)
  local sum = 0
  BODY
  print(sum)
end }`

// A component of which a loop asks only whether it is there is there in machine code, too: in the rows of a loop, in those of a loop
// in it, and in those of other entities.
func TestPresence(t *testing.T) {
	t.Parallel()
	for _, body := range presenceBodies {
		source := strings.Replace(presenceSource, "BODY", body, 1)
		sameCompiled(t, source, body, byMachine)
	}
}
