package luabind

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
)

// calls are correct calls of all that scripts can call, with as many arguments as
// it takes; "" is what takes any number of names, and looks at each.
var calls = map[string]string{
	"ecs.component": `ecs.component("New", { x = "f64" }`, "ecs.describe": `ecs.describe(world, e`, "ecs.event": `ecs.event("News", { x = "f64" }`,
	"ecs.fields": `ecs.fields(world:get(e, "Position")`, "ecs.grid": `ecs.grid("g", { component = "Position", cell = 1 }`, "ecs.name": `ecs.name(e`,
	"ecs.normal": `ecs.normal(1, 2`, "ecs.pick": `ecs.pick({ 1 }`, "ecs.sample": `ecs.sample({ 1 }, 1`, "ecs.shuffle": `ecs.shuffle({ 1 }`,
	"ecs.query": `ecs.query({ "Position" }`, "ecs.relation": `ecs.relation("Likes", {}`, "ecs.resource": `ecs.resource("new", "f64"`, "ecs.tag": `ecs.tag("new"`,
	"ecs.random": `ecs.random(1, 2`, "ecs.log.debug": `ecs.log.debug("m", {}`, "ecs.log.info": `ecs.log.info("m", {}`, "ecs.log.warn": `ecs.log.warn("m", {}`,
	"ecs.log.error": `ecs.log.error("m", {}`,
	"world:add":     "", "world:alive": `world:alive(e`, "world:all": "", "world:around": `world:around("cells", 1, 1, 1, "moore"`, "world:at": "", "world:nearest": `world:nearest("near", 1, 2, 3, "player", e`,
	"ecs.index": `ecs.index("i", { component = "Cell", fields = { "x" } }`, "world:components": `world:components(e`, "world:count": `world:count(q, "ChildOf", e`,
	"world:despawn": `world:despawn(e`, "world:drain": `world:drain("Hit"`, "world:each": `world:each(q, "ChildOf", e`, "world:first": `world:first(q, "ChildOf", e`,
	"world:get": `world:get(e, "Position"`, "world:has": "", "world:near": `world:near("near", 1, 2, 3, "player"`, "world:on": "", "world:peek": `world:peek("Hit"`, "world:pick": `world:pick(q, "ChildOf", e`, "world:read": `world:read("Hit"`,
	"world:relate": `world:relate(e, "ChildOf", other`, "world:related": `world:related(e, "ChildOf"`, "world:relates": `world:relates(e, "ChildOf", other`, "world:targets": `world:targets(e, "ChildOf"`, "world:remove": "", "world:removed": `world:removed("Position"`,
	"world:send": `world:send("Hit", {}`, "world:set": `world:set(e, "Position", {}`, "world:sources": `world:sources("ChildOf", e`, "world:spawn": `world:spawn({}`,
	"world:spawn_many": `world:spawn_many(1, {}, function() end`, "world:stop": `world:stop("why"`, "world:tag": "", "world:tagged": "", "world:tags": `world:tags(e`,
	"world:unrelate": `world:unrelate(e, "ChildOf", other`, "world:untag": "",
	"world.commands:add": "", "world.commands:cancel": `world.commands:cancel("Hit", "k"`, "world.commands:despawn": `world.commands:despawn(e`, "world.commands:relate": `world.commands:relate(e, "ChildOf", other`, "world.commands:remove": "", "world.commands:state": `world.commands:state("game", "over"`,
	"world.commands:send": `world.commands:send("Hit", {}, { frames = 1 }`, "world.commands:set": `world.commands:set(e, "Position", {}`, "world.commands:spawn": `world.commands:spawn({}`,
	"ecs.data": `ecs.data("waves"`, "ecs.layer": `ecs.layer("sky", { type = "u8", width = 2, height = 2 }`, "layer:add": `world.layers.heat:add(0, 0, 1`, "layer:around": `world.layers.heat:around(0, 0, 1, "moore"`,
	"layer:copy": `world.layers.heat:copy(world.layers.heat`, "layer:count": `world.layers.heat:count(1`, "layer:each": `world.layers.heat:each(`,
	"layer:fill": `world.layers.heat:fill(1, 0, 0, 1, 1`, "layer:get": `world.layers.heat:get(0, 0`, "layer:set": `world.layers.heat:set(0, 0, 1`,
	"layer:size": `world.layers.heat:size(`, "layer:sum": `world.layers.heat:sum(`,
	"ecs.prefab": "", "world:prefab": `world:prefab("goblin"`, "world:instance": `world:instance("goblin", {}`, "world:child": `world:child(e, "sword"`, "world.commands:instance": `world.commands:instance("goblin", {}`,
	"world.commands:tag": "", "world.commands:unrelate": `world.commands:unrelate(e, "ChildOf", other`, "world.commands:untag": "",
}

// One argument more than a function takes is an error in every tier, and not
// dropped in silence; a nil is none.
func TestArgumentsThatAreTooMany(t *testing.T) {
	const head = "local ecs = require('ecs') ecs.prefab('goblin', {}) ecs.grid('near', { component = 'Position', cell = 1 }) local q = ecs.query{ 'Position' }\nreturn function(world)\n" +
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
			if strings.HasSuffix(call, "(") {
				extra = strings.TrimPrefix(extra, ", ")
			}
			_, err := run(t, Options{
				Scripts:   files(map[string]string{"a": head + "local x = " + call + extra + "\nend"}),
				Data:      []DataFile{{Name: "waves", File: "waves.txt", Files: fstest.MapFS{"waves.txt": {}}, Path: "waves.txt"}},
				ParseData: func(string, string) (ecs.Value, error) { return ecs.TableOf(&ecs.Data{}), nil },
			}, 1, System{Name: "a", Impl: Lua})
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
		`for e, p in world:each("Position") do for o, d in world:near("near", 1, 2, 3, "player", 4) do p.x = d end end`,
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

// While a file is loaded no system's stream is there to draw from.
func TestChanceWhileAFileIsLoaded(t *testing.T) {
	for _, call := range []string{`shuffle({ 1, 2 })`, `pick({ 1 })`, `sample({ 1, 2 }, 1)`, `normal()`, `normal(1, 2)`} {
		for _, impl := range []Impl{Lua, Closures, Auto} {
			_, err := run(t, Options{Scripts: files(map[string]string{"a": "local x = require('ecs')." + call + " return function() end"})}, 1, System{Name: "a", Impl: impl})
			if err == nil || !strings.Contains(err.Error(), "a file that is being loaded draws only with ecs.random") {
				t.Errorf("%v: ecs.%s: %v", impl, call, err)
			}
		}
	}
}
