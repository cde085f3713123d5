-- Looking round, walking and striking.
local ecs = require("ecs")
local t = require("ecs.test")

local CONFIG = "../../config/arena.yaml"

describe("targeting", function()
  local world
  before_each(function()
    world = t.world{ config = CONFIG, systems = { "targeting", "attack" } }
    local res = world.resources
    res.ravens_x, res.ravens_y, res.stags_x, res.stags_y = 0, 0, 100, 0
  end)

  local function soldier(side, x, y, weapon)
    return world:spawn{
      Position = { x = x, y = y }, Velocity = {}, Health = {}, Target = {},
      Soldier = { side = side, slot = 1, speed = 10 }, -- slot 1: looks round in frames 1, 9, 17 …
      Weapon = weapon or { damage = 10, reach = 3, reload = 1 },
    }
  end

  it("chooses the nearest enemy and walks there", function()
    local raven = soldier(0, 0, 0)
    soldier(1, 9, 0)
    local near = soldier(1, 3, 4)
    soldier(0, 1, 0) -- a comrade is nobody to strike
    world:step(1, 0.1)
    assert.equal(near, world:get(raven, "Target").entity)
    assert.near(6, world:get(raven, "Velocity").dx, 1e-9)
    assert.near(8, world:get(raven, "Velocity").dy, 1e-9)
  end)

  it("marches on the middle of the other army when nobody is in sight", function()
    local raven, stag = soldier(0, 20, 0), soldier(1, 60, 0)
    world:step(1, 0.1)
    assert.equal(ecs.none, world:get(raven, "Target").entity)
    assert.near(10, world:get(raven, "Velocity").dx, 1e-9)
    assert.near(-10, world:get(stag, "Velocity").dx, 1e-9)
  end)

  it("stands and strikes what is in reach", function()
    local raven, stag = soldier(0, 0, 0, { damage = 10, reach = 3, reload = 1000 }), soldier(1, 2, 0, { reach = 0 })
    world:step(1, 0.1)
    assert.equal(0, world:get(raven, "Velocity").dx)
    local hits = t.list(world:peek("Hit"))
    assert.equal(1, #hits)
    assert.equal(stag, hits[1].target)
    assert.is_true(hits[1].amount >= 5 and hits[1].amount < 15)
    world:step(20, 0.1)
    assert.same({}, t.list(world:peek("Hit"))) -- it is still reloading
  end)

  it("runs for home when its side has broken", function()
    local raven, stag = soldier(0, 50, 0), soldier(1, 52, 0)
    world.resources.broken = 1
    world:step(1, 0.1)
    assert.equal(-10, world:get(raven, "Velocity").dx)
    assert.equal(ecs.none, world:get(raven, "Target").entity)
    assert.equal(raven, world:get(stag, "Target").entity) -- and the others give chase
  end)
end)
