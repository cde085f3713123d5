package luabind

import (
	"errors"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Mistakes of people who know another engine, or another part of this one: the message says what the thing is and what to write. Every implementation says it in the
// same words; where the source shows the mistake, `ecsrun check` says it before a line runs.
func TestMessages(t *testing.T) {
	const head = `local ecs = require("ecs")
ecs.component("Health", { current = "f64" }) ecs.component("Bag", { items = "table" }) ecs.tag("player") ecs.event("Hit", { amount = "f64", data = "table" })
ecs.resource("score", { type = "f64" }) ecs.resource("stock", { type = "table" }) ecs.relation("Owns") ecs.grid("map", { component = "Health", x = "current", y = "current", cell = 4 })
return function(world)
local e = world:first("Health") or world:spawn{ Health = {} }
`
	for _, c := range []struct {
		source, want string
		checked      bool // the source shows it
	}{
		{`world:delete(e)`, `world has no function "delete"; write world:despawn(e)`, true},
		{`world:kill(e)`, `world has no function "kill"; write world:despawn(e)`, true},
		{`world.commands:remove_entity(e)`, `world.commands has no function "remove_entity"; write world.commands:despawn(e)`, true},
		{`world:query("Health")`, `world has no function "query"; write for e, view in world:each("Name") do; conditions belong in ecs.query{ … }`, true},
		{`world:create{}`, `world has no function "create"; write world:spawn{ … }`, true},
		{`world:find("Health")`, `world has no function "find"; write for e, view in world:each("Name") do`, true},
		{`ecs.emit("Hit")`, `ecs has no function "emit"; write world:send("Event", { … })`, true},
		{`world:set_component(e, "Health", {})`, `world has no function "set_component"; write world:set(e, "Name", { … })`, true},
		{`world:get_resource("score")`, `world has no function "get_resource"; write world.resources.NAME`, true},
		{`world:after(3)`, `world has no function "after"; write world.commands:send("Ring", { … }, { after = 3 }), an event that comes by itself, or every: 60 at the system in the config`, true},
		{`for e in world:sorted("Health") do end`, `world has no function "sorted"; write world:each("Foe", { order = "Foe.seq" })`, true},
		{`world.commands:get(e, "Health")`, `world.commands has no function "get"; write world:get(e, "Name")`, true},
		{`ecs.log.trace("x")`, `ecs.log has no function "trace"; write ecs.log.debug(message)`, true},
		{`print(world.score)`, `world has no function "score"; write world.resources.score`, true},
		{`world:Hit()`, `world has no function "Hit"; write world:send("Hit", { … }), and for event in world:read("Hit") do`, true},
		{`print(world:has(e, "player"))`, `component "player" is not declared; "player" is a tag: write world:tagged(e, "player")`, true},
		{`print(world:get(e, "player"))`, `"player" is a tag: write world:tagged(e, "player"), which says whether e has it`, true},
		{`world:set(e, "player", {})`, `"player" is a tag: write world:tag(e, "player")`, true},
		{`world.commands:add(e, "player")`, `"player" is a tag: write world.commands:tag(e, "player")`, true},
		{`world:remove(e, "player")`, `"player" is a tag: write world:untag(e, "player")`, true},
		{`for e in world:each("player") do end`, `"player" is a tag: write ecs.query{ tagged = { "player" } }, and give the query to the loop`, true},
		{`ecs.query{ "Health", "player" }`, `component "player" is not declared; "player" is a tag: write it in tagged = { "player" }, or in untagged`, true},
		{`ecs.query{ tagged = { "Health" } }`, `tag "Health" is not declared; "Health" is a component: write the component in the list without a key, or under without: ecs.query{ "Health" }`, true},
		{`world:spawn{ player = {} }`, `component "player" is not declared; "player" is a tag: write world:spawn{ "player" }, with tags in the list part`, true},
		{`world.commands:spawn{ player = {} }`, `"player" is a tag: write world:spawn{ "player" }, with tags in the list part`, true},
		{`world:tag(e, "Health")`, `tag "Health" is not declared; "Health" is a component: write world:add(e, "Health")`, true},
		{`world:tag(e, "Owns")`, `"Owns" is a relation: write world:relate(e, "Owns", target)`, true},
		{`world:tagged(e, "Health")`, `"Health" is a component: write world:has(e, "Health")`, true},
		{`world:send("Health", {})`, `event "Health" is not declared; "Health" is a component: write world:set(e, "Health", { … })`, true},
		{`for x in world:read("score") do end`, `event "score" is not declared; "score" is a resource: write world.resources.score`, true},
		{`world:relate(e, "Health", e)`, `relation "Health" is not declared; "Health" is a component: write world:set(e, "Health", { … })`, true},
		{`print(world.resources.Hit)`, `resource "Hit" is not declared; "Hit" is an event: write world:send("Hit", { … }), and for event in world:read("Hit") do`, true},
		{`print(world:get(e, "map"))`, `component "map" is not declared; "map" is a grid: write for e, d2 in world:near("map", x, y, radius) do`, true},
		{`world:set(e, "Health.current", 3)`, `component "Health.current" is not declared; "current" is a field of Health: write { current = … } behind "Health"`, true},
		{`for e in world:each("Health, Bag") do end`, `component "Health, Bag" is not declared; a string has one name: write "Health", "Bag"`, true},
		{`print(game.players)`, `undeclared global "game"; init and update are given the world, whose functions are the game: see coming-from.md`, true},
		{`love.graphics.print("x")`, `undeclared global "love"; init and update are given the world`, true},
		{`script.on_event(1, print)`, `undeclared global "script"; the schedule calls a script, and for event in world:read("Event") do reads what happened`, true},
		{`storage.n = 1`, `undeclared global "storage"; a script keeps things in components and in world.resources`, true},
		{`task.wait(1)`, `undeclared global "task"; a system with every: 60 in the config runs every 60 frames; a field that counts down is a timer`, true},
		{`minetest.log("x")`, `undeclared global "minetest"; init and update are given the world`, true},
		{`print(Vector3.new())`, `undeclared global "Vector3"; a vector is two number fields, such as x and y`, true},

		{`world:add(e, "Bag") world:get(e, "Bag").items = { a = { b = print } }`, `set Bag.items.a.b on 0v1: a function is not plain data (numbers, strings, booleans and tables of them)`, false},
		{`world:set(e, "Bag", { items = { { print } } })`, `set Bag.items[1][1] on 0v1: a function is not plain data (numbers, strings, booleans and tables of them)`, false},
		{`world:spawn{ Bag = { items = { a = world } } }`, `spawn Bag.items.a: a world is not plain data (numbers, strings, booleans and tables of them)`, false},
		{`world.resources.stock = { a = { b = world } }`, `set resource stock.a.b: a world is not plain data (numbers, strings, booleans and tables of them)`, false},
		{`world:send("Hit", { data = { [1] = { x = ecs.log.info } } })`, `send Hit.data[1].x: a function is not plain data (numbers, strings, booleans and tables of them)`, false},
		{`ecs.query{}`, "ecs.query needs at least one component or tag; world:each() walks all entities", false},
		{`world:add(e, "Health", { current = 1 })`, `bad argument #3 to 'add' (component name expected, got table; write world:set(e, "Health", { … }), which adds the component with these fields)`, false},
		{`world:tag(e, { "player" })`, `bad argument #2 to 'tag' (tag name expected, got table; write the names as arguments, or unpack(names))`, false},
		{`for i, x in ipairs(world:read("Hit")) do end`, `bad argument #1 to 'ipairs' (table expected, got a loop over events); write for event in world:read("Hit") do`, false},
		{`print(world:read("Hit")[1])`, `attempt to index a loop over events (result of "read"); write for event in world:read("Hit") do`, false},
		{`print(#world:read("Hit"))`, `attempt to get length of a loop over events (result of "read"); write for event in world:read("Hit") do`, false},
		{`ecs.log("x")`, `attempt to call the module ecs.log (field "log"); write ecs.log.info(message)`, false},
		{`for k in pairs(world.resources) do end`, `bad argument #1 to 'pairs' (table expected, got world.resources); a loop cannot walk it: write world.resources.NAME`, false},
	} {
		for _, impl := range []Impl{Lua, Closures, Auto} {
			r, err := run(t, Options{World: ecs.NewWorld(ecs.Options{}), Scripts: files(map[string]string{"a": head + c.source + "\nend"})}, 1, System{Name: "a", Impl: impl})
			var se *ScriptError
			if !errors.As(err, &se) || !strings.HasPrefix(se.Message, c.want) && !strings.HasSuffix(se.Message, c.want) {
				t.Errorf("%s under %v\ngot  %v\nwant %s", c.source, impl, err, c.want)
				continue
			}
			if got := errors.Join(r.Undeclared()...); c.checked && (got == nil || !strings.HasSuffix(got.Error(), se.Message)) {
				t.Errorf("%s\ncheck says %v\nwant       %s", c.source, got, se.Message)
			}
		}
	}
}

// What passes a limit says which key of the config is the limit, also when a queued command passes it.
func TestMessagesNameTheKeyOfTheLimit(t *testing.T) {
	for _, c := range []struct {
		source  string
		options ecs.Options
		want    string
	}{
		{`while true do end`, ecs.Options{}, "more than 100,000 instructions (limits.instructions); is there an endless loop?"},
		{`for i = 1, 11 do world:spawn{} end`, ecs.Options{MaxEntities: 10}, "spawn: limit reached: 10 entities (limits.entities)"},
		{`world:spawn_many(2, {}, function() return {} end)`, ecs.Options{MaxEntities: 1}, "spawn: limit reached: 1 entity (limits.entities)"},
		{`for i = 1, 11 do world.commands:spawn{} end`, ecs.Options{MaxEntities: 10}, "spawn: limit reached: 10 entities (limits.entities)"},
		{`world:spawn_many(1000, {})`, ecs.Options{MaxBytes: 1000}, "spawn: limit reached: 1000 bytes of tables, tags, grids, relations and events (limits.world)"},
		{`for i = 1, 11 do world:send("Hit") end`, ecs.Options{MaxEvents: 10}, "send Hit: limit reached: 10 events (limits.events)"},
		{`for i = 1, 11 do world.commands:send("Hit") end`, ecs.Options{MaxEvents: 10}, "send Hit: limit reached: 10 events (limits.events)"},
		{`for i = 1, 2 do world:tag(world:spawn{}, "player") end`, ecs.Options{MaxTags: 1}, "tag player 1v1: limit reached: 1 tag entry (limits.tags)"},
	} {
		source := "local ecs = require('ecs') ecs.tag('player') ecs.event('Hit', { n = 'f64' })\nreturn function(world) " + c.source + " end"
		_, err := run(t, Options{World: ecs.NewWorld(c.options), Scripts: files(map[string]string{"a": source}), Limits: Limits{Instructions: 100_000}}, 1, System{Name: "a"})
		var se *ScriptError
		if !errors.As(err, &se) || !errors.Is(err, ErrLimit) || se.Message != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.source, err, c.want)
		}
		if strings.Contains(c.source, "commands") || strings.Contains(c.source, "while") { // no pcall of the script catches these
			continue
		}
		source = strings.Replace(source, c.source, "local _, text = pcall(function() "+c.source+" end) error('caught ' .. text, 0)", 1)
		_, err = run(t, Options{World: ecs.NewWorld(c.options), Scripts: files(map[string]string{"a": source})}, 1, System{Name: "a"})
		if err == nil || !strings.Contains(err.Error(), "caught ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("caught: %s\ngot  %v\nwant %s", c.source, err, c.want)
		}
	}
}
