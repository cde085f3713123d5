package luabind

import (
	"strings"
	"testing"
)

// decidedScript has a loop over q that changes in its first turns what the conditions of q look at, in rows further on. SETUP gives the
// 400 entities tags, LOOP is the loop. It prints how many turns there were in each frame.
const decidedScript = `
local ecs = require("ecs")
ecs.component("Place", { x = "f64", y = "f64" })
ecs.component("Speed", { x = "f64" })
ecs.tag("seen")
ecs.relation("OwnedBy")
local q = ecs.query{ TERMS }
local owner
local M = {}
function M.init(world)
  owner = world:spawn{}
  for i = 1, 400 do
    local e = world:spawn{ Place = { x = i } }
    if i % 2 == 0 then world:set(e, "Speed", { x = 1 }) end
    world:relate(e, "OwnedBy", owner)
    TAG
  end
end
function M.update(world, dt)
  if world.frame > 1 then return end
  local n, other, ahead = 0, 0, 4294967297
LOOP
  print(n .. " turns")
end
return M
`

// A loop visits the entities that met its conditions when it began, whatever its turns write and tag; interpreted, as closures and as
// machine code.
func TestALoopVisitsWhatMetItsConditionsWhenItBegan(t *testing.T) {
	for name, c := range map[string]struct {
		terms, tag, loop string
		kernels, machine int
	}{
		"changed, another's write": {`"Place", changed = { "Place" }`, "", `
  for e, p in world:each(q) do
    n = n + 1
    local far = world:get(ahead + (n * 131) % 400, "Place")
    if far then far.y = far.y + 1 end
  end`, 1, 1},
		"changed, a loop within": {`"Place", changed = { "Place" }`, "", `
  for e, p in world:each(q) do
    n = n + 1
    if n == 1 then
      for f, far in world:each("Place") do far.y = far.y + 1 end
    end
  end`, 1, 1},
		"changed, written by hand": {`"Place", changed = { "Place" }`, "", `
  for e, p in world:each(q) do
    n = n + 1
    if n == 1 then
      local step = world:each("Place")
      for i = 1, 400 do local f, far = step() far.y = far.y + 1 end
    end
  end`, 1, 1},
		"added": {`"Place", added = { "Place" }, changed = { "Place" }`, "", `
  for e, p in world:each(q) do
    n = n + 1
    local far = world:get(ahead + (n * 131) % 400, "Place")
    if far then far.y = far.y + 1 end
  end`, 1, 1},
		"tagged": {`"Place", tagged = { "seen" }`, `world:tag(e, "seen")`, `
  for e, p in world:each(q) do
    n = n + 1
    world:untag(ahead + (n * 131) % 400, "seen")
  end`, 1, 1},
		"untagged": {`"Place", untagged = { "seen" }`, "", `
  for e, p in world:each(q) do
    n = n + 1
    world:tag(ahead + (n * 131) % 400, "seen")
  end`, 1, 1},
		"tagged, narrowed": {`"Place", tagged = { "seen" }`, `world:tag(e, "seen")`, `
  for e, p in world:each(q, "OwnedBy", owner) do
    n = n + 1
    world:untag(ahead + (n * 131) % 400, "seen")
  end`, 1, 0},
		"changed, narrowed": {`"Place", changed = { "Place" }`, "", `
  for e, p in world:each(q, "OwnedBy", owner) do
    n = n + 1
    local far = world:get(ahead + (n * 131) % 400, "Place")
    if far then far.y = far.y + 1 end
  end`, 1, 0},
		"tagged, left and begun again": {`"Place", tagged = { "seen" }`, `world:tag(e, "seen")`, `
  for e, p in world:each(q) do break end
  for e, p in world:each(q) do
    n = n + 1
    world:untag(ahead + (n * 131) % 400, "seen")
  end`, 2, 2},
		"tagged, each with its own walk": {`"Place", tagged = { "seen" }`, `world:tag(e, "seen")`, `
  for e, p in world:each(q) do
    n = n + 1
    if n == 3 then
      for f in world:each(q) do world:untag(f, "seen") other = other + 1 end
      for f in world:each(q) do other = other + 1 end
    end
  end
  print(other .. " within")
  if other ~= 400 then n = -1 end`, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			script := strings.NewReplacer("TERMS", c.terms, "TAG", c.tag, "LOOP", c.loop).Replace(decidedScript)
			kernels, machine := sameUnderAll(t, script, "400 turns")
			if kernels != c.kernels || machine != c.machine {
				t.Errorf("%d kernels, %d of them machine code", kernels, machine)
			}
		})
	}
}

// What a turn writes and tags is seen at once by what it asks: count, first, tagged, and a loop that begins then.
func TestATurnSeesWhatItWrote(t *testing.T) {
	sameUnderAll(t, strings.NewReplacer("TERMS", `"Place", tagged = { "seen" }`, "TAG", `world:tag(e, "seen")`, "LOOP", `
  local first, left = world:first(q), 0
  for e, p in world:each(q) do
    if n == 0 then
      for f in world:each("Place") do if f ~= first then world:untag(f, "seen") end end
      left = world:count(q)
    end
    n = n + 1
    if not world:tagged(e, "seen") then other = other + 1 end
  end
  print(left, other, world:first(q) == first, world:first(q, "OwnedBy", owner) == first, world:count(q, "OwnedBy", owner))
`).Replace(decidedScript), "1\t399\ttrue\ttrue\t1\n400 turns")
}
