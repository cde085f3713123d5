-- Run with: ecsrun test scripts/gallery/fountain
local t = require("ecs.test")

describe("a drop", function()
  it("ends when its time is over", function()
    local world = t.world{ config = "../../../config/gallery/fountain.yaml", systems = { "age" } }
    local drop = world:spawn{ Lifetime = { left = 1 } }
    world:step(3, 0.25)
    assert.is_true(world:alive(drop))
    world:step(1, 0.25)
    assert.is_false(world:alive(drop))
  end)
end)
