-- From the blow to the books: damage, death, toll and splinters.
local t = require("ecs.test")

local CONFIG = "../../config/arena.yaml"

describe("damage", function()
  local world
  before_each(function() world = t.world{ config = CONFIG, systems = { "damage", "death", "toll", "splinters" } } end)

  local function soldier(parts)
    parts = parts or {}
    return world:spawn{ Position = {}, Soldier = { side = 1 }, Health = { current = parts.health or 100 } }
  end

  it("takes a blow from the health", function()
    local e = soldier()
    world:send("Hit", { target = e, amount = 30 })
    world:step(1, 0.1)
    assert.equal(70, world:get(e, "Health").current)
  end)

  it("counts each blow once", function()
    local e = soldier()
    world:send("Hit", { target = e, amount = 30 })
    world:step(3, 0.1)
    assert.equal(70, world:get(e, "Health").current)
  end)

  it("lets a shield take most of it until it breaks", function()
    local e = soldier()
    world:add(e, "Shield") -- strength 60
    world:send("Hit", { target = e, amount = 50 })
    world:step(1, 0.1)
    assert.equal(80, world:get(e, "Health").current)
    assert.equal(10, world:get(e, "Shield").strength)
    world:send("Hit", { target = e, amount = 50 })
    world:step(1, 0.1)
    assert.equal(60, world:get(e, "Health").current)
    assert.is_false(world:has(e, "Shield"))
    assert.equal(1, world.resources.shields_broken)
  end)

  it("kills at zero and says why", function()
    local e = soldier{ health = 10 }
    world:send("Hit", { target = e, amount = 10 })
    world:send("Hit", { target = e, amount = 10 }) -- the fallen feel nothing: no second death
    world:step(1, 0.1)
    assert.is_false(world:alive(e))
    assert.same({ { who = e, side = 1, cause = "steel" } }, t.list(world:peek("Died")))
    assert.equal(1, world.resources.stags_fallen)
    assert.equal(0, world.resources.ravens_fallen)
  end)

  it("does not count the shields of the fallen as broken", function()
    local e = soldier{ health = 1 }
    world:add(e, "Shield")
    world:step(1, 0.1)
    world:send("Hit", { target = e, amount = 10 })
    world:step(1, 0.1)
    assert.is_false(world:alive(e))
    assert.equal(0, world.resources.shields_broken)
  end)

  it("sets fire to whom a fiery blow hits", function()
    local e, other = soldier(), soldier()
    world:send("Hit", { target = e, amount = 1, fire = true })
    world:send("Hit", { target = other, amount = 1 })
    world:step(1, 0.1)
    assert.is_true(world:tagged(e, "burning"))
    assert.is_false(world:tagged(other, "burning"))
  end)
end)
