package luabind

import (
	"strings"
	"testing"
)

// nearValuesSource is a file with a loop over near entities.
const nearValuesSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", k = "i32" })
ecs.component("Q", { x = "f64", n = "f64" })
ecs.grid("g", { component = "P", x = "x", y = "y", cell = 4 })
return { init = function(world)
  for i = 1, 120 do local e = world:spawn{ P = { x = i * 5 % 23 / 2, y = i % 13, k = i % 7 } } if i % 2 == 0 then world:set(e, "Q", { x = i * 7 % 50, n = i }) end end
end, update = function(world, dt)
  local sum, found, seen = 0, 0, false
  for e, p in world:each("P") do BODY end
  print(sum, found, seen)
end }`

// nearValues use, behind a loop over near entities or in its later turns, what a turn has set, also one that does nothing else.
var nearValues = []string{
	`local far = 0 for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < 4 then sum = sum + 1 end far = d2 end sum = sum + far`,
	`local far = 0 for o, d2 in world:near("g", p.x, p.y, 6) do far = d2 if d2 < 4 then sum = sum + 1 end end if far > 9 then sum = sum + 1 end`,
	`local near = false for o, d2 in world:near("g", p.x, p.y, 6) do near = d2 < 2 if d2 < 4 then sum = sum + 1 end end if near then sum = sum + 1 end`,
	`local q for o, d2 in world:near("g", p.x, p.y, 6) do q = world:get(o, "Q") if q and q.x < 9 then sum = sum + 1 end end if q then sum = sum + q.n end`,
	`local q = world:get(e, "Q") for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < 4 then if q then sum = sum + q.n end end q = world:get(o, "Q") end`,
	`local q = world:get(e, "Q") for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < 9 and q and q.x > 20 then sum = sum + d2 end q = world:get(o, "Q") end if q then q.x = q.x + 1 end`,
	`local q for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < 9 then q = world:get(o, "Q") end if q and d2 > 16 then sum = sum + q.n end end`,
	`local last for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < 4 then sum = sum + 1 end last = o end if last and last % 2 == 0 then sum = sum + 1 end`,
	`local before = 0 for o, d2 in world:near("g", p.x, p.y, 6) do if before > d2 then sum = sum + 1 end before = d2 end`,
	`for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < 4 then sum = sum + 1 end found = o end`,
	`for o, d2 in world:near("g", p.x, p.y, 6) do seen = d2 > 30 if d2 < 4 then sum = sum + 1 end end`,
	`local best = 3 for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < best then best = best + 6 sum = sum + d2 end end sum = sum + best`,
	`local best = 3 for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < best then best = d2 + 6 sum = sum + d2 end end sum = sum + best`,
	`local best = 9 for o, d2 in world:near("g", p.x, p.y, 6) do if d2 > best then best = best - 6 sum = sum + d2 end end sum = sum + best`,
	`local best = 9 for o, d2 in world:near("g", p.x, p.y, 6) do if d2 > best then best = d2 / 3 sum = sum + d2 end end sum = sum + best`,
	`local best = 0 for o, d2 in world:near("g", p.x, p.y, 6) do if d2 < best then sum = sum + d2 end best = 30 - d2 end`,
	`local best, n = 3, 0 for o, d2 in world:near("g", p.x, p.y, 6) do local q = world:get(o, "Q") if q and q.x > 20 and d2 < best then best = q.x n = n + 1 end end sum = sum + best * n`,
}

// Which near entities a loop leaves out changes no such value.
func TestValuesOfNearLoops(t *testing.T) {
	t.Parallel()
	for _, body := range nearValues {
		sameCompiled(t, strings.Replace(nearValuesSource, "BODY", body, 1), body, byMachine)
	}
}
