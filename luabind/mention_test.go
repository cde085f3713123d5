package luabind

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// What can be told from the source alone: each line that says "--!" has the
// problem it names, the others have none.
func TestUndeclared(t *testing.T) {
	t.Run("a file that returns a function", func(t *testing.T) { undeclaredIn(t, undeclaredSource) })
	t.Run("a file that returns a table", func(t *testing.T) {
		undeclaredIn(t, `local ecs = require("ecs")
local M, other = {}, {}
function M.update(w, other) w:kill() other:kill() end --! world has no function "kill"; write world:despawn(e)
M.init = function(w) local c = w.commands; c:kill() end --! world.commands has no function "kill"; write world.commands:despawn(e)
function other.update(g, dt) g:kill() g.timer = 0 end
other.states = { walk = { update = function(g) g.timer = g.timer + 1 end } }
return M`)
	})
}

// undeclaredSource is a file with many mistakes.
const undeclaredSource = `
local ecs = require("ecs")
ecs.component("Health", { hp = "f64" })
local q = ecs.query{ "Position" }
ecs.grid("g", { component = "Position", x = "x", y = "y", cell = 10 })
local M = {}
function M.update(w, other) w:kill() other:kill() end
return function(world)
  local e = world:spawn{ Position = { x = 1 }, Health = {}, "selected", "Health" }
  for _, p in world:each("Positoin") do end --! component "Positoin" is not declared; did you mean "Position"?
  for _, p in world:each(q, "ChildOff", e) do end --! relation "ChildOff" is not declared; did you mean "ChildOf"?
  for _, p in world:each(q, "ChildOf", e) do end
  world:relate(e, "OwnedBy", world:related(e, "IsAn")) --! relation "OwnedBy" is not declared; declare it under relations in the config, or with ecs.relationrelation "IsAn" is not declared; did you mean "IsA"?
  world.commands:unrelate(e, "IsA")
  for c in world:sources("Position", e) do end --! relation "Position" is not declared; "Position" is a component: write world:each("Position")
  world:spawn{ ChildOf = e, Position = {} }
  world:get(e, "position") --! component "position" is not declared; did you mean "Position"?
  world:set(e, "Position", { x = 1, z = 2 }) --! Position has no field "z"; its fields are x, y
  world.commands:set(e, "Health", { ph = 2 }) --! Health has no field "ph"; did you mean "hp"?
  world:tag(e, "selcted") --! tag "selcted" is not declared; did you mean "selected"?
  world:tag(e, "Health") --! tag "Health" is not declared; "Health" is a component: write world:add(e, "Health")
  world:send("Hitt", { power = 1 }) --! event "Hitt" is not declared; did you mean "Hit"?
  world:send("Hit", { pwer = 1 }) --! Hit has no field "pwer"; did you mean "power"?
  world.resources.scroe = world.resources.score --! resource "scroe" is not declared; did you mean "score"?
  world:spawn{ "selectd" } --! tag or component "selectd" is not declared; did you mean "selected"?
  world:spawn_many(3, { Positon = {} }) --! component "Positon" is not declared; did you mean "Position"?
  local name, other = "Positoin", { get = function() end }
  world:get(e, name) --! component "Positoin" is not declared; did you mean "Position"?
  other:get(e, "Positoin")
  world:kill(e) --! world has no function "kill"; write world:despawn(e)
  world:despwan(e) --! world has no function "despwan"; did you mean "despawn"?
  local dt = world.dtt --! world has no function "dtt"; did you mean "dt"?
  world.commands:spwan{} --! world.commands has no function "spwan"; did you mean "spawn"?
  for o in world:near("gg", 1, 2, 3) do end --! grid "gg" is not declared; declare it with ecs.grid
  for o in world:near("g", 1, 2, 3) do end
  world.spawn{ Position = {} } --! world.spawn is called with a dot; write world:spawn(…)
  world.despawn(e) --! world.despawn is called with a dot; write world:despawn(…)
  world.despawn(world, e)
  world.commands.despawn(e) --! world.commands.despawn is called with a dot; write world.commands:despawn(…)
  for o in world:each("Position") do world.tag(o, "selected") end --! world.tag is called with a dot; write world:tag(…)
  ecs.nmae(e) --! ecs has no function "nmae"; did you mean "name"?
  ecs.log.inof("x") --! ecs.log has no function "inof"; did you mean "info"?
  local w, cmd, res = world, world.commands, world.resources
  w:each("Positoin") --! component "Positoin" is not declared; did you mean "Position"?
  w:kill() --! world has no function "kill"; write world:despawn(e)
  w.commands:kill() --! world.commands has no function "kill"; write world.commands:despawn(e)
  cmd:tag(e, "selcted") --! tag "selcted" is not declared; did you mean "selected"?
  cmd.despawn(e) --! world.commands.despawn is called with a dot; write world.commands:despawn(…)
  res.scroe = res.score + w.resources.scroe --! resource "scroe" is not declared; did you mean "score"?resource "scroe" is not declared; did you mean "score"?
  local function helper(w, cmd) w:kill() cmd:kill() w.spawn(e) end
  do local w = { kill = function() end }; w:kill() end
  for w in pairs({}) do w:kill() end
  local v = world
  v = other
  v:kill()
  do local z = world z:kill() end --! world has no function "kill"; write world:despawn(e)
  do local z = world z = other z:kill() end
  do local require = function() return other end local m = require("ecs") m.nmae(e) end
  repeat local u = world until u:kill() --! world has no function "kill"; write world:despawn(e)
  undeclared() --! undeclared global "undeclared"; no local of this name is visible here
end`

// undeclaredIn compares the mistakes that are found in a file with those that its comments name.
func undeclaredIn(t *testing.T, source string) {
	w := ecs.NewWorld(ecs.Options{})
	declare := func(fields ...string) *ecs.Schema {
		var list []ecs.Field
		for _, f := range fields {
			list = append(list, ecs.Field{Name: f, Type: ecs.F64})
		}
		s, err := ecs.NewSchema(list...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	_, err1 := w.DeclareComponent("Position", declare("x", "y"))
	_, err2 := w.DeclareTag("selected")
	_, err3 := w.DeclareEvent("Hit", declare("power"))
	_, err4 := w.DeclareResource("score", ecs.F64, ecs.Value{})
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := New(Options{Log: strictLog(t), World: w, Scripts: fstest.MapFS{"a.lua": {Data: []byte(source)}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(System{Name: "a", Script: "a.lua"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Load(); err != nil {
		t.Fatal(err)
	}
	got := map[int]string{} // by line
	for _, e := range r.Undeclared() {
		se := e.(*ScriptError)
		got[se.Line] += se.Message
	}
	for i, line := range strings.Split(source, "\n") {
		_, want, _ := strings.Cut(line, "--! ")
		if got[i+1] != want {
			t.Errorf("line %d:%s\n got %q\nwant %q", i+1, line, got[i+1], want)
		}
	}
}
