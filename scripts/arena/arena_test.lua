-- Whole battles, small ones.
local ecs = require("ecs")
local t = require("ecs.test")
local sides = require("lib.sides")

local CONFIG = "../../config/arena.yaml"

local function battle(seed)
  return t.world{ config = CONFIG, seed = seed, set = { "resources.units=200" } }
end

describe("populate", function()
  local world
  before_each(function() world = battle(7) end)

  it("draws up two equal armies, a quarter of them archers", function()
    local n = { [0] = 0, 0 }
    for e, soldier in world:each("Soldier") do n[soldier.side] = n[soldier.side] + 1 end
    assert.same({ 100, 100 }, { n[0], n[1] })
    assert.equal(50, world:count(ecs.query{ "Soldier", tagged = { "archer" } }))
    assert.equal(150, world:count("Soldier", "Shield"))
  end)

  it("keeps them apart and inside the field", function()
    local res = world.resources
    for e, pos, soldier in world:each("Position", "Soldier") do
      assert.is_true(pos.x > 0 and pos.x < res.field_width and pos.y > 0 and pos.y < res.field_height)
      assert.equal(soldier.side == 0, pos.x < res.field_width / 2)
    end
  end)
end)

describe("a battle", function()
  it("is decided, and says how", function()
    local world = battle(7)
    local frames, reason = world:step(600, 0.1)
    assert.is_true(frames < 600)
    assert.matches("won: the %a+ broke at %d%d:%d%d", reason)
    assert.is_true(world.resources.over)
  end)

  it("keeps its books straight in every frame", function()
    local world = battle(7)
    local res = world.resources
    for _ = 1, 150 do
      world:step(1, 0.1)
      for side = 0, 1 do
        local s = sides[side]
        local n = 0
        for e, soldier in world:each("Soldier") do
          if soldier.side == side then n = n + 1 end
        end
        assert.equal(n, res[s.alive])
        assert.equal(res[s.mustered], res[s.alive] + res[s.fallen] + res[s.fled])
      end
    end
  end)

  it("leaves nobody with less than no health", function()
    local world = battle(7)
    world:step(60, 0.1)
    for e, health in world:each("Health") do assert.is_true(health.current > 0) end
  end)
end)
