package surface

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// What is said about names that are not declared: a near name, or what the name is instead.
func TestUnknownNames(t *testing.T) {
	for body, want := range map[string]string{
		`world:get(1, "Positon")`:                           `component "Positon" is not declared; did you mean "Position"?`,
		`world:get(1, "Zzz")`:                               `component "Zzz" is not declared; declare it under components in the config, or with ecs.component`,
		`world:get(1, "Hit")`:                               `component "Hit" is not declared; "Hit" is an event: write world:send("Hit", { … }), and for event in world:read("Hit") do`,
		`world:get(1, "score")`:                             `component "score" is not declared; "score" is a resource: write world.resources.score`,
		`world:get(1, "enemy")`:                             `component "enemy" is not declared; "enemy" is a tag: write world:tagged(e, "enemy"), which says whether e has it`,
		`world:tag(1, "Marker")`:                            `tag "Marker" is not declared; "Marker" is a component: write world:add(e, "Marker")`,
		`world:tag(1, "ChildOf")`:                           `tag "ChildOf" is not declared; "ChildOf" is a relation: write world:relate(e, "ChildOf", target)`,
		`world:tag(1, "plyer")`:                             `tag "plyer" is not declared; did you mean "player"?`,
		`world:send("Hitt")`:                                `event "Hitt" is not declared; did you mean "Hit"?`,
		`world:relate(1, "Position", 1)`:                    `relation "Position" is not declared; "Position" is a component: write world:set(e, "Position", { … })`,
		`world:relate(1, "Childof", 1)`:                     `relation "Childof" is not declared; did you mean "ChildOf"?`,
		`return world.resources.scor`:                       `resource "scor" is not declared; did you mean "score"?`,
		`world:near("units", 0, 0, 1)`:                      `grid "units" is not declared; declare it with ecs.grid`,
		`world:spawn{ "plaier" }`:                           `tag or component "plaier" is not declared; did you mean "player"?`,
		`world:spawn{ "Hit" }`:                              `tag or component "Hit" is not declared; "Hit" is an event: write world:send("Hit", { … }), and for event in world:read("Hit") do`,
		`world:spawn{ Positon = {} }`:                       `component "Positon" is not declared; did you mean "Position"?`,
		`ecs.query{ "Positon" }`:                            `component "Positon" is not declared; did you mean "Position"?`,
		`ecs.query{ tagged = { "plyer" } }`:                 `tag "plyer" is not declared; did you mean "player"?`,
		`ecs.query{ "Position", without = { "Velociti" } }`: `component "Velociti" is not declared; did you mean "Velocity"?`,
		`ecs.query{ "Position", "Position" }`:               `component "Position" is listed twice`,
		`ecs.query{ "Marker", optional = { "Marker" } }`:    `component "Marker" is listed twice`,
		`ecs.query{ "Position", optional = { "Marker", "Velocity", "Marker" } }`: `component "Marker" is listed twice`,
		`world:spawn{ Health = { curent = 1 } }`:                                 `Health has no field "curent"; did you mean "current"?`,
		`world:spawn{ Health = { zzzzz = 1 } }`:                                  `Health has no field "zzzzz"; its fields are current, max`,
		`world:spawn{ Kinds = { zzzzz = 1 } }`:                                   `Kinds has no field "zzzzz"; its fields are f64, f32, i32, u32, i16, u16, i8, u8, flag, who, name, items`,
		`world:spawn{ Marker = { x = 1 } }`:                                      `Marker has no fields, so no "x"`,
		`world:send("Hit", { amout = 1 })`:                                       `Hit has no field "amout"; did you mean "amount"?`,
		`world:send("Hit", { [1] = 1 })`:                                         `send Hit: a field needs a name, not number 1`,
		`world:spwan{}`:                                                          `world has no function "spwan"; did you mean "spawn"?`,
		`return world.zzzzzz`:                                                    `world has no function "zzzzzz"`,
		`return world.frme`:                                                      `world has no function "frme"; did you mean "frame"?`,
		`return world[1]`:                                                        `world has named things only, not [1]`,
		`world.commands:spwan{}`:                                                 `world.commands has no function "spwan"; did you mean "spawn"?`,
		`return world.commands[true]`:                                            `world.commands has named things only, not [true]`,
		`ecs.tagg("x")`:                                                          `ecs has no function "tagg"; did you mean "tag"?`,
		`return ecs.non`:                                                         `ecs has no function "non"; did you mean "none"?`,
		`return ecs.randm`:                                                       `ecs has no function "randm"; did you mean "random"?`,
		`ecs.log.inform("x")`:                                                    `ecs.log has no function "inform"; did you mean "info"?`,
		`return ecs[1]`:                                                          `ecs has named things only, not [1]`,
		`ecs.query{ "Position", witout = { "Velocity" } }`:                       `ecs.query has no key "witout"; did you mean "without"?`,
		`ecs.query{ "Position", zzzzz = { "Velocity" } }`:                        `ecs.query has no key "zzzzz"; the required components are listed without a key, and the keys are added, any, changed, optional, order, prefabs, tagged, untagged, without`,
		`world:get(1, ("x"):rep(70))`:                                            `component "` + strings.Repeat("x", 57) + `..." is not declared; declare it under components in the config, or with ecs.component`,
	} {
		fails(t, body, want)
	}
	s := newScene(t)
	if err := s.run(`world:get(1, "Zzz")`); !errors.Is(err, ecs.ErrUnknown) {
		t.Errorf("%v is not ErrUnknown", err)
	}
}

