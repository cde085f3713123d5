-- Run with: ecsrun test scripts/gallery/flock
local t = require("ecs.test")

describe("flying", function()
  it("leaves the sky on one side and comes back on the other", function()
    local world = t.world{ config = "../../../config/gallery/flock.yaml", systems = { "fly" } }
    local bird = world:spawn{ Position = { x = 0.5, y = 3 }, Velocity = { dx = -1 } }
    world:step(1, 1)
    assert.is_true(world:get(bird, "Position").x > 1)
    assert.equal(3, world:get(bird, "Position").y)
  end)
end)
