-- Run with: ecsrun test scripts/gallery/segregation
local t = require("ecs.test")

local config = "../../../config/gallery/segregation.yaml"

describe("a town", function()
  it("sees neighbours on the other side of its edge", function()
    local world = t.world{ config = config, systems = { "measure" } }
    for _, home in ipairs{ { 0, 0, 1 }, { 59, 19, 1 }, { 1, 0, 2 } } do
      world:spawn{ Home = { x = home[1], y = home[2], kind = home[3] } }
    end
    world:step()
    assert.near((1 / 2 + 1 + 0) / 3, world.resources.alike, 1e-9)
    assert.equal(1, world.resources.unhappy)
  end)

  it("divides itself until nobody is unhappy", function()
    local world = t.world{ config = config, systems = { "populate", "measure" } }
    world:step()
    assert.near(0.5, world.resources.alike, 0.03)
    world = t.world{ config = config }
    local _, reason = world:step(60)
    assert.equal("nobody is unhappy", reason)
    assert.is_true(world.resources.alike > 0.7)
    for e, home in world:each("Home") do assert.equal(1, world:count("homes", home.x, home.y)) end
  end)
end)
