package surface

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// What a file may declare, and what is said of mistakes.
func TestDeclarations(t *testing.T) {
	const types = "f64, f32, i64, u64, i32, u32, i16, u16, i8, u8, bool, entity, string, table"
	long := strings.Repeat("x", 201)
	for body, want := range map[string]string{
		`ecs.component("Mana", { amount = "f64", who = { type = "entity" }, n = { type = "i8", default = -3 } })`: "",
		`ecs.component("Empty")`:                                              "",
		`ecs.component("Empty", {})`:                                          "",
		`ecs.component(5)`:                                                    "bad argument #1 to 'component' (name of a component expected, got number)",
		`ecs.component()`:                                                     "bad argument #1 to 'component' (name of a component expected, got no value)",
		`ecs.component("")`:                                                   `bad argument #1 to 'component' ("" is no name: letters, digits and _, not a digit first)`,
		`ecs.component("1x")`:                                                 `bad argument #1 to 'component' ("1x" is no name: letters, digits and _, not a digit first)`,
		`ecs.component("a b")`:                                                `bad argument #1 to 'component' ("a b" is no name: letters, digits and _, not a digit first)`,
		`ecs.component("a-b")`:                                                `bad argument #1 to 'component' ("a-b" is no name: letters, digits and _, not a digit first)`,
		`ecs.component("ä")`:                                                  `bad argument #1 to 'component' ("ä" is no name: letters, digits and _, not a digit first)`,
		`ecs.component("_a1Z")`:                                               "",
		`ecs.component("azAZ09_")`:                                            "",
		`ecs.component("` + long[:200] + `")`:                                 "",
		`ecs.component("` + long + `")`:                                       `bad argument #1 to 'component' ("` + long[:57] + `..." is no name: letters, digits and _, not a digit first)`,
		`ecs.component("C", 5)`:                                               "bad argument #2 to 'component' (table expected, got number)",
		`ecs.component("C", { 5 })`:                                           "C: a field needs a name of letters, digits and _, not number 1",
		`ecs.component("C", { ["a b"] = "f64" })`:                             `C: a field needs a name of letters, digits and _, not string "a b"`,
		`ecs.component("C", { x = 5 })`:                                       `C.x: a type expected, such as "f64", got number 5`,
		`ecs.component("C", { x = {} })`:                                      `C.x: a type expected, such as "f64", got nil`,
		`ecs.component("C", { x = "f46" })`:                                   `C.x: "f46" is no type; did you mean "f64"?`,
		`ecs.component("C", { x = "zzzzzzzz" })`:                              `C.x: "zzzzzzzz" is no type; the types are ` + types,
		`ecs.component("C", { x = { type = "f64", defualt = 1 } })`:           `C.x: a field has a type and a default, not string "defualt"; did you mean "default"?`,
		`ecs.component("C", { x = { type = "f64", [1] = 1 } })`:               "C.x: a field has a type and a default, not number 1",
		`ecs.component("C", { x = { type = "f64", default = "1" } })`:         `default of C.x: number expected, got string "1"`,
		`ecs.component("C", { x = { type = "u8", default = 256 } })`:          "default of C.x: 256 does not fit u8 (0 to 255)",
		`ecs.component("C", { x = { type = "table", default = { print } } })`: "default of C.x[1]: a function is not plain data (numbers, strings, booleans and tables of them)",
		`ecs.component("Position", { x = "f64", y = "f64" })`:                 "",
		`ecs.component("player")`:                                             `declare component player: declared differently: the name belongs to a tag`,
		`ecs.component("C", {}, 1)`:                                           "bad argument #3 to 'component' (it takes at most 2, and number 1 is one too many; of a call that gives several values write (f()) for the first one)",
		`ecs.event("E", { n = "i32" })`:                                       "",
		`ecs.event("E")`:                                                      "",
		`ecs.event(5)`:                                                        "bad argument #1 to 'event' (name of an event expected, got number)",
		`ecs.event("E", { n = "int" })`:                                       `E.n: "int" is no type; the types are ` + types,
		`ecs.tag("t")`:                                                        "",
		`ecs.tag("player")`:                                                   "",
		`ecs.tag("Marker")`:                                                   "declare tag Marker: declared differently: the name belongs to a component",
		`ecs.tag(5)`:                                                          "bad argument #1 to 'tag' (name of a tag expected, got number)",
		`ecs.relation("Likes")`:                                               "",
		`ecs.relation("IsA")`:                                                 "",
		`ecs.relation("Marker")`:                                              "declare relation Marker: declared differently: the name belongs to a component",
		`ecs.relation(5)`:                                                     "bad argument #1 to 'relation' (name of a relation expected, got number)",
		`ecs.resource("r", "f64")`:                                            "",
		`ecs.resource("r", { type = "i8", default = 5 })`:                     "",
		`ecs.resource("r")`:                                                   `r: a type expected, such as "f64", got nil`,
		`ecs.resource("r", { type = "i8", default = 500 })`:                   "default of r: 500 does not fit i8 (-128 to 127)",
		`ecs.resource("r", { typ = "i8" })`:                                   `r: a field has a type and a default, not string "typ"; did you mean "type"?`,
		`ecs.resource("r", "nil")`:                                            `r: "nil" is no type; the types are ` + types,
		`ecs.resource("score", "f64")`:                                        "declare resource score: declared differently: it is {value i32 = 0}, not {value f64}",
		`ecs.grid("g", { component = "Position", cell = 16 })`:                "",
		`ecs.grid("g", { component = "Velocity", x = "dx", y = "dy", cell = 0.5 })`:   "",
		`ecs.grid("g", { component = "Positon", cell = 16 })`:                         `component "Positon" is not declared; did you mean "Position"?`,
		`ecs.grid("g", { cell = 16 })`:                                                "ecs.grid: component must be a name, not nil",
		`ecs.grid("g", { component = 5, cell = 16 })`:                                 "ecs.grid: component must be a name, not number 5",
		`ecs.grid("g", { component = "Position", x = 5, cell = 16 })`:                 "ecs.grid: x must be a name, not number 5",
		`ecs.grid("g", { component = "Position", y = true, cell = 16 })`:              "ecs.grid: y must be a name, not boolean true",
		`ecs.grid("g", { component = "Position", cell = "16" })`:                      `ecs.grid: cell must be a number, not string "16"`,
		`ecs.grid("g", { component = "Position", cell = 1, size = 2 })`:               `ecs.grid: a grid has component, x, y, cell, carry and query, not string "size"`,
		`ecs.grid("g", { component = "Position", cel = 1 })`:                          `ecs.grid: a grid has component, x, y, cell, carry and query, not string "cel"; did you mean "cell"?`,
		`ecs.grid("g", { component = "Position", cell = 1, [7] = 2 })`:                `ecs.grid: a grid has component, x, y, cell, carry and query, not number 7`,
		`ecs.grid("g", { component = "Position", cell = 1, carry = "Velocity.dx" })`:  "",
		`ecs.grid("g", { component = "Position", cell = 1, carry = "Velocty.dx" })`:   `component "Velocty" is not declared; did you mean "Velocity"?`,
		`ecs.grid("g", { component = "Position", cell = 1, carry = "Velocity.dxx" })`: `component "Velocity" has no field "dxx"; did you mean "dx"?`,
		`ecs.grid("g", { component = "Position", cell = 1, carry = 5 })`:              "ecs.grid: carry must be a name, not number 5",
		`ecs.grid("g", { component = "Position", cell = 1, carry = "nothing" })`:      `tag "nothing" is not declared; declare it under tags in the config, or with ecs.tag`,
		`ecs.grid("g", 5)`: "bad argument #2 to 'grid' (table expected, got number)",
	} {
		fails(t, body, want)
		s := newScene(t) // and while a file is loaded
		if _, err := s.load("local ecs = require('ecs') " + body); message(err) != want && (want != "" || err != nil) {
			t.Errorf("loading %s\ngot  %v\nwant %s", body, message(err), want)
		}
		s = newScene(t)
		s.noWorld = true
		if err := s.run(body); err == nil {
			t.Errorf("%s: declared in no world", body)
		}
	}
}

