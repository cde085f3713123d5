package tests

import (
	"os"
	"strings"
	"testing"
)

// statesWorld has states that are changed by loops, by events, by observers and by turns that fail, and entities that end with them, with children.
var statesWorld = map[string]string{
	"c.yaml": `version: 1
run: { frames: 40, seed: 5 }
limits: { on_error: skip }
components:
  - { name: Score, fields: [n f64, shown string] }
events: [{ name: Key, fields: [code i32], input: true }]
states:
  - { name: game, values: [menu, playing, over] }
  - { name: net, values: [offline, online] }
systems:
  - { name: setup, script: setup.lua, stage: startup }
  - { name: open, script: open.lua, enter: game.menu }
  - { name: begin, script: begin.lua, enter: game.playing }
  - { name: close, script: close.lua, leave: game.playing, when: "states.net == 'online' or frame > 20" }
  - { name: lose, script: lose.lua, leave: net.online }
  - { name: menu, script: menu.lua, in: [game.menu, game.over] }
  - { name: play, script: play.lua, in: game.playing }
  - { name: count, script: count.lua, when: "states.game ~= 'menu'" }
  - { name: watches, script: watches.lua }
`,
	"setup.lua": `return function(world)
  for i = 1, 9 do world:spawn{ Score = {} } end
  assert(world.states.game == "menu")
end
`,
	"open.lua": `return function(world)
  local box = world:spawn{ Score = { n = 1 }, "game.menu" }
  world:spawn{ Score = { n = 2 }, ChildOf = box }
end
`,
	"begin.lua": `local ecs = require("ecs")
return function(world)
  for i = 1, ecs.random(1, 4) do world:spawn{ Score = { n = i }, "game.playing" } end
  if ecs.random(1, 3) == 1 then error("no begin") end
end
`,
	"close.lua": `return function(world)
  for e, score in world:each("Score") do score.n = score.n * 2 % 1000003 end
  if world.states.net == "offline" then world.commands:state("net", "online") end
end
`,
	"lose.lua": `return function(world)
  for e, score in world:each("Score") do world.commands:tag(e, "net.offline") break end
end
`,
	"menu.lua": `local ecs = require("ecs")
return function(world)
  for ev in world:read("Key") do world.commands:state("net", ev.code % 2 == 0 and "online" or "offline") end
  if ecs.random(1, 3) > 1 then world.commands:state("game", "playing") end
  if ecs.random(1, 4) == 1 then error("no menu") end
end
`,
	"play.lua": `local ecs = require("ecs")
return function(world)
  local n = 0
  for e, score in world:each("Score") do
    if world.states.net == "online" then score.n = score.n + 3 else score.n = score.n + 1 end
    score.shown = world.states.game
    n = n + 1
  end
  if ecs.random(1, 3) == 1 then
    world.commands:state("game", n % 2 == 0 and "over" or "menu")
    if ecs.random(1, 2) == 1 then error("no play") end
  end
end
`,
	"count.lua": `return function(world)
  local sum = 0
  for e, score in world:each("Score") do sum = (sum * 31 + score.n) % 1000003 end
  for e, score in world:each("Score") do score.n = sum break end
end
`,
	"watches.lua": `return {
  init = function(world)
    world:on("despawned", function(world, e)
      if world.states.game == "playing" then world.commands:state("net", "online") end
      if world:has(e, "Score") then
        world.commands:spawn{ Score = { n = world:get(e, "Score").n }, "game.over" }
      end
      if world.frame % 5 == 0 then error("no watch") end
    end)
  end,
  update = function(world) end,
}
`,
	"keys.jsonl": `{"frame": 3, "send": "Key", "with": {"code": 2}}
{"frame": 9, "send": "Key", "with": {"code": 3}}
{"frame": 17, "send": "Key", "with": {"code": 4}}
`,
}

