-- Run with: ecsrun test scripts/gallery/tower
local t = require("ecs.test")

describe("a tower", function()
  it("shoots the creep in its range that has come farthest", function()
    local world = t.world{ config = "../../../config/gallery/tower.yaml", systems = { "shoot" } }
    world:spawn{ Tower = {}, Position = {} }
    world:spawn{ Creep = { walked = 5 }, Position = { x = 1 } }
    local first = world:spawn{ Creep = { walked = 9 }, Position = { x = 2 } }
    world:spawn{ Creep = { walked = 20 }, Position = { x = 90 } }
    world:step(1, 0.1)
    assert.same({ { at = first, damage = 4 } }, t.list(world:peek("Shot")))
  end)
end)
