-- Run with: ecsrun test scripts/gallery/dungeon
local t = require("ecs.test")
local path = require("gallery.dungeon.path")
local sight = require("gallery.dungeon.sight")

local function dungeon() return t.world{ config = "../../../config/gallery/dungeon.yaml", systems = {} } end

-- Distances by breadth: ring after ring, far[y][x]; nil for what is out of reach.
local function flood(rock, from)
  local far = { [from.y] = { [from.x] = 0 } }
  local ring, n = { from }, 0
  while #ring > 0 do
    local next = {}
    n = n + 1
    for _, place in ipairs(ring) do
      for x, y, wall in rock:around(place.x, place.y, 1, "neumann") do
        far[y] = far[y] or {}
        if wall == 0 and not far[y][x] then
          far[y][x] = n
          next[#next + 1] = { x = x, y = y }
        end
      end
    end
    ring = next
  end
  return far
end

describe("a path", function()
  it("is as long as the distance by breadth, and each step is one cell", function()
    local world = dungeon()
    local from = { x = 2, y = 2 }
    local far = flood(world.layers.rock, from)
    for x, y, wall in world.layers.rock:each() do
      if (x + y) % 5 == 0 then
        local way = path.find(world.layers, from, { x = x, y = y })
        assert.equal(far[y] and far[y][x], way and #way)
        local last = from
        for _, step in ipairs(way or {}) do
          assert.equal(1, math.abs(step.x - last.x) + math.abs(step.y - last.y))
          assert.equal(0, world.layers.rock:get(step.x, step.y))
          last = step
        end
      end
    end
  end)
end)

describe("sight", function()
  it("is the same both ways", function()
    local rock = dungeon().layers.rock
    for x, y in rock:each() do
      if (x + 3 * y) % 7 == 0 then
        for ox, oy in rock:around(x, y, 6) do
          assert.equal(sight.clear(rock, x, y, ox, oy), sight.clear(rock, ox, oy, x, y))
        end
      end
    end
  end)

  it("has all of an open room, and nothing behind its walls", function()
    local world = dungeon()
    local rock, seen = world.layers.rock, world.layers.seen
    rock:fill(0)
    rock:fill(1, 10, 2, 11, 11)
    rock:fill(0, 11, 3, 9, 9)
    sight.mark(rock, seen, 13, 5, 20)
    for x, y, lit in seen:each() do
      if rock:get(x, y) == 0 then assert.equal(x > 10 and x < 20 and y > 2 and y < 12, lit) end
    end
  end)
end)
