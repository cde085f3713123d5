package luatest

import (
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"

	"github.com/ecsrun/ecsrun/luabind"
)

const head = `local t = require("ecs.test"); local ecs = require("ecs"); `

func TestWorlds(t *testing.T) {
	r := run(t, head+`
it("steps", function()
  local world = t.world{ config = "drain" }
  local e = world:spawn{ Health = { current = 10 } }
  assert.equal(1, world:step()) -- one frame of the config's dt
  assert.equal(9, world:get(e, "Health").current)
  assert.equal(0.25, world.dt)
  assert.equal(2, world:step(2, 0.5))
  assert.equal(5, world:get(e, "Health").current)
  assert.equal(3, world.frame)
  assert.equal(0, world:step(0))
  assert.equal(3, world.frame)
end)
it("sees events as tables", function()
  local world = t.world{ config = "drain" }
  local e = world:spawn{ Health = { current = 1 } }
  world:step()
  assert.is_false(world:alive(e))
  assert.same({ { who = e, cause = "age" } }, t.list(world:peek("Died")))
  for event in world:peek("Died") do assert.same({ who = e, cause = "age" }, event) end
end)
it("compares views", function()
  local world = t.world{}
  local e, other = world:spawn{ Health = {} }, world:spawn{ Health = {} }
  assert.same({ current = 100 }, world:get(e, "Health"))
  assert.same(world:get(other, "Health"), world:get(e, "Health"))
  assert.equal(world:get(e, "Health"), world:get(e, "Health"))
  assert.not_equal(world:get(other, "Health"), world:get(e, "Health"))
end)
ecs.component("Bag", { slots = "u8[3]" })
ecs.resource("heat", "f32[2]")
it("compares arrays with lists", function()
  local world = t.world{}
  local bag = world:get(world:spawn{ Bag = { slots = { 1, 2 } } }, "Bag")
  assert.same({ 1, 2, 0 }, bag.slots)
  assert.same({ slots = { 1, 2, 0 } }, bag)
  assert.same({ 0, 0 }, world.resources.heat)
  assert.not_same({ 1, 2 }, bag.slots)
  assert.not_same({ 1, 2, 3 }, bag.slots)
  local list = ecs.fields(bag.slots)
  bag.slots[1] = 9
  assert.same({ 1, 2, 0 }, list)
end)
it("lists", function()
  local world = t.world{}
  local e = world:spawn{ Health = {} }
  assert.same({ { e, { current = 100 } } }, t.list(world:each("Health")))
  assert.same({ { 1, "a" }, { 2, "b" } }, t.list(ipairs{ "a", "b" }))
  assert.same({ "x", "y" }, t.list(("x y"):gmatch("%a")))
  assert.same({}, t.list(world:peek("Died")))
end)
it("applies queued commands at the next step", function()
  local world = t.world{ config = "drain" }
  local e = world.commands:spawn{ Health = { current = 50 } }
  assert.is_false(world:alive(e))
  world:step()
  assert.is_true(world:alive(e))
end)
it("runs init when it is made", function()
  assert.equal(7, t.world{ config = "starts" }.resources.score)
end)
it("has several", function()
  local one, two = t.world{ config = "drain" }, t.world{ config = "drain" }
  local a, b = one:spawn{ Health = { current = 10 } }, two:spawn{ Health = { current = 10 } }
  one:step(4)
  assert.equal(6, one:get(a, "Health").current)
  assert.equal(10, two:get(b, "Health").current)
  assert.equal(0, two.frame)
end)
it("ends when a system stops it", function()
  local world = t.world{ config = "stops" }
  local ran, reason = world:step(10)
  assert.same({ 3, "enough" }, { ran, reason })
  assert.same({ 0, "enough" }, { world:step() })
end)
it("leaves a loop and steps", function()
  local world = t.world{ config = "drain" }
  local e = world:spawn{ Health = { current = 1 } }
  for _ in world:each("Health") do break end
  world:step()
  assert.is_false(world:alive(e))
end)
it("catches what a system raises", function()
  local world = t.world{ config = "broken" }
  assert.error(function() world:step() end, 'broken.lua:4: system "act", frame 1')
end)`, Options{})
	for _, one := range r.Results {
		if one.Status != Passed {
			t.Errorf("%s: %v", one.Name, one.Failures)
		}
	}
}

