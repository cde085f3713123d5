-- Run with: ecsrun test scripts/gallery/life
local t = require("ecs.test")

describe("the rules of life", function()
  it("turn a blinker by a quarter each generation", function()
    local world = t.world{ config = "../../../config/gallery/life.yaml", systems = { "count", "live" } }
    local cells = {}
    for y = 0, 15 do
      for x = 0, 39 do cells[y * 40 + x] = world:spawn{ Cell = { x = x, y = y } } end
    end
    for x = 4, 6 do world:tag(cells[5 * 40 + x], "alive") end
    world:step(1)
    for d = -1, 1 do assert.is_true(world:tagged(cells[(5 + d) * 40 + 5], "alive")) end
    assert.is_false(world:tagged(cells[5 * 40 + 4], "alive"))
    world:step(1)
    for x = 4, 6 do assert.is_true(world:tagged(cells[5 * 40 + x], "alive")) end
  end)
end)
