package surface

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// What the log is given: place, level, message and fields in the order of the table; fields that the log has itself get another name.
func TestLog(t *testing.T) {
	long := strings.Repeat("x", 150)
	for body, want := range map[string]string{
		`ecs.log.debug("a")`:           "1 DEBUG a []",
		`ecs.log.info("a")`:            "1 INFO a []",
		`ecs.log.warn("a")`:            "1 WARN a []",
		"\n\necs.log.error('a')":       "3 ERROR a []",
		`ecs.log.info(nil)`:            "1 INFO nil []",
		`ecs.log.info(5)`:              "1 INFO 5 []",
		`ecs.log.info("a", { n = 1 })`: "1 INFO a [n=1]",
		`ecs.log.info("a", { b = true, a = 2.5, c = "x y", d = { 1, { k = "v" } } })`:                        `1 INFO a [b=true a=2.5 c=x y d={1, {k = "v"}}]`,
		`ecs.log.info("a", { time = 1, level = 2, msg = 3, script = 4, system = 5, frame = 6, frames = 7 })`: "1 INFO a [field.time=1 field.level=2 field.msg=3 field.script=4 field.system=5 field.frame=6 frames=7]",
		`ecs.log.info("a", { "first", [2.5] = 3, [true] = 4 })`:                                              "1 INFO a [1=first 2.5=3 true=4]",
		`ecs.log.info("a", { w = world, q = ecs.query{ "Marker" } })`:                                        "1 INFO a [w=world q=query (Marker)]",
		`ecs.log.info("a", { v = world:get(world:spawn{ Position = { x = 1 } }, "Position") })`:              "1 INFO a [v=Position of 0v1 {x = 1, y = 0}]",
		`ecs.log.info("a", { big = 2^53, less = 2^53 - 1, least = -2^53 + 1, inf = 1/0 })`:                   "1 INFO a [big=9007199254740992 less=9007199254740991 least=-9007199254740991 inf=inf]",
		`ecs.log.info("` + long + `")`: "1 INFO " + long + " []",
	} {
		s := newScene(t)
		if err := s.run(body); err != nil || len(s.logged) != 1 || s.logged[0] != want {
			t.Errorf("%s\ngot  %v, %v\nwant %s", body, s.logged, err, want)
		}
	}
	for body, fits := range map[string]bool{
		`ecs.log.info(("x"):rep(100))`:                                             true,
		`ecs.log.info(("x"):rep(101))`:                                             false,
		`ecs.log.info(("x"):rep(50), { [("y"):rep(49)] = "1" })`:                   true,
		`ecs.log.info(("x"):rep(50), { [("y"):rep(49)] = "12" })`:                  false,
		`ecs.log.info("x", { a = ("x"):rep(98) })`:                                 true,
		`ecs.log.info("x", { a = ("x"):rep(99) })`:                                 false,
		`ecs.log.info("x", { a = { ("x"):rep(94) } })`:                             true,
		`ecs.log.info("x", { a = { ("x"):rep(95) } })`:                             false,
		`local t = {} for i = 1, 40 do t = { t } end ecs.log.info("x", { a = t })`: false, // too deep for plain data: that is a limit, too
	} {
		s := shortScene(t, 100)
		if err := s.run(body); (err == nil) != fits {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// shortScene is a scene whose strings are short.
func shortScene(t *testing.T, most int) *scene {
	s := newScene(t)
	s.state = sandbox.New(sandbox.Options{MaxString: most})
	s.surface = New(s.state)
	s.bound = s.surface.Bind(s.world, s)
	s.env = s.state.NewEnv(sandbox.EnvOptions{})
	module := s.surface.Module(s, s.env, s.surface.GuardRandom(s, s.env))
	s.env.Set("require", s.state.NewFunction(func(L *lua.LState) int { L.Push(module); return 1 }))
	return s
}

// What tostring gives of everything that scripts hold.
func TestTexts(t *testing.T) {
	for expr, want := range map[string]string{
		`world`:                   "world",
		`world.commands`:          "world.commands",
		`world.resources`:         "world.resources",
		`ecs.query{ "Position" }`: "query (Position)",
		`ecs.query{ "Position", "Velocity", optional = { "Marker" }, tagged = { "player", "enemy" } }`: "query (Position, Velocity; optional Marker; tagged player, enemy)",
		`ecs.query{ tagged = { "player" } }`:                             "query (; tagged player)",
		`world:get(world:spawn{ Health = { current = 1.5 } }, "Health")`: "Health of 0v1 {current = 1.5, max = 100}",
		`world:get(world:spawn{ "Marker" }, "Marker")`:                   "Marker of 0v1 {}",
		`ecs.name(4294967297)`:                                           "1v1",
		`ecs.name(0)`:                                                    "none",
		`ecs.name(1.5)`:                                                  "none",
		`ecs.describe(world, world:spawn{})`:                             "entity 0v1 ()",
		`ecs.describe(world, 4294967297)`:                                "entity 1v1 (dead)",
		`ecs.describe(world, world:spawn{ Position = {}, "player", "enemy", Velocity = {} })`:                       "entity 0v1 (Position, Velocity; player, enemy)",
		`ecs.describe(world, world:spawn{ Marker = {}, ChildOf = world:spawn{}, "player" })`:                        "entity 1v1 (Marker, ChildOf 0v1; player)",
		`ecs.describe(world, world:spawn{ ChildOf = world:spawn{} })`:                                               "entity 1v1 (ChildOf 0v1)",
		`table.concat(world:components(world:spawn{ Velocity = {}, Position = {}, ChildOf = world:spawn{} }), " ")`: "Position Velocity",
		`table.concat(world:tags(world:spawn{ "enemy", "player" }), " ")`:                                           "player enemy",
		`#world:components(77) + #world:tags(77)`:                                                                   "0",
	} {
		fails(t, "check.eq(tostring("+expr+"), "+fmt.Sprintf("%q", want)+")", "")
	}
	fails(t, `local e = world:spawn{ "player" } world:send("Hit", { target = e, amount = 0.5, note = "n", extra = { 1, k = true } })
		for ev in world:peek("Hit") do
			check.eq(tostring(ev), 'Hit {target = 0v1, amount = 0.5, note = "n", extra = {1, k = true}}')
			check.eq(ecs.fields(ev), { target = e, amount = 0.5, note = "n", extra = { 1, k = true } })
			check.fails('Hit has no field "amout"; did you mean "amount"?', function() return ev.amout end)
			check.fails("Hit has named fields only, not [1]", function() return ev[1] end)
			check.fails("an event is read-only: Hit.amount cannot be assigned", function() ev.amount = 1 end)
		end`, "")
	fails(t, `local a, b = world:spawn{ Position = {}, Velocity = {} }, world:spawn{ Position = {} }
		check.eq(world:get(a, "Position") == world:get(a, "Position"), true)
		check.eq(world:get(a, "Position") == world:get(b, "Position"), false)
		check.eq(world:get(a, "Position") == world:get(a, "Velocity"), false)
		check.eq(world:get(a, "Position") == ecs.query{ "Position" }, false)`, "")
}

// Messages about nil and about what is no table say what the value is, and how it is used.
func TestDescribedValues(t *testing.T) {
	for body, want := range map[string]string{
		`local v = world:get(world:spawn{ Health = {} }, "Health") local x = v + 1`:          `attempt to perform arithmetic on a view of Health (local "v"); use one of its fields, such as v.current`,
		`local v = world:get(world:spawn{ "Marker" }, "Marker") local x = v + 1`:             `attempt to perform arithmetic on a view of Marker (local "v"); Marker has no fields`,
		`local v = world:get(world:spawn{ Health = {} }, "Health") for k in v do end`:        `attempt to loop over a view of Health; ecs.fields(view) is a table of its fields`,
		`local v = world:get(world:spawn{ Health = {} }, "Health") for k in pairs(v) do end`: `bad argument #1 to 'pairs' (table expected, got a view of Health); ecs.fields(view) is a table of its fields`,
		`local q = ecs.query{ "Marker" } for k in q do end`:                                  `attempt to loop over a query; walk it with world:each(query)`,
		`for k in world do end`:                                                         `attempt to loop over the world; write for e, pos in world:each("Position") do`,
		`local e = world:spawn{} local x = e.Position`:                                  `attempt to index an entity (local "e"); write world:get(e, "Position")`,
		`local e = world:spawn{} local x = e.dx`:                                        `attempt to index an entity (local "e"); a loop gives the entity first, then the views: for e, velocity in world:each("Velocity") do; elsewhere write world:get(e, "Velocity")`,
		`local e = world:spawn{} e:despawn()`:                                           `attempt to index an entity (local "e"); write world:despawn(e)`,
		`local e = world:spawn{} e:jump()`:                                              `attempt to index an entity (local "e"); an entity is a number and has no functions; those of world take it as an argument`,
		`local h = world:get(world:spawn{}, "Health").max`:                              `0v1 has no Health`,
		`local h = world:get(0, "Health").max`:                                          `entity 0 is none, and has no Health`,
		`local e = world:spawn{} world:despawn(e) local h = world:get(e, "Health").max`: `0v1 is dead, so it has no Health`,
		`local e = world:spawn{} local p = world:related(e, "ChildOf") local x = p.y`:   `0v1 has no ChildOf`,
	} {
		s := newScene(t)
		if err := s.run(body); !strings.Contains(message(err), want) {
			t.Errorf("%s\ngot  %s\nwant %s", body, message(err), want)
		}
	}
}

// Resources of one value are that value, those of several have fields.
func TestResources(t *testing.T) {
	type weather struct {
		Wind float64
		Name string
		Cold bool
	}
	for body, want := range map[string]string{
		`local res = world.resources res.score, res.title = res.score + 2, "new" check.eq(res.score, 2) check.eq(res.title, "new")`:                                                  "",
		`local w = world.resources.weather w.wind, w.name, w.cold = 2.5, "storm", true check.eq(w.wind, 2.5) check.eq(w.name, "storm") check.eq(world.resources.weather.cold, true)`: "",
		`check.eq(tostring(world.resources.weather), 'weather {wind = 0, name = "", cold = false}')`:                                                                                 "",
		`check.eq(world.resources.weather == world.resources.weather, true)`:                                                                                                         "",
		`world.resources.weather = 5`:        `resource "weather" has fields: assign to world.resources.weather.NAME`,
		`world.resources.weather.wind = "x"`: `set resource weather.wind: number expected, got string "x"`,
		`world.resources.weather.wnd = 1`:    `weather has no field "wnd"; did you mean "wind"?`,
		`return world.resources.weather.wnd`: `weather has no field "wnd"; did you mean "wind"?`,
		`return world.resources.weather[1]`:  `weather has named fields only, not [1]`,
		`world.resources.weather[true] = 1`:  `weather has named fields only, not [true]`,
	} {
		s := newScene(t)
		_, err := ecs.RegisterResource[weather](s.world, "weather")
		s.ok(err)
		if err := s.run(body); message(err) != want && (want != "" || err != nil) {
			t.Errorf("%s\ngot  %v\nwant %s", body, message(err), want)
		}
	}
	s := newScene(t)
	id, err := s.world.DeclareResource("wide", ecs.I64, ecs.Int(0))
	s.ok(err)
	s.ok(s.world.Resource(id).Set(0, ecs.Int(math.MaxInt64)))
	const want = "get resource wide: a Lua number cannot hold 9223372036854775807 exactly: it holds whole numbers up to 2^53 either way"
	if err := s.run("return world.resources.wide"); message(err) != want {
		t.Errorf("got  %s\nwant %s", message(err), want)
	}
}

// Lines of scripts have numbers, which queued commands carry.
func TestPlaces(t *testing.T) {
	s := newScene(t)
	a, b := sandbox.Pos{File: "a.lua", Line: 1}, sandbox.Pos{File: "a.lua", Line: 2}
	for _, c := range []struct {
		pos  sandbox.Pos
		want uint16
	}{{a, 1}, {b, 2}, {a, 1}, {sandbox.Pos{File: "b.lua", Line: 1}, 3}, {sandbox.Pos{File: "a.lua"}, 0}, {sandbox.Pos{}, 0}} {
		if got := s.surface.Place(c.pos); got != c.want {
			t.Errorf("%v has the number %d, want %d", c.pos, got, c.want)
		}
	}
	if s.surface.PosOf(2) != b || s.surface.PosOf(0) != (sandbox.Pos{}) {
		t.Error("a number stands for another line")
	}
	for i := range 1 << 16 {
		s.surface.Place(sandbox.Pos{File: "c.lua", Line: i + 1})
	}
	if got := s.surface.Place(sandbox.Pos{File: "d.lua", Line: 1}); got != 0 {
		t.Errorf("a line beyond the most has the number %d", got)
	}
	if got := s.surface.PosOf(math.MaxUint16); got != (sandbox.Pos{File: "c.lua", Line: math.MaxUint16 - 3}) {
		t.Errorf("the last number is of %v", got)
	}
	s = newScene(t)
	s.ok(s.run("\n\nfor i = 1, 3 do world.commands:spawn{} end\nworld.commands:spawn{}"))
	if n := len(s.surface.places.list); n != 2 {
		t.Errorf("%d lines have numbers", n)
	}
	s.surface.ForgetSites()
	if len(s.surface.places.bySite) != 0 || len(s.surface.places.list) != 2 {
		t.Error("sites are kept, or lines are forgotten")
	}
}

// Functions of Go that scripts require take and give plain values.
func TestFunctions(t *testing.T) {
	s := newScene(t)
	functions := map[string]func([]ecs.Value) ([]ecs.Value, error){
		"twice": func(args []ecs.Value) ([]ecs.Value, error) { return append(args, args...), nil },
		"fail":  func([]ecs.Value) ([]ecs.Value, error) { return nil, fmt.Errorf("it %s", "failed") },
	}
	s.env.Set("host", Functions(s.surface, s.env, "host", functions))
	for body, want := range map[string]string{
		`check.eq({ host.twice(1, "a", { true }) }, { 1, "a", { true }, 1, "a", { true } })`: "",
		`check.eq(select("#", host.twice()), 0)`:                                             "",
		`check.eq(select("#", host.twice(nil)), 2)`:                                          "",
		`host.fail()`:          "host.fail: it failed",
		`host.twice(1, print)`: "bad argument #2 to 'host.twice' (a function is not plain data (numbers, strings, booleans and tables of them))",
		`host.twic()`:          `host has no function "twic"; did you mean "twice"?`,
		`host.mine = 1`:        "host cannot be changed",
	} {
		if err := s.run(body); message(err) != want && (want != "" || err != nil) {
			t.Errorf("%s\ngot  %v\nwant %s", body, message(err), want)
		}
	}
}

// A State may have several worlds: what is asked of one says nothing of the other.
func TestTwoWorlds(t *testing.T) {
	s := newScene(t)
	other := ecs.NewWorld(ecs.Options{})
	s.ok(DeclareRelations(other))
	bound := s.surface.Bind(other, s)
	bound.Method("step", func(L *lua.LState) int { L.Push(lua.LString("stepped")); return 1 })
	s.env.Set("other", bound.Value())
	s.ok(s.run(`local e = world:spawn{ Position = {} } check.eq(other:count(), 0) check.eq(other:alive(e), false) check.eq(other:step(), "stepped")
		check.fails('world has no function "stp"; did you mean "step"?', function() other:stp() end)
		check.fails('component "Position" is not declared', function() other:get(e, "Position") end)
		for x in world:each("Position") do other:spawn{} end
		check.eq(other:count(), 1)`))
	if WorldOf(bound.Value()) != bound || WorldOf(bound.Commands()) != nil || WorldOf(lua.LNil) != nil || bound.ECS() != other {
		t.Error("WorldOf gives another world")
	}
}