func TestWorldsThatFail(t *testing.T) {
	for _, c := range []struct{ code, message string }{
		{`t.world{ config = "drain" }:step(-1)`, `world:step takes a whole number of frames, not -1`},
		{`t.world{ config = "drain" }:step(1, 0)`, `world:step takes a dt above 0, not 0`},
		{`t.world{ config = "drain" }:step("1")`, `bad argument #1 to 'step' (number expected, got string)`},
		{`t.world{}.step(1)`, `call step with a colon: world:step(…)`},
		{
			`local w = t.world{}; w:spawn{ Health = {} }; for _ in w:each("Health") do w:step() end`,
			`world:step inside a query loop of the test; collect what you need first, with t.list`,
		},
		{`t.world{ confg = "x" }`, `t.world: unknown key confg; did you mean config?`},
		{`t.world{ "x" }`, `t.world: unknown key [1]; there are components, config, data, events, indexes, input, layers, prefabs, relations, resources, scripts, seed, set, states, systems, tags`},
		{`t.world("x")`, `t.world takes a table, as in t.world{ config = "../config/arena.yaml" }`},
		{`t.world{ seed = 1.5 }`, `t.world: seed is a whole number from 0, not 1.5`},
		{`t.world{ config = 5 }`, `t.world: config is the path of a config file, not 5`},
		{`t.world{ config = "drain", systems = "act" }`, `t.world: systems is a list of strings, not "act"`},
		{`t.world{ config = "drain", set = { 1 } }`, `t.world: set is a list of strings, not { 1 }`},
		{`t.world{ config = "drain", tags = { "a" } }`, `t.world: tags besides config; a world is described by one of the two`},
		{`t.world{ config = "drain", systems = { { name = "a" } } }`, `t.world: systems besides config is a list of names of the config's systems`},
		{
			`local w = t.world{}; local e = w:spawn{ Health = {} }; assert.equal({ current = 100 }, w:get(e, "Health"))`,
			`two tables with the same content { current = 100 }, but not the same table; use assert.same`,
		},
		{`local w = t.world{}; local e = w:spawn{ Health = {} }; local h = w:get(e, "Health"); w:despawn(e); assert.same({}, h)`, `get Health on 0v1: the entity is dead`},
		{`t.world{ systems = { "act" } }`, `t.world: there is no system "act" without a config; write { name = …, script = … }, or name a config`},
		{`t.world{ config = "missing" }`, `t.world: no such config`},
		{`t.wrld{}`, `ecs.test has no function "wrld"; did you mean "world"?`},
		{`t.list(5)`, `bad argument #1 to 'list' (iterator expected, got number)`},
		{`t.list(function() return 1 end)`, `t.list: more than 1048575 items; does the iterator end?`},
		{`t.world{}:stp()`, `world has no function "stp"; did you mean "step"?`},
		{`ecs.component("X", {})`, `ecs.component: there is no world to declare it in`},
	} {
		r := run(t, head+"it('fails', function() "+c.code+" end)", Options{})
		f := onlyFailure(t, r)
		if f.Message != c.message || f.File != "a_test.lua" || f.Line != 1 {
			t.Errorf("%s\n got %s\nwant a_test.lua:1: %s", c.code, f.Error(), c.message)
		}
	}
}

func TestFailingSystem(t *testing.T) {
	r := run(t, head+`
it("steps", function()
  local world = t.world{ config = "broken" }
  print("made")
  world:step()
end)`, Options{})
	f := onlyFailure(t, r)
	const cause = `broken.lua:4: system "act", frame 1: attempt to index a nil value (local "h")`
	if f.Error() != cause || f.Line != 5 || f.Excerpt != "    5 |   world:step()" {
		t.Errorf("%s, line %d, %q", f.Error(), f.Line, f.Excerpt)
	}
	if len(f.Causes) != 1 || f.Causes[0].Message != cause || f.Causes[0].Excerpt != "    4 |   return h.current" ||
		!slices.Equal(luabind.Traceback(f.Causes[0].Stack), []string{"update (broken.lua:4)"}) {
		t.Errorf("causes %q", f.Causes)
	}
	want(t, r.Results[0].Output, "made\nabout to fail")
}

