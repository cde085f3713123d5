local t = require("ecs.test")

describe("movement", function()
  it("moves by velocity times dt", function()
    local world = t.world{ config = "../config.yaml", systems = { "movement" } }
    local e = world:spawn{ Position = { x = 1, y = 2 }, Velocity = { dx = 10, dy = -4 } }
    world:step(2, 0.5) -- two frames of half a second
    assert.same({ x = 11, y = -2 }, world:get(e, "Position"))
  end)

  it("leaves alone what has no velocity", function()
    local world = t.world{ config = "../config.yaml", systems = { "movement" } }
    local e = world:spawn{ Position = { x = 1 } }
    world:step(2)
    assert.equal(1, world:get(e, "Position").x)
  end)
end)
