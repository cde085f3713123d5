-- Run with: ecsrun test scripts/gallery/wolves
local ecs = require("ecs")
local t = require("ecs.test")

local config = "../../../config/gallery/wolves.yaml"
local sheep, wolves = ecs.query{ "Energy", tagged = { "sheep" } }, ecs.query{ "Energy", tagged = { "wolf" } }

describe("sheep and wolves", function()
  it("meet on a place, where each wolf eats one sheep", function()
    local world = t.world{ config = config, systems = { "hunt" } }
    local first = world:spawn{ Place = { x = 1, y = 2 }, Energy = { left = 5 }, "wolf" }
    local second = world:spawn{ Place = { x = 1, y = 2 }, Energy = { left = 5 }, "wolf" }
    local prey = world:spawn{ Place = { x = 1, y = 2 }, Energy = { left = 5 }, "sheep" }
    local other = world:spawn{ Place = { x = 2, y = 2 }, Energy = { left = 5 }, "sheep" }
    world:step()
    assert.is_false(world:alive(prey))
    assert.is_true(world:alive(other))
    assert.equal(30, world:get(first, "Energy").left + world:get(second, "Energy").left)
  end)

  it("live side by side, and nobody has less energy than none", function()
    local world = t.world{ config = config }
    for i = 1, 50 do
      world:step(10)
      for e, energy in world:each("Energy") do assert.is_true(energy.left >= 0) end
      assert.is_true(world:count(sheep) > 0 and world:count(wolves) > 0)
    end
  end)

  -- A place feeds a sheep by 4 in 30 frames, and a sheep needs 1 in a frame.
  it("cannot be more sheep than the grass feeds", function()
    local world = t.world{ config = config, set = { "resources.wolves=0" } }
    world:step(200)
    local sum = 0
    for i = 1, 300 do
      world:step()
      sum = sum + world:count(sheep)
    end
    local most = 50 * 50 * 4 / world.resources.regrow
    assert.is_true(sum / 300 <= most and sum / 300 > most / 2)
  end)
end)
