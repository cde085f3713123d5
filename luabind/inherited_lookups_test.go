package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// heirsSource is a file whose loops look at entities that share components with a base, or do not yet, or do not any more.
const heirsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", to = "entity" }) ecs.component("Q", { y = "f64" }) ecs.component("R", { z = "f64" }) ecs.component("S", { s = "f64" }) ecs.event("Hit", { e = "entity", n = "f64" })
local E, bases = {}, {}
return { init = function(world)
  for i = 1, 4 do bases[i] = world:spawn{ S = { s = i } } end
  world:relate(bases[2], "IsA", bases[1])
  for i = 1, 400 do
    local e = world:spawn{ P = { x = i } }
    E[i] = e
    if i % 2 == 0 then world:set(e, "Q", { y = i }) end
    if i % 50 == 0 then world:relate(e, "IsA", bases[i % 3 + 2]) end
  end
  for i = 1, 400 do world:get(E[i], "P").to = E[i * 7 % 400 + 1] end
end, update = function(world, dt)
  local sum, n = 0, 0
  CHANGE
  for i = 1, 40 do world:send("Hit", { e = E[i * 10], n = i }) end
  LOOP
  print(sum, n)
end }`

// What a base has, its heirs have from then on, and no longer than it has it: for code as for closures.
func TestLookupsBesideBases(t *testing.T) {
	t.Parallel()
	changes := []string{
		``,
		`if world.frame == 2 then world:set(bases[3], "Q", { y = 1000 }) end`,
		`if world.frame == 2 then world:set(bases[1], "Q", { y = 1000 }) end if world.frame == 4 then world:remove(bases[1], "Q") end`,
		`if world.frame == 2 then world:set(bases[4], "Q", { y = 5 }) world:set(bases[4], "R", { z = 7 }) elseif world.frame == 3 then world:relate(E[7], "IsA", bases[4]) world:relate(E[9], "IsA", E[7]) end`,
		`if world.frame == 3 then for i = 1, 9 do world:relate(E[i], "IsA", E[i + 1]) end end if world.frame == 4 then world:unrelate(E[5], "IsA") end`,
		`if world.frame == 2 then world:set(bases[3], "R", { z = 3 }) elseif world.frame == 4 then world:despawn(bases[3]) end`,
	}
	loopsOf := []string{
		`for e, p in world:each("P") do local q = world:get(p.to, "Q") if q then sum = sum + q.y end end`,
		`for e, p in world:each("P") do if world:has(p.to, "Q") then n = n + 1 end if world:has(e, "R") then n = n + 100 end end`,
		`for e, p, q in world:each(ecs.query{ "P", optional = { "Q" } }) do if q then sum = sum + q.y else n = n + 1 end end`,
		`for e, q in world:each("Q") do sum = sum + q.y q.y = q.y + 1 end`,
		`for e, p in world:each("P") do if p.x % 40 == 0 then for o, q, r in world:each(ecs.query{ "Q", optional = { "R" } }) do sum = sum + q.y if r then n = n + r.z end end end end`,
		`for e, p in world:each("P") do if p.x % 40 == 0 then for o, r in world:each("R") do sum = sum + r.z end end end`,
		`for hit in world:read("Hit") do local q, r = world:get(hit.e, "Q"), world:get(hit.e, "R") if q then sum = sum + q.y end if r then n = n + r.z end if hit.n % 8 == 0 then world:set(bases[3], "R", { z = hit.n }) end end`,
		`for e, p in world:each("P") do if p.x % 40 == 0 then for o, q in world:each(ecs.query{ "Q", without = { "R" } }) do sum = sum + q.y end for o, q in world:each(ecs.query{ "P", with = { "Q" } }) do n = n + 1 end for o, q in world:each(ecs.query{ any = { "Q", "R" } }) do n = n + 7 end end end`,
		`for hit in world:read("Hit") do if world:has(hit.e, "R") then n = n + 1 end if hit.n == 20 then world:add(bases[4], "R") end end`,
		`for e, p in world:each("P") do p.x = p.x + 1 if world:alive(p.to) then n = n + 1 end end`,
	}
	for i, change := range changes {
		for _, loop := range loopsOf {
			body := change + " " + loop
			sameCompiled(t, strings.NewReplacer("CHANGE", change, "LOOP", loop).Replace(heirsSource), body, func(impl Impl, did loops.Tally) bool {
				return impl != Auto || i > 0 || strings.Contains(loop, "Hit") || did.Machine > 300
			})
		}
	}
}
