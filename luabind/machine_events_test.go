package luabind

import (
	"context"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Loops over events do as machine code what they do interpreted: more events than are copied at once, events that are not finished, and
// what is sent meanwhile included.
func TestMachineCodeOverEvents(t *testing.T) {
	for _, method := range []string{"read", "peek", "drain"} {
		bodies := map[string]string{
			"others": `local health = world:get(ev.who, "Position")
				if health and health.x > -40 then
					local v = world:get(ev.who, "Velocity")
					if v then
						v.dx = (v.dx - ev.n) % 7
						if v.dx < 1 then world.commands:remove(ev.who, "Velocity") end
					else world:tag(ev.who, "red") end
					health.x = health.x - ev.n / 100
				end`,
			"only counts":     `world.resources.score = (world.resources.score + 1) % 100000`,
			"a string beside": `if ev.n % 3 == 1 then world.commands:send("Told", { n = ev.n + ecs.random() }) end`,
			"does not fit":    `local p = world:get(ev.who, "Position") if p then p.y = p.y + 1 end world.resources.score = ev.n * 1.5`,
			"sends what it walks": `if ev.n % 5 == 0 and ev.n < 900 then world:send("Blow", { who = ev.who, n = ev.n + 901, small = 3 }) end
				world.resources.score = (world.resources.score + ev.n) % 1000`,
			"a view that is nil": `world:get(ev.who, "Velocity").dy = ev.n`,
			"break":              `if ev.n == 777 then break end local p = world:get(ev.who, "Position") if p then p.x = p.x + ev.n end`,
			"return":             `if ev.n == 433 then return ev.n end local p = world:get(ev.who, "Position") if p then p.x = p.x + ev.small end`,
		}
		for name, body := range bodies {
			bodies[name] = `ecs.event("Blow", { who = "entity", n = "f64", small = "i8" }) ecs.event("Told", { n = "f64", s = "string", who = "entity" })
			for i = 1, world.frame % 2 == 1 and 1500 or 3 do world:send("Blow", { who = 4294967296 + i * 7 % 310, n = i, small = i % 100 }) end
			for i = 1, 40 do world:send("Told", { n = i, s = "x" .. i, who = 0 }) end
			for ev in world:` + method + `("` + map[bool]string{true: "Told", false: "Blow"}[name == "a string beside"] + `") do ` + body + ` end`
		}
		t.Run(method, func(t *testing.T) { sameAsMachineCode(t, bodies) })
	}
}

// A loop over events as machine code allocates nothing once it has run.
func TestMachineCodeOverEventsAllocatesNothing(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	p, _ := w.LookupComponent("Position")
	for range 100 {
		if _, err := w.Spawn(p); err != nil {
			t.Fatal(err)
		}
	}
	source := `local ecs = require("ecs") ecs.event("Blow", { who = "entity", n = "f64" })
return function(world)
  for e, pos in world:each("Position") do
    if pos.x >= 0 then world:send("Blow", { who = e, n = ecs.random(6) }) end
  end
  for ev in world:read("Blow") do
    local p = world:get(ev.who, "Position")
    if p then p.x = p.x + ev.n end
  end
end`
	r, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": source})}, 50, System{Name: "a", Script: "a.lua"})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.runner("a.lua").MachineKernels(); n != 2 {
		t.Fatalf("%d loops are machine code", n)
	}
	if got := testing.AllocsPerRun(50, func() {
		if err := r.Frame(context.Background(), 0.25); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations a frame", got)
	}
}
