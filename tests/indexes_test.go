package tests

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// indexesWorld has agents that move, are born, die and change in every way that a script has, and look each other up, in compiled loops, outside of them, in
// observers, and in turns that fail. The order of arrival decides where they go.
var indexesWorld = map[string]string{
	"c.yaml": `version: 1
run: { frames: 24, seed: 7 }
limits: { on_error: skip }
components:
  - { name: Cell, fields: [x i32, y i16, n f64] }
  - { name: Name, fields: [label string = none, owner entity] }
  - { name: Sum, fields: [n f64, first entity] }
  - { name: Seen, fields: [by entity, times u8] }
  - { name: Spot, fields: [x i16, y i16, n f64] }
tags: [marked]
indexes:
  - { name: cells, component: Cell, fields: [x, y], width: 12, height: 9, wrap: true }
  - { name: board, component: Cell, fields: [x, y], width: 10, height: 9 }
  - { name: anywhere, component: Cell, fields: [x, y] }
  - { name: labels, component: Name, fields: [label, owner] }
  - { name: spots, component: Spot, fields: [x, y], width: 12, height: 9, wrap: true }
  - { name: yard, component: Spot, fields: [x, y], width: 10, height: 9 }
systems:
  - { name: setup, script: setup.lua, stage: startup }
  - { name: walk, script: walk.lua }
  - { name: drift, script: drift.lua, after: [walk] }
  - { name: look, script: look.lua, after: [walk] }
  - { name: watch, script: watch.lua }
  - { name: fails, script: fails.lua }
  - { name: renew, script: renew.lua }
  - { name: mill, script: mill.lua }
  - { name: stumble, script: stumble.lua }
`,
	"setup.lua": `local ecs = require("ecs")
return function(world)
  world:spawn_many(60, { Cell = {}, Sum = {} }, function(i) return { Cell = { x = ecs.random(-3, 15), y = ecs.random(-2, 11), n = i } } end)
  world:spawn_many(150, { Spot = {} }, function(i) return { Spot = { x = ecs.random(-3, 15), y = ecs.random(-2, 11), n = i } } end)
  for i = 1, 40 do world:spawn{ Cell = { x = i % 5, y = i % 3 }, Name = { label = "n" .. i % 4 } } end
end
`,
	"walk.lua": `return function(world, dt)
  for e, cell in world:each("Cell") do
    local first = world:at("cells", cell.x, cell.y)
    if first ~= e then cell.n = cell.n + world:count("cells", cell.x, cell.y) end
    if world:at("board", cell.x + 1, cell.y) == nil then cell.x = cell.x + 1 elseif first == e then cell.y = cell.y + 1 end
    if cell.x > 14 then cell.x, cell.y = -2, cell.y % 9 end
  end
  for e, x, y in world:around("cells", 4, 4, 2, "neumann") do
    local cell = world:get(e, "Cell")
    cell.x, cell.n = x + 1, cell.n + y
  end
end
`,
	"look.lua": `return function(world, dt)
  for e, sum, cell in world:each("Sum", "Cell") do
    local first = world:at("cells", cell.x - 1, cell.y + sum.n % 3)
    if first then sum.first = first end
    if world:at("board", cell.x, -cell.y) == nil then sum.n = sum.n + 1 end
    sum.n = sum.n + world:count("cells", cell.x + 13, cell.y) - world:count("board", cell.x + 9, cell.y)
    if world:at("board", cell.x, cell.y) ~= e and sum.n > 40 then cell.x = cell.x + 2 end
  end
  for e, sum in world:each("Sum") do
    local here = world:at("cells", sum.n % 12, 4) or e
    if world:alive(here) and world:count("cells", 3, 4) > 0 then sum.first = here end
  end
end
`,
	"mill.lua": `local ecs = require("ecs")
return function(world, dt)
  for e, spot in world:each("Spot", { order = "random" }) do
    local all, sum = 0, 0
    for other, x, y in world:around("spots", spot.x, spot.y, 1) do
      all = all + 1
      sum = sum + world:get(other, "Spot").n * x - y
      if all > 6 then break end
    end
    if all < 3 then world:set(e, "Spot", { x = ecs.random(0, 11), y = ecs.random(0, 8) }) end
    spot.n = (spot.n + sum) % 97
  end
  for e, spot in world:each("Spot") do
    for other in world:all("yard", spot.x, spot.y) do
      if other ~= e then spot.n = (spot.n + world:count("spots", spot.x, spot.y)) % 97 end
    end
    spot.x = (spot.x + spot.n % 3) % 14 - 1
    if spot.n % 5 < 1 then
      local other = world:at("spots", spot.y, spot.x)
      if other then world:get(other, "Spot").y = math.floor(spot.n) % 11 - 1 end
    end
  end
  for e, spot in world:each("Spot") do
    for other, x in world:around("yard", spot.x, spot.y, 2, "neumann") do
      if x > spot.x then goto next end
      spot.n = spot.n + x
      ::next::
    end
    for other in world:all("spots", spot.x, spot.y) do
      if spot.n % 7 < 2 then world:get(other, "Spot").x = spot.x + 1 end
    end
  end
end
`,
	"stumble.lua": `return function(world, dt)
  local moved = 0
  for e, spot in world:each("Spot") do
    spot.x, spot.y = spot.y, spot.x
    moved = moved + 1
    if moved > 100 and world.frame % 3 == 0 then spot.x = spot.x + 40000 end
  end
  if world.frame % 3 == 1 then error("enough") end
end
`,
	"drift.lua": `return function(world, dt)
  for e, cell in world:each("Cell") do
    cell.y = (cell.y + 1) % 9
  end
  for e, cell in world:each("Cell") do
    if cell.n % 2 < 1 then cell.x = (cell.x + 3) % 12 end
  end
end
`,
	"watch.lua": `return { init = function(world)
  world:on("set", "Cell", function(world, e, cell)
    if world.frame % 4 == 0 then world.commands:set(world:at("cells", cell.x, cell.y), "Seen", { by = e }) end
  end)
  world:on("removed", "Name", function(world, e, name)
    for other in world:all("labels", name.label, name.owner) do world:tag(other, "marked") end
  end)
end,
update = function(world, dt)
  for e, name in world:each("Name") do
    if world.frame % 3 == 0 then name.label = "n" .. world:count("labels", name.label, name.owner) % 4 end
    if world:tagged(e, "marked") then name.owner = world:at("labels", name.label, nil) end
  end
end }
`,
	"fails.lua": `local ecs = require("ecs")
return function(world, dt)
  local moved = 0
  for e, cell in world:each("Cell") do
    cell.x, cell.y = cell.y, cell.x
    moved = moved + 1
    if moved > 20 and world.frame % 3 == 0 then error("enough") end
  end
  world:despawn(world:at("anywhere", world:get(world:first("Cell"), "Cell").x, world:get(world:first("Cell"), "Cell").y))
  if world.frame % 5 == 0 then world:nothing() end
end
`,
	"renew.lua": `local ecs = require("ecs")
return function(world, dt)
  for i = 1, 4 do
    local e = world:at("cells", ecs.random(0, 11), ecs.random(0, 8))
    if e then
      world:remove(e, "Name")
      world:set(e, "Name", { label = "n" .. i, owner = i > 2 and e or nil })
      if i == 1 then world:despawn(e) world.commands:spawn{ Cell = { x = i, y = world.frame % 9 }, Name = { label = "new" } } end
      if i == 2 then world:remove(e, "Cell") world:add(e, "Cell") end
    end
  end
  local list = {}
  for x = 0, 11 do for e in world:all("cells", x, 4) do list[#list + 1] = e end end
  if #list > 0 then world:get(list[#list], "Cell").n = #list end
end
`,
}

