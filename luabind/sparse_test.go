package luabind

import (
	"strings"
	"testing"
)

// sparseScript has loops whose queries look at rows: LOOP is the body of one over q,
// whose terms are TERMS.
const sparseScript = `
local ecs = require("ecs")
ecs.component("Place", { x = "f64", n = "u8" })
ecs.component("Speed", { x = "f64" })
ecs.component("Rare", { x = "f64" })
ecs.tag("seen")
ecs.tag("far")
ecs.event("Passed", { who = "entity", x = "f64" })
local q = ecs.query{ TERMS }
local M = {}
function M.init(world)
  for i = 1, 400 do
    local e = world:spawn{ Place = { x = i, n = i % 250 }, Speed = { x = i / 4 } }
    if i % 3 == 0 then world:tag(e, "seen") end
    if i > 100 and i < 240 then world:tag(e, "far") end
    if i % 7 == 0 then world:set(e, "Rare", { x = i }) end
  end
end
function M.update(world, dt)
  local sum, found = 0, ecs.none
  for e, p, v in world:each(q) do
LOOP
  end
  for e, p in world:each("Place") do
    if p.x % 5 == 0 then p.x = p.x + 1 end
  end
  local passed = 0
  for ev in world:read("Passed") do passed = passed + ev.x end
  print(sum, found, passed, world:count(q))
end
return M
`

// Loops over queries that look at rows are kernels, and do what the interpreter
// does.
func TestSparseLoops(t *testing.T) {
	terms := map[string]string{
		"tagged":   `"Place", "Speed", tagged = { "seen" }`,
		"dense":    `"Place", "Speed", tagged = { "far" }`,
		"untagged": `"Place", "Speed", untagged = { "seen", "far" }`,
		"changed":  `"Place", "Speed", changed = { "Place" }`,
		"optional": `"Place", optional = { "Rare" }, tagged = { "seen" }`,
		"none":     `"Place", "Speed", tagged = { "seen" }, added = { "Rare" }`,
	}
	loops := map[string]struct{ body, prints string }{
		"sum":       {"p.x = p.x + dt; sum = sum + p.x", ""},
		"sometimes": {"if p.n > 100 and p.n < 103 then p.x = p.x + 1 end sum = sum + 1", ""},
		"break":     {"p.x = p.x + 1; if p.n > 180 then found = e break end", ""},
		"effects":   {`if p.n % 50 == 1 then world:send("Passed", { who = e, x = p.x }) world.commands:untag(e, "seen") end p.n = 0`, ""},
		"asks":      {`if world:tagged(found, "far") then sum = sum + p.n end if p.n % 4 == 1 then world:tag(e, "far") else world:untag(e, "far") end found = e`, ""},
		"flips":     {`if p.n % 4 == 1 then world:untag(e, "seen") world:tag(e, "far") end p.x = p.x - 1`, ""},
		"too large": {"p.x = p.x + 1; p.n = p.n + 40; sum = sum + 1", "does not fit"},
		"reads":     {`local other = world:get(e, "Place") other.x = other.x + 1 sum = sum + other.x`, ""},
		"skips":     {"if p.n % 2 == 0 then goto continue end p.x = -p.x ::continue::", ""},
	}
	for name, terms := range terms {
		for what, c := range loops {
			t.Run(name+"/"+what, func(t *testing.T) {
				kernels, machine := sameUnderAll(t, strings.NewReplacer("TERMS", terms, "LOOP", c.body).Replace(sparseScript), c.prints)
				if kernels == 0 || machine != kernels {
					t.Errorf("%d of %d kernels are machine code", machine, kernels)
				}
			})
		}
	}
}
