package luabind

import (
	"testing"
)

// structureBodies are loops over events that spawn and despawn at once. Each Hit has an entity, or none.
var structureBodies = []string{
	`for ev in world:read("Hit") do if ev.k == 1 then world:despawn(ev.e) sum = sum + 1 end end print(world:count("P"))`,
	`for ev in world:read("Hit") do if ev.k == 1 then world:spawn{ P = { x = ev.n, k = 2, u = 7 }, Q = { y = -ev.n }, "red" } end end print(world:count("P"), world:count(reds))`,
	`for ev in world:peek("Hit") do local p = world:get(ev.e, "P") if p and p.k == 1 then p.x = p.x + 1 world:send("Out", { n = p.x }) world:despawn(ev.e) up = up + 1 elseif p and p.x < 100 then world:spawn{ P = { x = p.x + 1, k = 1 } } end end`,
	`for ev in world:read("Hit") do world:spawn{ P = { x = ev.n, u = ev.n } } end print(world:count("P"))`,
	`for ev in world:read("Hit") do world:spawn{ "P", "R", "red" } world:despawn(ev.e) if nums[ev.k] then sum = sum + nums[ev.k] else up = up + 1 end end print(world:count("P"))`,
	`for ev in world:read("Hit") do world:despawn(ev.e) if world:alive(ev.e) then sum = sum + 1 end end`,
	`for ev in world:read("Hit") do for i = 1, 3 do if world:has(ev.e, "P") then sum = sum + 1 end if i == ev.k then world:despawn(ev.e) end end end`,
	`for ev in world:read("Hit") do for i = 1, 2 do world:spawn{ P = { x = i } } world:send("Out", { n = i }) end end print(world:count("P"))`,
	`for ev in world:read("Hit") do world:spawn{ P = {} } world.commands:spawn{ P = {} } end print(world:count("P"))`,
	`for ev in world:read("Hit") do if ev.n == 40 then for e, p in world:each("P") do world:despawn(e) end end end`,
	`for e, p in world:each("P") do for ev in world:peek("Hit") do if ev.n == 3 and p.x == 70 then world:spawn{ "P" } end end end`,
	`for ev in world:drain("Hit") do local e = ev.e if ev.n % 2 == 0 then world:despawn(e) else local o = world:spawn{ "P" } sum = sum + (o == e and 1 or 0) end end print(world:count("P"))`,
	`for ev in world:read("Hit") do if ev.n == 60 then world:despawn(nil) end if ev.k == 2 then world:despawn(ev.e) end end`,
	`local l = {} for ev in world:read("Hit") do local p = world:get(ev.e, "P") l[#l + 1] = p world:despawn(ev.e) end print(#l, pcall(function() return l[1].x end))`,
}

// Loops over events may spawn and despawn at once. Nobody can tell whether kernels run them, whichever rows are left to the
// interpreter.
func TestStructureAlike(t *testing.T) {
	t.Parallel()
	const events = `for e, p in world:each("P") do world:send("Hit", { n = p.x, k = p.k, e = p.x % 5 ~= 0 and e or 0 }) end `
	ran := 0
	for i, body := range structureBodies {
		did := patternsAlike(t, i, events+body, exitSource)
		ran += did.Closures
	}
	if ran < 500*len(structureBodies)*patternsTried() {
		t.Errorf("the test tests little: closures ran %d rows", ran)
	}
}

// A loop that spawns is interpreted while an observer watches what it spawns.
func TestStructureIsObserved(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{`"spawned"`, `"despawned"`, `"added", "P"`, `"removed", "Q"`, `"tagged", "red"`, `"untagged", "red"`} {
		source := `local ecs = require("ecs")
ecs.component("P", { x = "f64" }) ecs.component("Q", { y = "f64" }) ecs.tag("red") ecs.event("Hit", { n = "f64", e = "entity" })
local sum = 0
return { init = function(world)
  for i = 1, 20 do world:spawn{ P = { x = i }, Q = {}, "red" } end
  world:on(` + kind + `, function(world, e) sum = sum * 3 % 1000 + 1 world:send("Hit", { n = -1, e = 0 }) end)
end, update = function(world)
  for e, p in world:each("P") do world:send("Hit", { n = p.x, e = e }) end
  for ev in world:read("Hit") do if ev.n > 15 then world:despawn(ev.e) elseif ev.n > 10 then world:spawn{ P = { x = ev.n }, Q = {}, "red" } end end
  print(sum, world:count("P"))
end }`
		want, _ := exitTrace(t, source, Lua, Limits{})
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := exitTrace(t, source, impl, Limits{}); got != want {
				t.Errorf("%s, %v: got\n%.2000s\ninterpreted\n%.2000s", kind, impl, got, want)
			}
		}
	}
}
