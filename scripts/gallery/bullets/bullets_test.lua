-- Run with: ecsrun test scripts/gallery/bullets
local t = require("ecs.test")

local CONFIG = "../../../config/gallery/bullets.yaml"
local DT, RADIUS = 0.05, 20
local WAVES = { -- of the file waves.csv
  { at = 0, volleys = 8, pause = 0.5, bullets = 250, speed = 3.9 },
  { at = 0.5, volleys = 30, pause = 0.15, bullets = 100, speed = 3.7 },
  { at = 1, volleys = 60, pause = 0.05, bullets = 50, speed = 3.1 },
  { at = 2, volleys = 10, pause = 0.3, bullets = 200, speed = 3.3 },
}

-- The bullets in the air after a frame, without a ship: those that have been fired, and have not flown for longer than the radius takes.
local function expected(frame)
  local n = 0
  for _, wave in ipairs(WAVES) do
    for volley = 0, wave.volleys - 1 do
      local born = math.floor(2 + math.max(wave.at / DT, 1) + volley * wave.pause / DT + 0.5)
      local moves = frame - born + 1
      if moves > 0 and moves * DT * wave.speed <= RADIUS then n = n + wave.bullets end
    end
  end
  return n
end

describe("the volleys", function()
  it("put as many bullets into the air as speeds and pauses say", function()
    local world = t.world{ config = CONFIG, systems = { "title", "begin", "fire", "fly" } }
    for frame = 10, 250, 10 do
      world:step(10, DT)
      assert.equal(expected(frame), world:count("Bullet"))
    end
    assert.equal(0, world:count("Bullet"))
    assert.equal(10000, world.resources.gone)
  end)
end)

describe("a ship without shield", function()
  it("ends the game, and all bullets with it", function()
    local world = t.world{ config = CONFIG, systems = { "begin", "fire", "fly", "hit", "over" }, set = { "states.game=playing" } }
    world:step(1, DT)
    local ship = world:first("Ship")
    world:set(ship, "Ship", { x = 0, y = 0, shield = 1 })
    world:step(3, DT)
    assert.equal("over", world.states.game)
    assert.equal(0, world:count())
  end)
end)
