local t = require("ecs.test")

local CONFIG = "../../../config.yaml"

describe("poison", function()
  it("takes health", function()
    local world = t.world{ config = CONFIG, systems = { "poison.tick" } }
    local rat = world:spawn{ Health = { current = 3 }, Poison = { dps = 2 } }
    world:step(1, 0.5)
    assert.equal(2, world:get(rat, "Health").current)
  end)

  it("says who has died", function()
    local world = t.world{ config = CONFIG, systems = { "poison.tick" } }
    local rat = world:spawn{ Health = { current = 1 }, Poison = { dps = 2 } }
    world:step(1, 0.5)
    assert.same({ { who = rat } }, t.list(world:peek("Died")))
  end)

  it("can be switched off", function()
    local world = t.world{ config = CONFIG, set = { "mods.poison.enabled=false" } }
    world:step(4)
    assert.equal(3, world:count("Health"))
  end)
end)
