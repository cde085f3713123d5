-- Who breaks, and who then leaves.
local t = require("ecs.test")

local CONFIG = "../../../config/arena.yaml"

describe("courage", function()
  local world
  before_each(function()
    world = t.world{ config = CONFIG, systems = { "morale.courage" } }
    local res = world.resources
    res.ravens, res.ravens_mustered, res.stags, res.stags_mustered = 100, 100, 100, 100
  end)

  it("holds among equals", function()
    world:step(1, 0.1)
    assert.equal(0, world.resources.broken)
  end)

  it("breaks the side that has lost too many, once", function()
    world.resources.ravens, world.resources.stags = 50, 42
    world:step(1, 0.1)
    assert.equal(2, world.resources.broken)
    assert.same({ { side = 1, frame = 1, left = 42 } }, t.list(world:read("Broke")))
    world:step(2, 0.1)
    assert.same({}, t.list(world:read("Broke")))
    assert.is_false(world.resources.over)
  end)
end)

describe("rout", function()
  it("lets the broken side leave at the edge, and nobody else", function()
    local world = t.world{ config = CONFIG, systems = { "morale.rout" } }
    local res = world.resources
    res.field_width, res.broken, res.stags = 100, 2, 2
    local gone = world:spawn{ Position = { x = 99 }, Soldier = { side = 1 } }
    local running = world:spawn{ Position = { x = 50 }, Soldier = { side = 1 } }
    local chasing = world:spawn{ Position = { x = 99 }, Soldier = { side = 0 } }
    world:step(5, 0.1)
    assert.is_false(world:alive(gone))
    assert.is_true(world:alive(running))
    assert.is_true(world:alive(chasing))
    assert.equal(1, res.stags_fled)
    assert.equal(1, res.stags)
  end)
end)

describe("morale", function()
  it("can be switched off: then nobody runs", function()
    local world = t.world{ config = CONFIG, seed = 7, set = { "resources.units=200", "mods.morale.enabled=false" } }
    world:step(600, 0.1)
    assert.equal(0, world.resources.broken)
    assert.equal(0, world.resources.ravens_fled + world.resources.stags_fled)
    assert.is_true(world.resources.over)
  end)
end)
