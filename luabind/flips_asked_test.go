package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// flipsSource is a file with a loop over entities of which some have tags.
const flipsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", other = "entity" })
ecs.tag("hot") ecs.tag("cold") ecs.resource("shots", { type = "i64" }) ecs.resource("left", { type = "u64", default = 1000000 })
return { init = function(world)
  local last = ecs.none
  for i = 1, 120 do
    last = world:spawn{ P = { x = i, k = i % 4, other = last } }
    if i % 3 == 0 then world:tag(last, "hot") end
    if i % 5 == 0 then world:tag(last, "cold") end
  end
  world:despawn(last)
end, update = function(world, dt)
  local sum = 0
  LOOP
  for e, p in world:each("P") do if p.k == world.frame % 4 then world:tag(e, "hot") end end
  local hot, cold = 0, 0
  for e, p in world:each("P") do if world:tagged(e, "hot") then hot = hot + p.x end if world:tagged(e, "cold") then cold = cold + p.x end end
  print(sum, hot, cold, world.resources.shots, world.resources.left)
end }`

// flipBodies use what world:tag and world:untag return, or assign resources that are integers. "exit" and "closures" in front of one say that
// some rows are left to the interpreter, and that code cannot do the loop.
var flipBodies = []string{
	`if world:untag(e, "hot") then sum = sum + p.x else p.x = p.x + 1 end`,
	`local was = world:untag(e, "hot", "cold") if was then sum = sum + 1 end`,
	`if world:untag(p.other, "cold") then sum = sum + 1 end`,
	`if world:tag(p.other, "hot") then sum = sum + 1 end`,
	`if not world:tag(e, "hot", "cold") then sum = sum + 1000 end`,
	`sum = sum + (world:untag(e, "hot") and 1 or 2) + (world:tag(e, "cold") and 10 or 20)`,
	`local a = p.k == 2 and world:untag(e, "hot") if a then sum = sum + 1 elseif a == nil then sum = sum + 100 end`,
	`world:tag(e, "hot", "cold") world:untag(e, "hot", "cold")`,
	`closures if world:untag(e, "hot") then world:tag(e, "hot") end if world:untag(e, "hot") then sum = sum + 1 end`,
	`exit if world:untag(e, "hot") and p.x == 30 then error("thirty") end`,
	`world.resources.shots = world.resources.shots + p.k`,
	`world.resources.shots = -world.resources.shots * 0`,
	`if p.k == 1 then world.resources.left = world.resources.left - 3 end`,
	`exit world.resources.shots = world.resources.shots + (p.x == 50 and 0.5 or 1)`,
	`exit world.resources.left = world.resources.left - (p.x == 50 and 1e7 or 1)`,
	`exit world.resources.shots = p.x == 50 and 2^63 or 5`,
}

func TestFlipsAsked(t *testing.T) {
	t.Parallel()
	for _, body := range flipBodies {
		text, exits := strings.CutPrefix(body, "exit ")
		text, closures := strings.CutPrefix(text, "closures ")
		source := strings.Replace(flipsSource, "LOOP", `for e, p in world:each("P") do `+text+` end`, 1)
		sameCompiled(t, source, body, func(impl Impl, did loops.Tally) bool {
			return (did.Left > 0) == exits && (impl != Auto || (did.Closures == 0) == !closures && did.Machine > 0)
		})
	}
}
