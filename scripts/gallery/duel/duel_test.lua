-- Run with: ecsrun test scripts/gallery/duel
local t = require("ecs.test")

describe("a strike", function()
  it("ends who has no health left", function()
    local world = t.world{ config = "../../../config/gallery/duel.yaml", systems = { "resolve" } }
    local a = world:spawn{ Fighter = { name = "A" } }
    local b = world:spawn{ Fighter = { name = "B", health = 3 } }
    world:send("Strike", { from = a, to = b, power = 5 })
    world:step(1)
    assert.is_false(world:alive(b))
    assert.equal(1, #t.list(world:peek("Fell")))
  end)
end)
