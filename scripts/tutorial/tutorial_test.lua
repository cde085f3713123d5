-- Run with: ecsrun test scripts/tutorial
local t = require("ecs.test")

local CONFIG = "../../config/tutorial.yaml"

describe("movement", function()
  local world
  before_each(function() world = t.world{ config = CONFIG, systems = { "movement" } } end)

  it("moves by velocity times dt", function()
    local e = world:spawn{ Position = { x = 1, y = 2 }, Velocity = { dx = 10, dy = -4 } }
    world:step(2, 0.5) -- two frames of half a second
    assert.equal(11, world:get(e, "Position").x)
    assert.equal(-2, world:get(e, "Position").y)
  end)

  it("leaves alone what has no velocity", function()
    local rock = world:spawn{ Position = { x = 3, y = 3 } }
    world:step(5, 1)
    assert.equal(3, world:get(rock, "Position").x)
  end)
end)

describe("collision", function()
  local world
  before_each(function() world = t.world{ config = CONFIG, systems = { "collision" } } end)

  it("is told once, as an event", function()
    local player = world:spawn{ Position = { x = 0 }, "player" }
    local enemy = world:spawn{ Position = { x = 1 }, "enemy" }
    world:spawn{ Position = { x = 1.5 }, "enemy" } -- out of reach
    world:step(1, 1)
    assert.same({ { a = player, b = enemy } }, t.list(world:peek("Collision")))
  end)

  it("needs a player and an enemy", function()
    world:spawn{ Position = {}, "enemy" }
    world:spawn{ Position = {}, "enemy" }
    world:spawn{ Position = {} }
    world:step(1, 1)
    assert.same({}, t.list(world:peek("Collision")))
  end)
end)

describe("the whole tutorial", function()
  local ecs = require("ecs")
  local world, player, enemy
  before_each(function()
    world = t.world{ config = CONFIG }
    player = world:first(ecs.query{ "Position", tagged = { "player" } })
    enemy = world:first(ecs.query{ "Position", tagged = { "enemy" } })
  end)

  it("begins with three entities", function()
    assert.equal(3, world:count())
    assert.equal(0, world:get(player, "Position").x)
    assert.equal(6, world:get(enemy, "Position").x)
  end)

  it("ends for the enemy in frame 3", function()
    world:step(2, 1)
    assert.is_true(world:alive(enemy))
    world:step(1, 1)
    assert.is_false(world:alive(enemy))
    assert.is_true(world:alive(player))
  end)

  it("leaves the landmark where it is", function()
    world:step(4, 1)
    local where = {}
    for e, name, pos in world:each("Name", "Position") do where[name.text] = pos.x end
    assert.same({ player = 4, landmark = 10 }, where)
  end)
end)
