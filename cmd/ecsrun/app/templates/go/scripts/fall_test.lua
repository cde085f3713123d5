local t = require("ecs.test")

describe("fall", function()
  local world
  before_each(function() world = t.world{ config = "../config.yaml", systems = { "fall" } } end)

  it("is faster from frame to frame", function()
    local ball = world:spawn{ Height = { y = 100 } }
    world:step(2, 1)
    assert.near(-19.62, world:get(ball, "Height").dy, 1e-9)
    assert.near(100 - 9.81 - 19.62, world:get(ball, "Height").y, 1e-9)
  end)

  it("ends on the ground, with a bounce", function()
    local ball = world:spawn{ Height = { y = 0, dy = -1 } }
    world:step(1, 0.1)
    assert.is_true(world:get(ball, "Height").y > 0)
    assert.is_true(world:get(ball, "Height").dy > 0)
    assert.equal(1, world.resources.bounces)
  end)
end)