// Fields of a component with many, in a message.
func TestListed(t *testing.T) {
	var names []string
	for i := range 14 {
		names = append(names, fmt.Sprint("f", i))
	}
	for n, want := range map[int]string{
		1:  "f0",
		12: "f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11",
		13: "f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 1 more",
		14: "f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 2 more",
	} {
		if got := listed(names[:n]); got != want {
			t.Errorf("%d names: %s", n, got)
		}
	}
}

// A field is found by its name in components of few fields and of many.
func TestFieldsByName(t *testing.T) {
	s := newScene(t)
	for n := range 12 {
		var fields []ecs.Field
		for i := range n {
			fields = append(fields, ecs.Field{Name: fmt.Sprint("f", i), Type: ecs.F64})
		}
		schema, err := ecs.NewSchema(fields...)
		s.ok(err)
		id, err := s.world.DeclareComponent(fmt.Sprint("With", n), schema)
		s.ok(err)
		c := s.bound.componentOf(id)
		for i := range n {
			if got := c.field(fmt.Sprint("f", i)); got != i {
				t.Errorf("field %d of %d is %d", i, n, got)
			}
		}
		if got := c.field(fmt.Sprint("f", n)); got != -1 {
			t.Errorf("a field that is none of %d is %d", n, got)
		}
	}
}