// What was declared is what was written, defaults and order included.
func TestDeclared(t *testing.T) {
	s := newScene(t)
	s.surface.TrackRemovals()
	_, err := s.load(`local ecs = require("ecs")
		ecs.component("Mana", { amount = { type = "f64", default = 2.5 }, kind = "string", left = { type = "u8", default = 7 } })
		ecs.event("Cast", { who = "entity" }) ecs.relation("Likes") ecs.tag("burning") ecs.resource("wind", { type = "f32", default = 0.5 })
		ecs.grid("near", { component = "Spot", x = "a", y = "b", cell = 3 })
		ecs.component("Spot", { a = "f64", b = "f64" }) -- after the grid that is over it`)
	s.ok(err)
	mana, ok := s.world.LookupComponent("Mana")
	info, _ := s.world.ComponentInfo(mana)
	if got := info.Schema.String(); !ok || got != "{amount f64, kind string, left u8}" {
		t.Errorf("the component has the fields %s", got)
	}
	s.ok(s.run(`local e = world:spawn{ Mana = {} } check.eq(ecs.fields(world:get(e, "Mana")), { amount = 2.5, kind = "", left = 7 })
		check.eq(world.resources.wind, 0.5)
		world:spawn{ Spot = { a = 4, b = 5 } }
		local n = 0 for o, d2 in world:near("near", 4, 6, 2) do n = n + 1 check.eq(d2, 1) end check.eq(n, 1)
		world:relate(e, "Likes", e) world:remove(e, "Mana") world:unrelate(e, "Likes")
		`))
	likes, _ := s.world.LookupComponent("Likes")
	for _, id := range []ecs.ComponentID{mana, likes} {
		if gone := s.world.RemovedSince(nil, id, 0); len(gone) != 1 {
			t.Errorf("of component %d, %v are recorded as removed", id, gone)
		}
	}
	if s.world.LookupGrid("near") == nil {
		t.Error("no grid")
	}
	if _, ok := s.world.LookupEvent("Cast"); !ok {
		t.Error("no event")
	}
	if _, ok := s.world.LookupTag("burning"); !ok {
		t.Error("no tag")
	}
	if len(s.surface.Pending()) != 0 {
		t.Error("names wait that were resolved")
	}
}

