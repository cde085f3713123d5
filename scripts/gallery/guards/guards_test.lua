-- Run with: ecsrun test scripts/gallery/guards
local t = require("ecs.test")

describe("a guard", function()
  it("chases a thief that it sees", function()
    local world = t.world{ config = "../../../config/gallery/guards.yaml", systems = { "look", "decide" } }
    local guard = world:spawn{ Position = {}, Mind = {}, "patrolling" }
    local thief = world:spawn{ Position = { x = 3 }, "thief" }
    world:step(1, 0.2)
    assert.is_true(world:tagged(guard, "chasing"))
    assert.equal(thief, world:get(guard, "Mind").target)
  end)
end)
