-- Run with: ecsrun test scripts/gallery/predators
local t = require("ecs.test")

describe("digesting", function()
  it("takes energy by speed, and whoever has none left dies", function()
    local world = t.world{ config = "../../../config/gallery/predators.yaml", systems = { "digest" } }
    local fit = world:spawn{ Energy = { left = 5 }, Heading = { speed = 2 } }
    local weak = world:spawn{ Energy = { left = 0.1 }, Heading = { speed = 2 } }
    world:step(1, 1)
    assert.near(4.4, world:get(fit, "Energy").left, 1e-9)
    assert.is_false(world:alive(weak))
  end)
end)
