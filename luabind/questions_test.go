package luabind

import (
	"strings"
	"testing"
)

// questionsScript asks about the entities of queries. BODY is the system.
const questionsScript = `
local ecs = require("ecs")
ecs.component("Place", { x = "f64", n = "u8" })
ecs.component("Speed", { x = "f64" })
ecs.component("Lead", { n = "f64" })
ecs.tag("seen")
local seen, Q = ecs.query{ "Place", tagged = { "seen" } }, { lone = ecs.query{ "Place", optional = { "Speed" }, without = { "Lead" } } }
local none = ecs.query{ "Place", "Lead", "Speed" }
local squads = {}
local M = {}
function M.init(world)
  for i = 1, 3 do squads[i] = world:spawn{ Lead = { n = i } } end
  for i = 1, 30 do
    local e = world:spawn{ Place = { x = i, n = i % 5 * 10 }, ChildOf = squads[i % 3 + 1] }
    if i % 2 == 0 then world:set(e, "Speed", { x = i / 4 }) end
    if i % 4 == 0 then world:tag(e, "seen") end
  end
end
local function player(world) local e, p = world:first(seen) return p end
local function leader(world) return world:first("Lead") end
function M.update(world, dt)
  local sum, found, count = 0, ecs.none, world:count("Place")
BODY
  print(sum, found, count)
end
return M
`

// world:count, world:first, and inner loops over queries of any origin are compiled, and do what the interpreter does.
func TestQuestionsInLoops(t *testing.T) {
	for name, c := range map[string]struct {
		body, prints string
		machine      int
	}{
		"count":            {`for e, p in world:each("Place") do p.x = p.x + world:count("Speed") sum = sum + world:count(none) + world:count() end`, "", 1},
		"count of tagged":  {`for e, p in world:each("Lead") do sum = sum * 2 + world:count(seen) + world:count(seen, "ChildOf", e) + world:count("Place", "ChildOf", e) end`, "", 0},
		"count of a table": {`for e, p in world:each("Place") do if world:count(Q.lone) > 3 then p.x = p.x + 1 end sum = sum + p.x end`, "", 1},
		"count made there": {`for e, p in world:each("Place") do sum = sum + world:count(ecs.query{ "Place", without = { "Speed" } }) + world:count(ecs.query{ "Speed", any = { "Place", "Lead" } }) end`, "", 1},
		"first":            {`for e, p in world:each("Place") do local f, q, s = world:first("Place", "Speed") if f then p.x = p.x + (q.x - s.x) * 0.1 sum = sum + p.x found = f end end`, "", 1},
		"first of none":    {`for e, p in world:each("Place") do local f, q = world:first(none) if f == nil and not q then sum = sum + 1 else found = f end end`, "", 1},
		"first optional":   {`for e, p in world:each("Place") do local f, q, s = world:first(Q.lone) if s then sum = sum + s.x else sum = sum + q.x end end`, "", 1},
		"first narrowed":   {`for e, p in world:each("Lead") do local f, q = world:first("Place", "ChildOf", e) q.x = q.x * 2 sum = sum + q.x if f then found = f end end`, "", 0},
		"first written":    {`for e, p in world:each("Place") do local f, q = world:first("Place") q.n = q.n + 9 end`, "does not fit", 1},
		"first nil":        {`for e, p in world:each("Place") do p.n = 7 local f, q = world:first(none) q.x = 1 end`, "nil", 1},
		"first relation":   {`for e, p in world:each("Place") do local f, of, q = world:first("ChildOf", "Place") if of == world:related(e, "ChildOf") then sum = sum + q.x found = of end end`, "", 1},
		"in a function":    {`for e, p in world:each("Place") do local at = player(world) if at and at.x > p.x then p.x = p.x + dt end local l, lead = leader(world) sum = sum + lead.n if l then found = l end end`, "", 0},
		"found":            {`local who for e, p in world:each("Place") do who = world:first(none) sum = sum + 1 end print(who)`, "nil", 1},
		"passed on":        {`local function add(a, b) return a + b.n end for e, p in world:each("Place") do sum = sum + add(world:first("Lead")) % 7 end`, "", 1},
		"flips":            {`for e, p in world:each("Place") do world:untag(e, "seen") sum = sum + world:count(seen) local f = world:first(seen) found = f or e end`, "", 0},
		"children":         {`for e, l in world:each("Lead") do for c, p, s in world:each(Q.lone, "ChildOf", e) do if s then s.x = s.x + 1 sum = sum + s.x end p.n = p.n % 200 + 1 if c > found then found = c end end end`, "", 0},
		"children, an end": {`for e, l in world:each("Lead") do for c, p in world:each("Place", "ChildOf", e) do if p.x > 20 then break end p.x = p.x + 1 sum = sum + 1 end for c, p in world:each("Place", "ChildOf", l.n) do sum = sum + 99 end end`, "", 0},
		"children, wrong":  {`for e, l in world:each("Lead") do for c, p in world:each("Place", "ChildOf", e) do p.n = p.n + 90 sum = sum + 1 end end`, "does not fit", 0},
		"grandchildren":    {`for e, l in world:each("Lead") do for c, p in world:each("Place", "ChildOf", e) do for d, q in world:each("Place", "ChildOf", c) do sum = sum + 1 end for d, q in world:each("Place", "ChildOf", world:related(c, "ChildOf")) do sum = sum + q.x if q.x > 9 then break end end end end`, "", 0},
		"made within":      {`for e, l in world:each("Lead") do for c, p in world:each(ecs.query{ "Place", optional = { "Speed" }, tagged = { "seen" } }) do sum = sum + p.x * l.n end end`, "", 0},
		"events":           {`for e, p in world:each("Lead") do world:send("Tick", { n = p.n }) end for ev in world:read("Tick") do sum = sum + world:count("Place") * ev.n if ev.n == 2 then world:despawn((world:first("Place"))) end end`, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			script := strings.Replace(questionsScript, "BODY", c.body, 1)
			if name == "events" {
				script = strings.Replace(script, `ecs.tag("seen")`, `ecs.tag("seen") ecs.event("Tick", { n = "f64" })`, 1)
			}
			kernels, machine := sameUnderAll(t, script, c.prints)
			if kernels == 0 && name != "flips" || machine != c.machine {
				t.Errorf("%d kernels, %d of them machine code", kernels, machine)
			}
		})
	}
}
