-- The reserves, and who counts them.
local t = require("ecs.test")

local CONFIG = "../../config/arena.yaml"

describe("waves", function()
  local world
  before_each(function() world = t.world{ config = CONFIG, systems = { "waves", "muster" }, seed = 7, set = { "resources.units=1000" } } end)

  it("keeps everybody behind the hills at first", function()
    assert.is_true(world.resources.reserves > 0)
    assert.equal(0, world:count("Soldier"))
  end)

  it("sends all of them in the end, and tells of each wave once", function()
    local reserves = world.resources.reserves
    local told, waves = 0, 0
    for _ = 1, 60 do
      world:step(10, 0.1)
      for wave in world:read("Wave") do
        told, waves = told + wave.size, waves + 1
      end
    end
    assert.equal(6, waves) -- three a side
    assert.equal(reserves, told)
    assert.equal(reserves, world:count("Soldier"))
    assert.equal(reserves, world.resources.ravens + world.resources.stags)
    assert.equal(0, world.resources.reserves)
  end)

  it("sends nobody to a battle that is lost", function()
    world.resources.broken = 1
    world:step(600, 0.1)
    assert.equal(0, world:count("Soldier"))
  end)

  it("depends on the seed, and on nothing else", function()
    local function plan(seed)
      local w = t.world{ config = CONFIG, systems = { "waves" }, seed = seed, set = { "resources.units=1000" } }
      for _ in w:read("Wave") do end -- from here on, every wave is kept for this test
      w:step(200, 0.1)
      return t.list(w:read("Wave"))
    end
    assert.same(plan(1), plan(1))
    assert.is_false(#plan(1) == 0)
    local ok = pcall(assert.same, plan(1), plan(2))
    assert.is_false(ok)
  end)
end)