// While a file is loaded, worlds and random numbers are out of reach.
func TestLoading(t *testing.T) {
	const only = "a file declares things and returns functions; only those get at a world"
	for body, want := range map[string]string{
		`kept:spawn{}`:              "world:spawn while a file is being loaded: " + only,
		`kept.commands:despawn(1)`:  "world.commands while a file is being loaded: " + only,
		`queue:despawn(1)`:          "world.commands:despawn while a file is being loaded: " + only,
		`local x = kept.dt`:         "world.dt while a file is being loaded: " + only,
		`local x = resources.score`: "world.resources while a file is being loaded: " + only,
		`resources.score = 1`:       "world.resources while a file is being loaded: " + only,
		`for e in each do end`:      "this world:each belongs to an earlier turn of a system; call world:each again",
		`for e in peek do end`:      "this world:peek belongs to an earlier turn of a system; call world:peek again",
		`ecs.describe(kept, 1)`:     "ecs.describe while a file is being loaded: there is no world yet",
		`local n = math.random() math.randomseed(3) assert(n < 1 and ecs.random(3) <= 3)`: "",
		`local q = ecs.query{ "Position" }`:                                               "",
		`local q = ecs.query{ "Positon" }`:                                                `component "Positon" is not declared; did you mean "Position"?`,

		`local s = ecs.name(1) assert(s == "invalid(1)" or s)`: "",
	} {
		s := newScene(t)
		s.ok(s.run(`rawset(_G, "kept", world) rawset(_G, "queue", world.commands) rawset(_G, "resources", world.resources)
			world:spawn{ Position = {} } world:send("Hit") rawset(_G, "each", world:each("Position")) rawset(_G, "peek", world:peek("Hit"))`))
		if _, err := s.load("local ecs = require('ecs') " + body); message(err) != want && (want != "" || err != nil) {
			t.Errorf("%s\ngot  %v\nwant %s", body, message(err), want)
		}
		if s.surface.Loading() {
			t.Errorf("%s: still loading", body)
		}
	}
	s := newScene(t)
	s.ok(s.surface.Load("a.lua", func() error {
		return s.surface.Load("a.lua", func() error {
			if !s.surface.Loading() {
				t.Error("a file in a file is not being loaded")
			}
			return nil
		})
	}))
	s.running = false
	if err := s.state.Call(s.results("a.lua", "return function() return math.random() end")[0]); message(err) != errNoStream.Error() {
		t.Errorf("drawing where no system runs: %v", err)
	}
	w := ecs.NewWorld(ecs.Options{})
	for range 2 {
		if err := DeclareRelations(w); err != nil {
			t.Errorf("the relations cannot be declared twice: %v", err)
		}
	}
}
