package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// layersWorld has agents that read and write layers of all kinds: in compiled loops, outside of them, in turns that fail, under names that are kept in
// variables.
var layersWorld = map[string]string{
	"c.yaml": `version: 1
run: { frames: 24, seed: 7 }
limits: { on_error: skip }
components:
  - { name: Pos, fields: [x i32, y i32, n f64] }
layers:
  - { name: ground, type: u8, width: 60, height: 40, default: 1 }
  - { name: heat, type: f32, width: 50, height: 30, wrap: true }
  - { name: wet, type: bool, width: 40, height: 40, wrap: true }
  - { name: owner, type: entity, width: 64, height: 64, wrap: true }
  - { name: wide, type: i64, width: 16, height: 16, wrap: true, default: -5 }
  - { name: short, type: i16, file: maps/short.csv }
systems:
  - { name: setup, script: setup.lua, stage: startup }
  - { name: walk, script: walk.lua }
  - { name: held, script: held.lua, after: [walk] }
  - { name: cells, script: cells.lua }
  - { name: fails, script: fails.lua }
`,
	"maps/short.csv": strings.Repeat("1,2,3,4,5,6,7,8,9\n", 11),
	"setup.lua": `local ecs = require("ecs")
return function(world)
  for i = 1, 150 do world:spawn{ Pos = { x = ecs.random(0, 39), y = ecs.random(0, 39), n = i } } end
end
`,
	"walk.lua": `return function(world, dt)
  local ground, heat = world.layers.ground, world.layers.heat
  for e, pos in world:each("Pos") do
    local g = ground:get(pos.x, pos.y)
    ground:set(pos.x, pos.y, (g + 3) % 256)
    heat:add(pos.x - 200, pos.y * 3, 0.25)
    pos.n = pos.n + heat:get(pos.x + 7, -pos.y) + g
    if not world.layers.wet:get(pos.x, pos.y) then world.layers.wet:set(pos.y, pos.x, pos.n % 2 < 1) end
    pos.x = (pos.x + 1) % 40
  end
  for x, y, v in ground:around(5, 5, 2, "neumann") do heat:add(x, y, v) end
end
`,
	"held.lua": `local layer
return { init = function(world) layer = world.layers.owner end,
update = function(world, dt)
  local wide, short = world.layers.wide, world.layers.short
  for e, pos in world:each("Pos") do
    if layer:get(pos.x, pos.y) == 0 then layer:set(pos.x, pos.y, e) else layer:set(pos.x + 1, pos.y, nil) end
    wide:set(pos.x, pos.y, wide:get(pos.y, pos.x) + pos.x)
    if pos.x < 9 and pos.y < 11 then short:add(pos.x, pos.y, pos.y - 5) end
    pos.n = pos.n + wide:get(1, 1)
  end
  local n = 0
  for x, y, e in layer:each() do if e ~= 0 then n = n + 1 end end
  world.layers.heat:set(0, 0, n)
end }
`,
	"cells.lua": `local ecs = require("ecs")
local sum, last = 0, nil
return function(world, dt)
  local ground, heat, owner, wet = world.layers.ground, world.layers.heat, world.layers.owner, world.layers.wet
  for x, y, v in ground:each() do
    if (x + y + world.frame) % 7 == 0 then ground:set((x + 1) % 60, y, (v + ecs.random(3)) % 256) end
    sum = sum * 0.5 + v
  end
  for x, y, v in heat:each() do
    local n = 0
    for a, b, o in heat:around(x, y, 1, "neumann") do n = n + o if n > 40 then break end end
    heat:set(x, y, n % 50 / 2)
    if wet:get(x % 40, y) then last = x end
    if world.frame % 4 == 1 and x == 20 and y == 10 then ground:get(60, y) end
  end
  for x, y, e in owner:each() do
    if e ~= ecs.none and x == y then
      world:set(e, "Pos", { n = x }) world.commands:despawn(e)
      world:spawn{ Pos = { x = x % 40, y = y % 40 } }
      if y > 30 + world.frame then break end
    end
  end
  heat:set(0, 0, sum + (last or 0))
end
`,
	"fails.lua": `return function(world, dt)
  for e, pos in world:each("Pos") do
    world.layers.ground:set(pos.x, pos.y, 7)
    world.layers.heat:add(pos.x, 1, 1)
    if world.frame % 3 == 0 then world.layers.short:get(pos.x, pos.y + world.frame) end
  end
end
`,
}

