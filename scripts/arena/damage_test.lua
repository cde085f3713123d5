-- From the blow to the books: damage, burning, death, toll and splinters.
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

describe("burning", function()
  local world
  before_each(function() world = t.world{ config = CONFIG, systems = { "burning", "death", "toll" }, seed = 7 } end)

  it("hurts less behind a shield", function()
    local bare = world:spawn{ Health = {}, "burning" }
    local covered = world:spawn{ Health = {}, Shield = {}, "burning" }
    local calm = world:spawn{ Health = {} }
    world:step(1, 0.1)
    assert.near(97, world:get(bare, "Health").current, 1e-9)
    assert.near(98.8, world:get(covered, "Health").current, 1e-9)
    assert.equal(100, world:get(calm, "Health").current)
  end)

  it("goes out", function()
    local e = world:spawn{ Health = { current = 1e6 }, "burning" }
    world:step(200, 0.1)
    assert.is_false(world:tagged(e, "burning"))
  end)

  it("is a cause of death, and leaves sparks", function()
    for i = 1, 40 do world:spawn{ Position = {}, Soldier = { side = 0 }, Health = { current = 0.1 }, "burning" } end
    world:step(1, 0.1)
    local died = t.list(world:peek("Died"))
    assert.equal(40, #died)
    -- A fire may go out in the very frame in which it kills: then it was steel, for all the books know.
    local burnt = 0
    for _, death in ipairs(died) do
      if death.cause == "fire" then burnt = burnt + 1 end
    end
    assert.is_true(burnt > 20)
    assert.equal(burnt, world.resources.ravens_burnt)
    local sparks = world:count("Ember")
    assert.is_true(sparks > 0 and sparks < burnt)
  end)
end)
