package surface

import (
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Wrong arguments are named by their number, counted from 1 without the object.
func TestWrongArguments(t *testing.T) {
	for body, want := range map[string]string{
		`world.spawn{}`:              "calling 'spawn' on bad self (world expected, got table); write world:spawn(…)",
		`world.spawn()`:              "calling 'spawn' on bad self (world expected, got no value); write world:spawn(…)",
		`world.commands.despawn(3)`:  "calling 'despawn' on bad self (world.commands expected, got number); write world.commands:despawn(…)",
		`world:despawn("a")`:         "bad argument #1 to 'despawn' (entity expected, got string)",
		`world:despawn()`:            "bad argument #1 to 'despawn' (entity expected, got no value)",
		`world:despawn(nil)`:         "bad argument #1 to 'despawn' (entity expected, got nil)",
		`world:despawn(1, 2)`:        "bad argument #2 to 'despawn' (it takes at most 1, and number 2 is one too many; of a call that gives several values write (f()) for the first one)",
		`world:despawn(1, nil, "x")`: `bad argument #3 to 'despawn' (it takes at most 1, and string "x" is one too many; of a call that gives several values write (f()) for the first one)`,
		`world:despawn(1, nil, nil)`: "",
		`world:spawn{ Position = {} } world:despawn(world:first("Position"))`: "",
		`world:get(1, 2)`:                              "bad argument #2 to 'get' (component name expected, got number)",
		`world:get(1)`:                                 "bad argument #2 to 'get' (component name expected, got no value)",
		`world:get(1, "IsA")`:                          `"IsA" is a relation; use world:related`,
		`world:add(1)`:                                 "bad argument #2 to 'add' (component name expected, got no value)",
		`world:add(1, "Marker", 5)`:                    "bad argument #3 to 'add' (component name expected, got number)",
		`world:add(1, "Marker", "ChildOf")`:            `"ChildOf" is a relation; use world:relate`,
		`world:remove(1, "Marker", {})`:                "bad argument #3 to 'remove' (component name expected, got table; write the names as arguments, or unpack(names))",
		`world:has(1)`:                                 "bad argument #2 to 'has' (component name expected, got no value)",
		`world:has(1, "Marker", true)`:                 "bad argument #3 to 'has' (component name expected, got boolean)",
		`world:set(1, "IsA", {})`:                      `"IsA" is a relation; use world:relate`,
		`world:set(1, "Position", 5)`:                  "bad argument #3 to 'set' (table expected, got number; write { x = … })",
		`world:set(1, { Position = { x = 1 } })`:       `bad argument #2 to 'set' (component name expected, got table; write world:set(e, "Name", { … }), once for each component)`,
		`world.commands:add(1, "Position", { x = 1 })`: `bad argument #3 to 'add' (component name expected, got table; write world.commands:set(e, "Position", { … }), which adds the component with these fields)`,
		`world:relate("ChildOf", 1, 2)`:                `bad argument #1 to 'relate' (entity expected, got string; the entity stands before the name: write world:relate(e, "ChildOf", target))`,
		`world:unrelate("ChildOf", 1)`:                 `bad argument #1 to 'unrelate' (entity expected, got string; the entity stands before the name: write world:unrelate(e, "ChildOf"))`,
		`world:unrelate("ChildOf", 1, 2)`:              `bad argument #1 to 'unrelate' (entity expected, got string; the entity stands before the name: write world:unrelate(e, "ChildOf", target))`,
		`world.commands:set("Position", 1, { x = 1 })`: `bad argument #1 to 'set' (entity expected, got string; the entity stands before the name: write world.commands:set(e, "Position", { … }))`,
		`world:get("Position", 1)`:                     `bad argument #1 to 'get' (entity expected, got string; the entity stands before the name: write world:get(e, "Position"))`,
		`world:despawn(world:get(world:spawn{ Position = {} }, "Position"))`: `bad argument #1 to 'despawn' (entity expected, got view of Position; a loop gives the entity first, then the views: for e, view in world:each("Position") do)`,
		`world:has(1, world:get(world:spawn{ Position = {} }, "Position"))`:  `bad argument #2 to 'has' (component name expected, got view of Position; write its name, "Position")`,
		`world:spawn("Position")`:                            `bad argument #1 to 'spawn' (table expected, got string; write world:spawn{ "Position" })`,
		`world:set(1, "Position", {}, 1)`:                    "bad argument #4 to 'set' (it takes at most 3, and number 1 is one too many; of a call that gives several values write (f()) for the first one)",
		`world:set(4294967297, "Position", { x = "a" })`:     `set Position.x on 1v1: number expected, got string "a"`,
		`world:tag(1)`:                                       "bad argument #2 to 'tag' (tag name expected, got no value)",
		`world:tag(1, "player", 3)`:                          "bad argument #3 to 'tag' (tag name expected, got number)",
		`world:untag(1, {})`:                                 "bad argument #2 to 'untag' (tag name expected, got table; write the names as arguments, or unpack(names))",
		`world:untag(1, "player", 3)`:                        "bad argument #3 to 'untag' (tag name expected, got number)",
		`world:tagged(1)`:                                    "bad argument #2 to 'tagged' (tag name expected, got no value)",
		`world:tagged(1, "player", 3)`:                       "bad argument #3 to 'tagged' (tag name expected, got number)",
		`world:send()`:                                       "bad argument #1 to 'send' (event name expected, got no value)",
		`world:send("Hit", 5)`:                               "bad argument #2 to 'send' (table expected, got number; write { target = … })",
		`world:send("Hit", nil)`:                             "",
		`world:read(5)`:                                      "bad argument #1 to 'read' (event name expected, got number)",
		`world:near()`:                                       "bad argument #1 to 'near' (grid name expected, got no value)",
		`world:relate(1, 2, 3)`:                              "bad argument #2 to 'relate' (relation name expected, got number)",
		`world:relate(1, "IsA")`:                             "bad argument #3 to 'relate' (entity expected, got no value)",
		`world:relate(1, "IsA", "x")`:                        "bad argument #3 to 'relate' (entity expected, got string)",
		`world:relate(1, "IsA", 0)`:                          `relation "IsA" takes an entity as its target, not ecs.none`,
		`world:relate(1, "IsA", 1.5)`:                        `relation "IsA" takes an entity as its target, not number 1.5`,
		`world:unrelate(1, 2)`:                               "bad argument #2 to 'unrelate' (relation name expected, got number)",
		`world:related(1)`:                                   "bad argument #2 to 'related' (relation name expected, got no value)",
		`world:sources(1, 2)`:                                "bad argument #1 to 'sources' (relation name expected, got number)",
		`world:sources("IsA")`:                               "bad argument #2 to 'sources' (entity expected, got no value)",
		`world:each(nil)`:                                    "bad argument #1 to 'each' (component name or query expected, got nil)",
		`world:each(5)`:                                      "bad argument #1 to 'each' (component name or query expected, got number)",
		`world:each("Marker", true)`:                         "bad argument #2 to 'each' (component name or query expected, got boolean)",
		`world:each({ "Marker" })`:                           `bad argument #1 to 'each' (component name or query expected, got table; write the names as arguments, as in world:each("Position", "Velocity"), or give the table to ecs.query once, when the file loads)`,
		`world:each(world)`:                                  "bad argument #1 to 'each' (component name or query expected, got world)",
		`world:each(ecs.query{ "Marker" }, "IsA")`:           "bad argument #3 to 'each' (entity expected, got no value)",
		`world:each(ecs.query{ "Marker" }, "IsA", 1, 1)`:     "bad argument #4 to 'each' (it takes at most 3, and number 1 is one too many; of a call that gives several values write (f()) for the first one)",
		`world:each("Marker", "Position", 1)`:                `relation "Position" is not declared; "Position" is a component: write world:get(e, "Position"), which gives its fields`,
		`world:count(ecs.query{ "Marker" }, "Marker")`:       `relation "Marker" is not declared; "Marker" is a component: write world:get(e, "Marker"), which gives its fields`,
		`ecs:name(1)`:                                        "bad argument #2 to 'name' (it takes at most 1, and number 1 is one too many; call it with a dot, not with a colon)",
		`world:spawn(5)`:                                     "bad argument #1 to 'spawn' (table expected, got number)",
		`world:spawn{ Position = 5 }`:                        `component "Position" takes a table of its fields, not number 5`,
		`world:spawn{ Position = { x = true } }`:             "spawn Position.x: number expected, got boolean true",
		`world:spawn{ IsA = 0 }`:                             `relation "IsA" takes an entity as its target, not ecs.none`,
		`world:spawn{ IsA = "x" }`:                           `relation "IsA" takes an entity as its target, not string "x"; of a prefab write world:prefab("x"), or make an instance with world:instance("x")`,
		`world:spawn{ "IsA" }`:                               `relation "IsA" needs a target: write IsA = parent`,
		`world:spawn{ 5 }`:                                   "the list part holds names of tags, not number 5",
		`world:spawn{ [true] = 5 }`:                          "an entity is described by names, not by boolean true",
		`world:spawn_many("x")`:                              "bad argument #1 to 'spawn_many' (number expected, got string)",
		`world:spawn_many(1.5)`:                              "bad argument #1 to 'spawn_many' (a whole number of entities expected, got 1.5)",
		`world:spawn_many(-1)`:                               "bad argument #1 to 'spawn_many' (a number of entities expected, got -1)",
		`world:spawn_many(0/0)`:                              "bad argument #1 to 'spawn_many' (a whole number of entities expected, got nan)",
		`world:spawn_many(1/0)`:                              "bad argument #1 to 'spawn_many' (a whole number of entities expected, got inf)",
		`world:spawn_many(2^20)`:                             "bad argument #1 to 'spawn_many' (at most 1048575 entities at once, got 1048576)",
		`world:spawn_many(2^20 - 1)`:                         "spawn: limit reached: 10000 entities (limits.entities)",
		`world:spawn_many(1, 5)`:                             "bad argument #2 to 'spawn_many' (table expected, got number)",
		`world:spawn_many(1, nil, 5)`:                        "bad argument #3 to 'spawn_many' (function expected, got number)",
		`world:spawn_many(2, nil, function(i) return i end)`: "entity 1: the function returned number 1 instead of a table",
		`world:spawn_many(2, nil, function(i) return { Marker = i == 2 and 5 or {} } end)`: `entity 2: component "Marker" takes a table of its fields, not number 5`,
		`check.eq(#world:spawn_many(0), 0)`:                                                "",
		`world.commands:set(1, "IsA")`:                                                     `"IsA" is a relation; use world.commands:relate`,
		`world.commands:add(1, "IsA")`:                                                     `"IsA" is a relation; use world.commands:relate`,
		`world.commands:tag(1)`:                                                            "bad argument #2 to 'tag' (tag name expected, got no value)",
		`world.commands:untag(1, "player", 1)`:                                             "bad argument #3 to 'untag' (tag name expected, got number)",
		`world.commands:remove(1)`:                                                         "bad argument #2 to 'remove' (component name expected, got no value)",
		`world.commands:relate(1, "IsA", 0)`:                                               `relation "IsA" takes an entity as its target, not ecs.none`,
		`world.dt = 1`:                                                                     "world.dt is read-only",
		`world.frame = 1`:                                                                  "world.frame is read-only",
		`world.resources = 1`:                                                              "world.resources cannot be replaced",
		`world.commands = 1`:                                                               "world.commands cannot be replaced",
		`world.mine = 1`:                                                                   `world takes no fields of your own: declare a resource for "mine"`,
		`world.commands.mine = 1`:                                                          "world.commands takes no fields (mine)",
		`world.resources.score = "x"`:                                                      `set resource score: number expected, got string "x"`,
		`world.resources.score = 2^31`:                                                     "set resource score: 2147483648 does not fit i32 (-2147483648 to 2147483647)",
		`world.resources.title = nil`:                                                      "set resource title: string expected, got nil",
		`return world.resources[1]`:                                                        "world.resources has named values only, not [1]",
		`world.resources[1] = 2`:                                                           "world.resources has named values only, not [1]",
		`ecs.mine = 1`:                                                                     "ecs cannot be changed",
		`ecs.log.mine = 1`:                                                                 "ecs.log cannot be changed",
		`ecs.name("x")`:                                                                    "bad argument #1 to 'name' (entity expected, got string)",
		`ecs.describe(1, 1)`:                                                               "bad argument #1 to 'describe' (world expected, got number)",
		`ecs.describe(world)`:                                                              "bad argument #2 to 'describe' (entity expected, got no value)",
		`ecs.fields(5)`:                                                                    "bad argument #1 to 'fields' (view or event expected, got number)",
		`ecs.fields(world)`:                                                                "bad argument #1 to 'fields' (view or event expected, got world)",
		`ecs.fields()`:                                                                     "bad argument #1 to 'fields' (view or event expected, got no value)",
		`ecs.query(5)`:                                                                     "bad argument #1 to 'query' (table expected, got number)",
		`ecs.query{}`:                                                                      "ecs.query needs at least one component or tag; world:each() walks all entities",
		`ecs.query{ 5 }`:                                                                   "ecs.query: a name expected, got number 5",
		`ecs.query{ [true] = "x" }`:                                                        "ecs.query: a key is a name, not boolean true",
		`ecs.query{ "Marker", without = "Position" }`:                                      `ecs.query: without takes a list of names, not string "Position"`,
		`ecs.query{ "Marker", any = { x = "y" } }`:                                         `ecs.query: any takes a list of names, not the key string "x"`,
		`ecs.query{ "Marker", any = { 7 } }`:                                               "ecs.query: a name expected, got number 7",
		`return ecs.query{ "Marker" }.x`:                                                   "a query has no fields (index x): give it to world:each, count or first",
		`ecs.query{ "Marker" }.x = 1`:                                                      "a query cannot be changed",
		`ecs.log.info()`:                                                                   "bad argument #1 to 'info' (message expected, got no value)",
		`ecs.log.info("x", 5)`:                                                             "bad argument #2 to 'info' (table expected, got number)",
		`ecs.log.info("x", nil)`:                                                           "",
		`ecs.log.info("x", {}, 1)`:                                                         "bad argument #3 to 'info' (it takes at most 2, and number 1 is one too many; of a call that gives several values write (f()) for the first one)",
	} {
		fails(t, body, want)
	}
}

// What changes structure is refused in a loop over entities; what does not is allowed.
func TestStructureInLoops(t *testing.T) {
	const before, after = `local e = world:spawn{ Position = {}, "player" } local o = world:spawn{ Velocity = {} } for x in world:each("Position") do `, " end"
	for body, instead := range map[string]string{
		`world:spawn{}`:                        "spawn",
		`world:spawn_many(0)`:                  "spawn",
		`world:despawn(o)`:                     "despawn",
		`world:add(o, "Marker")`:               "add",
		`world:remove(o, "Velocity")`:          "remove",
		`world:relate(o, "ChildOf", e)`:        "relate",
		`world:unrelate(o, "ChildOf")`:         "unrelate",
		`world:set(o, "Marker")`:               "set",
		`world:set(o, "Velocity", { dx = 1 })`: "",
		`world:set(77, "Marker")`:              "", // it is dead
		`world:tag(o, "enemy")`:                "",
		`world:untag(e, "player")`:             "",
		`world:send("Hit")`:                    "",
	} {
		want := ""
		if instead != "" {
			name := map[bool]string{true: "spawn_many", false: instead}[body == `world:spawn_many(0)`]
			want = "world:" + name + " inside a query loop; use world.commands:" + instead
		}
		fails(t, before+body+after, want)
		fails(t, before+"break"+after+" "+body, "") // it has been left
	}
	s := newScene(t)
	err := s.run(before + "world:spawn{}" + after)
	if !errors.Is(err, ecs.ErrLocked) {
		t.Errorf("%v is not ErrLocked", err)
	}
}

// The errors of limits are such, and long calls are charged.
func TestLimits(t *testing.T) {
	for body, want := range map[string]string{
		`world:spawn_many(2^20)`: "bad argument #1 to 'spawn_many' (at most 1048575 entities at once, got 1048576)",
		`local t = {} for i = 1, 200 do t = { t } end world:send("Hit", { extra = t })`: "send Hit.extra: plain data nests deeper than 32 tables",
	} {
		s := newScene(t)
		err := s.run(body)
		if !errors.Is(err, sandbox.ErrLimit) || message(err) != want {
			t.Errorf("%s\ngot  %v\nwant %s", body, err, want)
		}
	}
	for _, body := range []string{`world:spawn_many(9000, { Marker = {} })`, `world:spawn_many(9000, nil, function() end)`} {
		s := newScene(t)
		fn, err := s.load("return function(world) " + body + " end")
		s.ok(err)
		s.state.Budget().Reset(8000)
		if err := s.state.Call(fn, s.bound.Value()); message(err) != "more than 8,000 instructions (limits.instructions); is there an endless loop?" || s.world.Len() > 0 {
			t.Errorf("%s: 8000 instructions allow 9000 entities: %v", body, err)
		}
	}
}
