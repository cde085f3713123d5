-- Who is ahead, and when it is over.
local t = require("ecs.test")

local CONFIG = "../../config/arena.yaml"

describe("judge", function()
  local world
  before_each(function()
    world = t.world{ config = CONFIG, systems = { "judge" } }
    local res = world.resources
    res.ravens, res.ravens_mustered, res.stags, res.stags_mustered = 100, 100, 100, 100
  end)

  it("sees no leader among equals", function()
    world:step(1, 0.1)
    assert.equal(0, world.resources.leading)
    world.resources.stags = 99 -- nor in so little
    world:step(1, 0.1)
    assert.equal(0, world.resources.leading)
  end)

  it("tells a change of the lead once", function()
    world.resources.stags = 90
    world:step(1, 0.1)
    assert.same({ { side = 0, frame = 1 } }, t.list(world:read("Lead")))
    assert.equal(1, world.resources.leading)
    world:step(5, 0.1)
    assert.same({}, t.list(world:read("Lead")))
  end)

  it("ends the pursuit", function()
    world.resources.stags, world.resources.broken = 40, 2
    world:step(1, 0.1)
    assert.is_false(world.resources.over)
    world.resources.stags = 10
    world:step(1, 0.1)
    assert.is_true(world.resources.over)
    assert.equal(1, world.resources.winner)
  end)

  it("gives the field to whoever is ahead at nightfall", function()
    world.resources.nightfall = 5
    world.resources.ravens = 90
    world:step(4, 0.1)
    assert.is_false(world.resources.over)
    world:step(1, 0.1)
    assert.is_true(world.resources.over)
    assert.equal(2, world.resources.winner)
  end)
end)
