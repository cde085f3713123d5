package luabind

import "testing"

// nearTexts are loops over near entities whose component has a string, with what code makes of them: rows that store another field than the coordinates
// leave the snapshot of the grid as it is.
var nearTexts = []struct {
	body    string
	machine bool
}{
	{`for o, d in world:near("people", p.x, p.y, 3) do local q = world:get(o, "Person") if q.state == "S" and p.state == "I" and ecs.random() < 0.4 then q.state = "E" q.timer = d world:send("Caught", { who = o, kind = p.state }) end end`, true},
	{`p.state = p.timer > 2 and "R" or p.state for o in world:near("people", p.x, p.y, 2) do if o ~= e then p.timer = p.timer + 0.5 sum = sum + p.timer end end`, true},
	{`local n = 0 for o, d in world:near("people", p.x, p.y, 2.5) do if world:get(o, "Person").state == p.state then n = n + d end end p.timer = n`, true},
	{`for o in world:near("people", p.x, p.y, 3) do local q = world:get(o, "Person") if q.state == "S" then q.x = q.x + 0.75 sum = sum + q.x end end`, false},
	{`p.x = p.x + 0.5 p.state = "M" for o in world:near("people", p.x, p.y, 2) do sum = sum + 1 end`, false},
	{`p.timer = p.timer + 1 for o in world:near("carried", p.x, p.y, 2) do local q = world:get(o, "Person") if q.timer > 3 then sum = sum + q.timer end end`, false},
}

// Loops over near entities with strings are machine code if no row stores what the grid holds, and do the same as interpreted.
func TestNearTexts(t *testing.T) {
	t.Parallel()
	for _, c := range nearTexts {
		source := `local ecs = require("ecs")
ecs.component("Person", { x = "f64", y = "f64", state = "string", timer = "f64" })
ecs.event("Caught", { who = "entity", kind = "string" })
ecs.grid("people", { component = "Person", x = "x", y = "y", cell = 3 })
ecs.grid("carried", { component = "Person", x = "x", y = "y", cell = 3, carry = "Person.timer" })
local sum = 0
return { init = function(world)
  for i = 1, 120 do world:spawn{ Person = { x = i % 11, y = i % 7 * 1.5, state = i % 5 == 0 and "I" or "S", timer = i % 4 } } end
end, update = function(world)
  for e, p in world:each("Person") do ` + c.body + ` end
  print(sum)
  for ev in world:drain("Caught") do print(ev.who, ev.kind) end
end }`
		exitsAlike(t, c.body, source)
		reports, runs := explained(t, source, 4)
		if is := reports[0].Reason+reports[0].Closures == "" && runs[0].Machine > 0; is != c.machine {
			t.Errorf("%s: machine code %v; %q %q", c.body, is, reports[0].Reason, reports[0].Closures)
		}
	}
}
