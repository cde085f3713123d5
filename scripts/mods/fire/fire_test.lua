-- Who burns, for how long, and who has fire arrows.
local ecs = require("ecs")
local t = require("ecs.test")

local CONFIG = "../../../config/arena.yaml"

describe("burning", function()
  local world
  before_each(function() world = t.world{ config = CONFIG, systems = { "fire.burning", "death", "toll" }, seed = 7 } end)

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

describe("fire", function()
  local archers = ecs.query{ "Weapon", tagged = { "archer" } }

  local function least_fire(world)
    local least = 1
    for e, weapon in world:each(archers) do least = math.min(least, weapon.fire) end
    return least
  end

  it("is in the arrows of all archers", function()
    local world = t.world{ config = CONFIG, set = { "resources.units=200" } }
    assert.equal(0.08, least_fire(world))
    world:spawn{ Weapon = {}, "archer" } -- as the reserves come
    world:step(1, 0.1)
    assert.equal(0.08, least_fire(world))
  end)

  it("can be switched off", function()
    local world = t.world{ config = CONFIG, set = { "resources.units=200", "mods.fire.enabled=false" } }
    assert.equal(0, least_fire(world))
    world:step(100, 0.1)
    assert.equal(0, world:count(ecs.query{ "Health", tagged = { "burning" } }))
    assert.equal(0, world.resources.ravens_burnt + world.resources.stags_burnt)
    assert.is_true(world.resources.ravens_fallen > 0)
  end)
end)
