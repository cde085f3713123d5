package tests

import (
	"strings"
	"testing"
)

// heirsWorld has loops over components that rows inherit, from one base or from many, through chains, beside entities with their own; bases change, die and are written.
var heirsWorld = map[string]string{
	"c.yaml": `version: 1
run: { frames: 30, seed: 3 }
limits: { on_error: skip }
components:
  - { name: At, fields: [x f64, n i32] }
  - { name: Kind, fields: [speed f64 = 1, size u8 = 3, name string] }
  - { name: Extra, fields: [v f64] }
tags: [hot]
systems:
  - { name: setup, script: setup.lua, stage: startup }
  - { name: change, script: change.lua }
  - { name: move, script: move.lua }
  - { name: texts, script: texts.lua }
  - { name: stores, script: stores.lua, every: 3 }
  - { name: few, script: few.lua }
  - { name: counts, script: counts.lua }
`,
	"setup.lua": `local ecs = require("ecs")
return function(world)
  local bases = {}
  for i = 1, 5 do
    bases[i] = world:spawn{ Kind = { speed = i, size = i, name = "k" .. i } }
    if i > 3 then world:relate(bases[i], "IsA", bases[i - 2]) world:remove(bases[i], "Kind") end
  end
  for i = 1, 700 do world:spawn{ At = { x = i }, IsA = bases[i < 300 and 1 or ecs.random(1, 5)] } end
  for i = 1, 90 do world:spawn{ At = { x = i }, Kind = { speed = 0.5 }, IsA = bases[2] } end
  for i = 1, 70 do world:spawn{ At = { x = i }, Kind = {} } end
  for i = 1, 70 do world:spawn{ At = { x = i }, IsA = world:spawn{} } end
end
`,
	"change.lua": `local ecs = require("ecs")
return function(world)
  local bases = {}
  for e in world:each(ecs.query{ "Kind", without = { "At" } }) do bases[#bases + 1] = e end
  for i = 1, 3 do
    local b = bases[ecs.random(1, #bases)]
    if world:get(b, "Kind") and ecs.random(1, 2) == 1 then world:set(b, "Kind", { speed = world.frame + i, size = world.frame % 200 }) end
  end
  local n = 0
  for e, at in world:each("At") do
    n = n + 1
    if n % 37 == world.frame % 37 then world.commands:relate(e, "IsA", bases[ecs.random(1, #bases)]) end
    if n % 111 == world.frame then world.commands:unrelate(e, "IsA") end
    if n % 97 == world.frame then world.commands:tag(e, "hot") end
  end
  if world.frame == 12 then world.commands:despawn(bases[1]) end
  if world.frame == 20 then error("no") end
end
`,
	"move.lua": `return function(world)
  for e, at, kind in world:each("At", "Kind") do
    at.x = at.x + kind.speed
    at.n = at.n + kind.size
  end
end
`,
	"texts.lua": `return function(world)
  local n = 0
  for e, at, kind in world:each("At", "Kind") do
    if kind.name == "k2" then n = n + at.x end
  end
  for e, at in world:each("At") do at.n = math.floor(n) % 1000 break end
end
`,
	"stores.lua": `return function(world)
  for e, at, kind in world:each("At", "Kind") do
    if at.n % 50 == 7 then kind.speed = kind.speed + 0.25 end
  end
end
`,
	"few.lua": `local ecs = require("ecs")
local hot = ecs.query{ "At", "Kind", tagged = { "hot" } }
local maybe = ecs.query{ "At", optional = { "Kind" } }
local fresh = ecs.query{ "At", "Kind", changed = { "At" } }
return function(world)
  local sum = 0
  for e, at, kind in world:each(hot) do at.x = at.x + kind.size sum = sum + at.x end
  for e, at, kind in world:each(maybe) do if kind then at.x = at.x - kind.speed / 2 end end
  for e, at, kind in world:each(fresh) do sum = sum + kind.speed end
  for e, at in world:each("At") do at.x = at.x + sum % 7 break end
end
`,
	"counts.lua": `return function(world)
  local a, b = world:count("Kind"), world:count("At", "Kind")
  for e, at, kind in world:each("At", "Kind") do at.n = a * 7 + b if kind.speed > 1e9 then break end if at.x > 1e7 then return end end
end
`,
}

// Loops over inherited components are the same under each implementation, with a journal and without, and after a resume.
func TestInheritedLoopsAreTheSame(t *testing.T) {
	run := program(t, heirsWorld)
	sameEverywhere(t, run, 30, []string{"change", "move", "texts", "stores", "few", "counts"})
	if got := run(0, "explain", "c.yaml"); !strings.Contains(got, "move.lua:2: compiled (machine code") {
		t.Error(got)
	}
}