// Layers are the same under each implementation, after a resume at each frame, and in a replay.
func TestLayersAreTheSame(t *testing.T) {
	run := program(t, layersWorld)
	sameEverywhere(t, run, 24, []string{"walk", "held", "cells", "fails"})
	if err := os.Remove("maps/short.csv"); err != nil {
		t.Fatal(err)
	}
	run(0, "replay", "run.rec")
}

// What people see of layers in files.
func TestLayersInFiles(t *testing.T) {
	run := program(t, map[string]string{
		"c.yaml": "version: 1\nlayers: [{ name: ground, type: u8, width: 4, height: 2, default: 5 }]\nsystems: [{ name: s, script: s.lua }]\n",
		"d.yaml": "version: 1\nlayers: [{ name: soil, type: u8, width: 4, height: 2, default: 5 }]\nsystems: [{ name: s, script: d.lua }]\nrenamed: { layers: { ground: soil } }\n",
		"e.yaml": "version: 1\nsystems: [{ name: s, script: d.lua }]\n",
		"f.yaml": "version: 1\nlimits: { world: 1KiB }\nlayers: [{ name: ground, type: f64, width: 400, height: 2 }]\n",
		"g.yaml": "version: 1\nlimits: { world: 1KiB }\nsystems: [{ name: s, script: g.lua }]\n",
		"s.lua":  "local kept\nreturn function(world) kept = world.layers.ground kept:set(3, 1, world.frame) end\n",
		"d.lua":  "return function(world) end\n",
		"g.lua":  "require('ecs').layer('l', { type = 'f64', width = 1000, height = 9 })\nreturn function() end\n",
	})
	run(0, "run", "c.yaml", "--quiet", "--frames", "9", "--snapshot", "a")
	run(0, "run", "c.yaml", "--quiet", "--frames", "8", "--snapshot", "b")
	last := func(dir string, frame int) string { return fmt.Sprintf("%s/frame-%010d.snap", dir, frame) }
	if got := run(1, "snapshot", "diff", last("b", 8), last("a", 9)); !strings.Contains(got, "layer ground[3,1]: 8, 9\n") {
		t.Error(got)
	}
	run(0, "snapshot", "export", last("a", 9), "--format", "csv", "--out", "out")
	for name, want := range map[string]string{"_layer_ground.csv": "5,5,5,5\n5,5,5,9\n", "_layer_ground.pgm": "P2\n4 2\n255\n5 5 5 5\n5 5 5 9\n"} {
		if got, err := os.ReadFile(filepath.Join("out", name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	run(0, "run", "d.yaml", "--quiet", "--frames", "10", "--resume", last("a", 9), "--snapshot", "c")
	if got := run(1, "snapshot", "diff", last("c", 10), last("a", 9)); !strings.Contains(got, "layer soil") {
		t.Error(got)
	}
	run(0, "snapshot", "export", last("c", 10), "--format", "jsonl", "--out", "soil")
	if got, err := os.ReadFile("soil/_layer_soil.csv"); err != nil || string(got) != "5,5,5,5\n5,5,5,9\n" {
		t.Errorf("renamed: %q, %v", got, err)
	}
	if got := run(2, "run", "e.yaml", "--quiet", "--resume", last("a", 9)); !strings.Contains(got, `layer "ground" (1 cell)`) || !strings.Contains(got, "renamed: { layers: { ground: NAME } }") {
		t.Error(got)
	}
	run(0, "run", "e.yaml", "--quiet", "--frames", "10", "--resume", last("a", 9), "--resume-drop", "ground")
	for _, config := range []string{"f.yaml", "g.yaml"} {
		if got := run(5, "run", config, "--quiet"); !strings.Contains(got, "limits.world") {
			t.Error(got)
		}
	}
}
