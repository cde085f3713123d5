package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
)

// calls are correct calls of all that scripts can call, with as many arguments as
// it takes; "" is what takes any number of names, and looks at each.
var calls = map[string]string{
	"ecs.component": `ecs.component("New", { x = "f64" }`, "ecs.describe": `ecs.describe(world, e`, "ecs.event": `ecs.event("News", { x = "f64" }`,
	"ecs.fields": `ecs.fields(world:get(e, "Position")`, "ecs.grid": `ecs.grid("g", { component = "Position", cell = 1 }`, "ecs.name": `ecs.name(e`,
	"ecs.query": `ecs.query({ "Position" }`, "ecs.relation": `ecs.relation("Likes"`, "ecs.resource": `ecs.resource("new", "f64"`, "ecs.tag": `ecs.tag("new"`,
	"ecs.random": `ecs.random(1, 2`, "ecs.log.debug": `ecs.log.debug("m", {}`, "ecs.log.info": `ecs.log.info("m", {}`, "ecs.log.warn": `ecs.log.warn("m", {}`,
	"ecs.log.error": `ecs.log.error("m", {}`,
	"world:add":     "", "world:alive": `world:alive(e`, "world:components": `world:components(e`, "world:count": `world:count(q, "ChildOf", e`,
	"world:despawn": `world:despawn(e`, "world:drain": `world:drain("Hit"`, "world:each": `world:each(q, "ChildOf", e`, "world:first": `world:first(q, "ChildOf", e`,
	"world:get": `world:get(e, "Position"`, "world:has": "", "world:near": `world:near("near", 1, 2, 3`, "world:on": "", "world:peek": `world:peek("Hit"`, "world:read": `world:read("Hit"`,
	"world:relate": `world:relate(e, "ChildOf", other`, "world:related": `world:related(e, "ChildOf"`, "world:remove": "", "world:removed": `world:removed("Position"`,
	"world:send": `world:send("Hit", {}`, "world:set": `world:set(e, "Position", {}`, "world:sources": `world:sources("ChildOf", e`, "world:spawn": `world:spawn({}`,
	"world:spawn_many": `world:spawn_many(1, {}, function() end`, "world:stop": `world:stop("why"`, "world:tag": "", "world:tagged": "", "world:tags": `world:tags(e`,
	"world:unrelate": `world:unrelate(e, "ChildOf"`, "world:untag": "",
	"world.commands:add": "", "world.commands:despawn": `world.commands:despawn(e`, "world.commands:relate": `world.commands:relate(e, "ChildOf", other`, "world.commands:remove": "",
	"world.commands:send": `world.commands:send("Hit", {}`, "world.commands:set": `world.commands:set(e, "Position", {}`, "world.commands:spawn": `world.commands:spawn({}`,
	"world.commands:tag": "", "world.commands:unrelate": `world.commands:unrelate(e, "ChildOf"`, "world.commands:untag": "",
}

// One argument more than a function takes is an error in every tier, and not
// dropped in silence; a nil is none.
func TestArgumentsThatAreTooMany(t *testing.T) {
	const head = "local ecs = require('ecs') ecs.grid('near', { component = 'Position', cell = 1 }) local q = ecs.query{ 'Position' }\nreturn function(world)\n" +
		"local e, other = world:spawn{ Position = {} }, world:spawn{}\n"
	for _, name := range surface.Names() {
		call, known := calls[name]
		if strings.HasPrefix(name, "world.") && !strings.Contains(name, ":") || name == "ecs.none" || known && call == "" {
			continue
		}
		if !known {
			t.Errorf("no call of %s is tried", name)
			continue
		}
		for extra, wrong := range map[string]bool{`)`: false, `, nil)`: false, `, "player")`: true, `, 5)`: true, `, nil, {})`: true} {
			if name == "ecs.event" {
				extra = ", nil" + extra // its options may be left out
			}
			if name == "ecs.random" && strings.Contains(extra, "nil") {
				continue // math.random, as Lua has it
			}
			_, err := run(t, Options{Scripts: files(map[string]string{"a": head + "local x = " + call + extra + "\nend"})}, 1, System{Name: "a", Impl: Lua})
			if got := err != nil && (strings.Contains(err.Error(), "too many") || name == "ecs.random"); got != wrong || !wrong && err != nil {
				t.Errorf("%s%s: %v", call, extra, err)
			}
		}
	}
	for _, body := range []string{
		`for e, p in world:each("Position") do p.x = world:alive(e, 5) and 1 or 2 end`,
		`for e, p in world:each("Position") do local v = world:get(e, "Velocity", 5) end`,
		`for e, p in world:each("Position") do world:send("Hit", { amount = 1 }, 5) end`,
		`for e, p in world:each("Position") do world.commands:despawn(e, 5) end`,
		`for e, p in world:each("Position") do world.commands:set(e, "Position", { x = 1 }, 5) end`,
		`for e, p in world:each("Position") do world.commands:spawn({ Position = { x = 1 } }, "player") end`,
		`for e, p in world:each("Position") do world.commands:relate(e, "ChildOf", other, 5) end`,
		`for e, p in world:each("Position") do for o, d in world:near("near", 1, 2, 3, 4) do p.x = d end end`,
		`for e, p in world:each(q, "ChildOf", e, 5) do p.x = 1 end`,
		`for e, p in world:each(q, "ChildOf", e, e) do p.x = 1 end`,
		`world:send("Hit") for ev in world:read("Hit", 5) do x = ev.amount end`,
	} {
		for _, impl := range []Impl{Lua, Closures, Auto} {
			_, err := run(t, Options{Scripts: files(map[string]string{"a": head + "local x = 0\n" + body + "\nend"})}, 1, System{Name: "a", Impl: impl})
			if err == nil || !strings.Contains(fmt.Sprint(err), "too many") {
				t.Errorf("%v: %s: %v", impl, body, err)
			}
		}
	}
}