// States are the same under each implementation, after a resume at each frame, and in a replay.
func TestStatesAreTheSame(t *testing.T) {
	run := program(t, statesWorld)
	sameEverywhere(t, run, 40, []string{"open", "begin", "close", "lose", "menu", "play", "count", "watches"}, "--input", "keys.jsonl")
	run(0, "snapshot", "export", "saves/frame-0000000004.snap", "--format", "csv", "--out", "out")
	if got, err := os.ReadFile("out/_states.csv"); err != nil || !strings.HasPrefix(string(got), "state,value,next\ngame,") {
		t.Errorf("%q, %v", got, err)
	}
	if got := run(1, "snapshot", "diff", "saves/frame-0000000001.snap", "saves/frame-0000000008.snap"); !strings.Contains(got, "state ") {
		t.Error(got)
	}
}

// A small game: --set chooses the first value, tests do the same, check finds names that are wrong, and a loop that reads a state is compiled.
func TestAGameWithStates(t *testing.T) {
	files := map[string]string{
		"c.yaml": `version: 1
run: { frames: 5 }
components: [{ name: Position, fields: [x f64] }]
states: [{ name: game, values: [menu, playing, over] }]
systems:
  - { name: move, script: move.lua, in: game.playing }
  - { name: start, script: start.lua, in: game.menu }
  - { name: bye, script: bye.lua, enter: game.over }
`,
		"move.lua": `return function(world)
  for e, pos in world:each("Position") do
    if world.states.game == "playing" then pos.x = pos.x + 1 end
    if pos.x >= 2 then world.commands:state("game", "over") end
  end
end
`,
		"start.lua": `return function(world)
  world:spawn{ Position = {}, "game.playing" }
  world.commands:state("game", "playing")
end
`,
		"bye.lua": `return function(world) print("over in frame", world.frame, world:count("Position")) end
`,
		"game_test.lua": `local t = require("ecs.test")
it("begins where it is told", function()
  local world = t.world{ config = "c.yaml", set = { "states.game=over" } }
  world:step()
  assert.equal("over", world.states.game)
  local playing = t.world{ config = "c.yaml" }
  assert.equal("menu", playing.states.game)
  playing:step(2)
  assert.equal("playing", playing.states.game)
  playing.commands:state("game", "menu")
  playing:step()
  assert.equal("menu", playing.states.game)
end)
`,
	}
	run := program(t, files)
	if got := run(0, "run", "c.yaml"); !strings.Contains(got, "over in frame\t4\t0") {
		t.Error(got)
	}
	if got := run(0, "run", "c.yaml", "--set", "states.game=over"); !strings.Contains(got, "over in frame\t1\t0") {
		t.Error(got)
	}
	if got := run(-1, "test", "."); !strings.Contains(got, "1 passed") {
		t.Error(got)
	}
	if got := run(0, "explain", "c.yaml"); !strings.Contains(got, "move.lua:2") || !strings.Contains(got, "machine code") {
		t.Error(got)
	}
	run(0, "check", "--strict", "c.yaml")
	for source, want := range map[string]string{
		`world.commands:state("gane", "over")`:    `state "gane" is not declared; did you mean "game"?`,
		`world.commands:state("game", "won")`:     `state "game" has no value "won"; it has menu, playing, over`,
		`print(world.states.gam)`:                 `state "gam" is not declared; did you mean "game"?`,
		`world.states.game = "over"`:              `world.states is read-only; write world.commands:state("game", …)`,
		`world.states = {}`:                       `world.states cannot be replaced`,
		`world.commands:tag(1, "game.won")`:       `tag "game.won" is not declared`,
		`world.commands:state("game", "over", 5)`: `it takes at most 2`,
	} {
		if err := os.WriteFile("bye.lua", []byte("return function(world)\n  "+source+"\nend\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		checked := run(-1, "check", "c.yaml")
		ran := run(-1, "run", "c.yaml")
		if !strings.Contains(ran, want) || !strings.Contains(checked, want) && !strings.Contains(want, "at most") {
			t.Errorf("%s: check\n%s\nrun\n%s", source, checked, ran)
		}
	}
}