// What is known before a script runs: the same as what the call would say.
func TestKnown(t *testing.T) {
	s := newScene(t)
	_, err := s.world.DeclareGrid(ecs.GridSpec{Name: "units", Component: 2, X: "x", Y: "y", Cell: 4})
	s.ok(err)
	for _, c := range []struct {
		kind NameKind
		name string
		want string
		by   string
	}{
		{ComponentName, "Position", "", ""},
		{ComponentName, "ChildOf", "", ""},
		{ComponentName, "Positon", `component "Positon" is not declared; did you mean "Position"?`, ""},
		{ComponentName, "player", `component "player" is not declared; "player" is a tag: write world:tagged(e, "player")`, "world:has"},
		{TagName, "player", "", ""},
		{TagName, "Position", `tag "Position" is not declared; "Position" is a component: write world.commands:add(e, "Position")`, "world.commands:tag"},
		{PartName, "player", "", ""},
		{PartName, "Marker", "", ""},
		{PartName, "Hit", `tag or component "Hit" is not declared; "Hit" is an event: write world:send("Hit", { … }), and for event in world:read("Hit") do`, "world:spawn"},
		{PartName, "plaier", `tag or component "plaier" is not declared; did you mean "player"?`, ""},
		{PartName, "Makrer", `tag or component "Makrer" is not declared; did you mean "Marker"?`, ""},
		{EventName, "Hit", "", ""},
		{EventName, "Hitt", `event "Hitt" is not declared; did you mean "Hit"?`, ""},
		{ResourceName, "score", "", ""},
		{ResourceName, "scor", `resource "scor" is not declared; did you mean "score"?`, ""},
		{RelationName, "IsA", "", ""},
		{RelationName, "Position", `relation "Position" is not declared; "Position" is a component: write world:get(e, "Position"), which gives its fields`, "world:related"},
		{ComponentName, "units", `component "units" is not declared; "units" is a grid: write for e, d2 in world:near("units", x, y, radius) do`, "world:each"},
		{ComponentName, "Position, Health", `component "Position, Health" is not declared; a string has one name: write "Position", "Health"`, "world:each"},
		{ComponentName, "Health.max", `component "Health.max" is not declared; "max" is a field of Health: write world:get(e, "Health").max`, "world:get"},
		{ComponentName, "Health.max", `component "Health.max" is not declared; "max" is a field of Health: write { max = … } behind "Health"`, "world.commands:set"},
		{GridName, "units", "", ""},
		{GridName, "unit", `grid "unit" is not declared; did you mean "units"?`, ""},
	} {
		if got := Known(s.world, c.by, c.kind, c.name); fmt.Sprint(got) != c.want && (c.want != "" || got != nil) {
			t.Errorf("%d %s: got %v, want %s", c.kind, c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		kind               NameKind
		owner, field, want string
	}{
		{ComponentName, "Health", "max", ""},
		{ComponentName, "Health", "maxi", `Health has no field "maxi"; did you mean "max"?`},
		{ComponentName, "Marker", "x", `Marker has no fields, so no "x"`},
		{ComponentName, "Nobody", "x", ""},
		{ComponentName, "Hit", "x", ""}, // an event is no component
		{EventName, "Hit", "amount", ""},
		{EventName, "Hit", "amont", `Hit has no field "amont"; did you mean "amount"?`},
		{EventName, "Health", "maxi", ""},
		{TagName, "Health", "maxi", ""},
	} {
		if got := KnownField(s.world, c.kind, c.owner, c.field); fmt.Sprint(got) != c.want && (c.want != "" || got != nil) {
			t.Errorf("%d %s.%s: got %v, want %s", c.kind, c.owner, c.field, got, c.want)
		}
	}
}

// What the objects of the surface have.
func TestObjects(t *testing.T) {
	s := newScene(t)
	for _, c := range []struct {
		object         Object
		name           string
		has, dotted    string
		entry, another bool
	}{
		{object: WorldObject, name: "spawn", dotted: "world.spawn is called with a dot; write world:spawn(…)", entry: true},
		{object: WorldObject, name: "dt"},
		{object: WorldObject, name: "spwan", has: `world has no function "spwan"; did you mean "spawn"?`},
		{object: WorldObject, name: strings.Repeat("y", 70), has: `world has no function "` + strings.Repeat("y", 57) + `..."`},
		{object: CommandsObject, name: "spawn", dotted: "world.commands.spawn is called with a dot; write world.commands:spawn(…)", entry: true},
		{object: CommandsObject, name: "get", has: `world.commands has no function "get"; write world:get(e, "Name")`},
		{object: CommandsObject, name: "removeEntity", has: `world.commands has no function "removeEntity"; write world.commands:despawn(e)`},
		{object: WorldObject, name: "score", has: `world has no function "score"; write world.resources.score`},
		{object: WorldObject, name: "Health", has: `world has no function "Health"; write world:get(e, "Health"), which gives its fields`},
		{object: ModuleObject, name: "query", entry: true},
		{object: ModuleObject, name: "random"},
		{object: ModuleObject, name: "none"},
		{object: ModuleObject, name: "log"},
		{object: ModuleObject, name: "loq", has: `ecs has no function "loq"; did you mean "log"?`},
		{object: LogObject, name: "warn", entry: true},
		{object: LogObject, name: "warning", has: `ecs.log has no function "warning"; write ecs.log.warn(message)`},
	} {
		if got := c.object.Has(s.world, c.name); fmt.Sprint(got) != c.has && (c.has != "" || got != nil) {
			t.Errorf("%s %s: got %v, want %s", c.object, c.name, got, c.has)
		}
		if got := c.object.Dotted(c.name); fmt.Sprint(got) != c.dotted && (c.dotted != "" || got != nil) {
			t.Errorf("%s %s: got %v, want %s", c.object, c.name, got, c.dotted)
		}
		if got := c.object.Function(c.name); (got != nil) != c.entry || got != nil && got.Name != c.name {
			t.Errorf("%s %s has the entry %v", c.object, c.name, got)
		}
	}
	for _, do := range []func(){func() { _ = Object("x").Has(nil, "y") }, func() { Object("x").Function("y") }} {
		func() {
			defer func() {
				if r := recover(); r != "surface: unknown object x" {
					t.Errorf("it panics with %v", r)
				}
			}()
			do()
		}()
	}
}

// The list of what scripts can use has each function of package api, and the rest.
func TestNames(t *testing.T) {
	got := strings.Join(Names(), " ")
	if !slices.IsSorted(Names()) {
		t.Errorf("the list is %s", got)
	}
	if want := len(api.World) + len(api.Commands) + len(api.Module) + len(api.Log) + len(api.Layer) + len(api.Properties) + 2; len(Names()) != want {
		t.Errorf("%d names, want %d", len(Names()), want)
	}
	for _, name := range []string{"ecs.none", "ecs.random", "ecs.log.warn", "world:spawn", "world.commands:spawn", "world.dt", "world.resources"} {
		if !strings.Contains(" "+got+" ", " "+name+" ") {
			t.Errorf("%s is missing", name)
		}
	}
}

// A list that lacks a function, or has one too many, is a fault of the program.
func TestListsMustAgree(t *testing.T) {
	run := func(call) int { return 0 }
	for name, list := range map[string]map[string]func(call) int{
		"one is missing":      {"debug": run, "error": run, "info": run},
		"another name":        {"debug": run, "error": run, "info": run, "warning": run},
		"one more than those": {"debug": run, "error": run, "info": run, "warn": run, "x": run},
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.HasPrefix(r, "surface: package api and the functions here differ at ") {
					t.Errorf("%s: it panics with %v", name, r)
				}
			}()
			bind(api.Log, list)
		}()
	}
}