func TestScriptThatDoesNotLoad(t *testing.T) {
	f := onlyFailure(t, run(t, head+"\nit('x', function() t.world{ config = 'syntax' } end)", Options{}))
	if !strings.HasPrefix(f.Error(), "syntax.lua:1") || f.Line != 2 {
		t.Errorf("%s, line %d", f.Error(), f.Line)
	}
}

func TestPanicIsABug(t *testing.T) {
	r := run(t, head+"it('x', function() pcall(function() t.world{ config = 'native' }:step() end) end)\nit('goes on', function() end)", Options{})
	if !r.Results[0].Bug() || !strings.Contains(r.Results[0].Failures[0].Message, "row 4 is nobody's") {
		t.Error(outcome(r))
	}
	if r.Results[1].Status != Passed {
		t.Error(outcome(r))
	}
}

func TestWorldsEndWithTheirTest(t *testing.T) {
	r := run(t, head+`
local kept
it("makes", function() kept = t.world{ config = "drain" } end)
it("keeps", function() kept:step() end)`, Options{})
	want(t, outcome(r), "ok makes\nFAIL keeps: a_test.lua:4: this world ended with its test")
}

func TestDeclarationsReachWorlds(t *testing.T) {
	r := run(t, head+`
require("lib.mana")
ecs.tag("burning")
ecs.event("Cast", { spell = "string" })
ecs.resource("wind", { type = "f64", default = 3 })
local burning = ecs.query{ "Mana", tagged = { "burning" } }
it("has them", function()
  local world = t.world{}
  local e = world:spawn{ Mana = {}, "burning" }
  assert.equal(12, world:get(e, "Mana").points)
  assert.equal(3, world.resources.wind)
  world:send("Cast", { spell = "frost" })
  assert.same({ { spell = "frost" } }, t.list(world:peek("Cast")))
  assert.equal(1, world:count(burning))
  assert.equal(1, world:count(ecs.query{ "Mana" }))
end)
it("names what is missing", function() t.world{}:count(ecs.query{ "Mna" }) end)`, Options{},
		"lib/mana.lua", `require("ecs").component("Mana", { points = { type = "f64", default = 12 } })`)
	want(t, outcome(r), `ok has them
FAIL names what is missing: a_test.lua:17: component "Mna" is not declared; did you mean "Mana"?`)
}

func TestEntitiesInMessages(t *testing.T) {
	r := run(t, head+`
it("x", function()
  local world = t.world{}
  local a, b = world:spawn{}, world:spawn{}
  assert.equal(a, b)
end)`, Options{})
	if got := onlyFailure(t, r).Message; got != "expected 0v1, got 1v1" {
		t.Error(got)
	}
}

func TestSpec(t *testing.T) {
	var got []WorldSpec
	seed := uint64(5)
	run(t, head+`
it("a", function()
  t.world{ config = "drain", systems = {}, seed = 9, set = { "resources.units=100" } }
  t.world{ components = { { name = "A", fields = {} } }, tags = {}, systems = { { name = "s", script = "s.lua", after = {} } } }
end)`, Options{Seed: &seed, Worlds: func(s WorldSpec) (*World, error) { got = append(got, s); return worlds(s) }})
	if len(got) != 2 {
		t.Fatalf("%d worlds", len(got))
	}
	a, b := got[0], got[1]
	if a.Config != "drain" || a.Keep == nil || len(a.Keep) != 0 || *a.Seed != 9 || !slices.Equal(a.Set, []string{"resources.units=100"}) || a.Inline != nil {
		t.Errorf("%+v", a)
	}
	const inline = `{"components":[{"fields":[],"name":"A"}],"systems":[{"after":[],"name":"s","script":"s.lua"}],"tags":[],"version":1}`
	if b.Keep != nil || *b.Seed != 5 || string(b.Inline) != inline {
		t.Errorf("%+v %s", b, b.Inline)
	}
	if err := b.Declare(ecs.NewWorld(ecs.Options{})); err != nil {
		t.Error(err)
	}
}