// Indexes are the same under each implementation, after a resume at each frame, and in a replay.
func TestIndexesAreTheSame(t *testing.T) {
	run := program(t, indexesWorld)
	sameEverywhere(t, run, 24, []string{"walk", "look", "drift", "watch", "fails", "renew", "mill", "stumble"})
}

// What people see of indexes in files: differences of order, and an index that is new, gone, or of another size at a resume.
func TestIndexesInFiles(t *testing.T) {
	const head = "version: 1\ncomponents: [{ name: Cell, fields: [x i32, y i32] }, { name: Name, fields: [text string] }]\nsystems: [{ name: s, script: s.lua }]\n"
	run := program(t, map[string]string{
		"c.yaml": head + "indexes: [{ name: cells, component: Cell, fields: [x, y], width: 4, height: 2 }]\n",
		"d.yaml": head + "indexes: [{ name: spots, component: Cell, fields: [x, y] }, { name: names, component: Name, fields: [text] }]\n",
		"e.yaml": head,
		"f.yaml": strings.Replace(head, "version: 1", "version: 1\nlimits: { world: 64KiB }", 1) + "indexes: [{ name: cells, component: Cell, fields: [x, y], width: 400, height: 200 }]\n",
		"s.lua": `return function(world)
  if world.frame == 1 then for i = 1, 3 do world:spawn{ Cell = { x = 1, y = 1 }, Name = { text = "a" } } end end
  local e = world:first("Cell")
  if world.frame == 9 then world:set(e, "Cell", { x = 2 }) world:set(e, "Cell", { x = 1 }) end
end`,
	})
	last := func(dir string, frame int) string { return fmt.Sprintf("%s/frame-%010d.snap", dir, frame) }
	run(0, "run", "c.yaml", "--quiet", "--frames", "9", "--snapshot", "a")
	run(0, "run", "c.yaml", "--quiet", "--frames", "8", "--snapshot", "b")
	if got := run(1, "snapshot", "diff", last("b", 8), last("a", 9)); !strings.Contains(got, "index cells[1,1], entity 1: 0v1, 1v1\n") {
		t.Error(got)
	}
	run(0, "run", "d.yaml", "--quiet", "--frames", "10", "--resume", last("a", 9), "--snapshot", "d")
	run(0, "run", "e.yaml", "--quiet", "--frames", "11", "--resume", last("d", 10), "--snapshot", "e")
	if got := run(1, "snapshot", "diff", last("d", 10), last("e", 11)); !strings.Contains(got, "index spots: declared, not declared") {
		t.Error(got)
	}
	if got := run(5, "run", "f.yaml", "--quiet"); !strings.Contains(got, "limits.world") {
		t.Error(got)
	}
	if _, err := os.Stat(last("e", 11)); err != nil {
		t.Error(err)
	}
}
