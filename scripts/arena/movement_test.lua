-- Movement, bounce and lifetime: what moves, embers among it. The config chooses the Go functions for them; tests/arena_test.go holds both
-- implementations to the same digests.
local t = require("ecs.test")

local CONFIG = "../../config/arena.yaml"

describe("movement", function()
  local world
  before_each(function() world = t.world{ config = CONFIG, systems = { "movement" } } end)

  it("moves by velocity times dt", function()
    local e = world:spawn{ Position = { x = 1, y = 2 }, Velocity = { dx = 4, dy = -2 } }
    world:step(1, 0.5)
    assert.equal(3, world:get(e, "Position").x)
    assert.equal(1, world:get(e, "Position").y)
  end)
end)

describe("bounce", function()
  local world
  before_each(function()
    world = t.world{ config = CONFIG, systems = { "bounce" } }
    world.resources.field_width, world.resources.field_height = 100, 50
  end)

  local function after_a_frame(x, y, dx, dy)
    local e = world:spawn{ Position = { x = x, y = y }, Velocity = { dx = dx, dy = dy } }
    world:step(1, 0.1)
    local vel = world:get(e, "Velocity")
    return { vel.dx, vel.dy }
  end

  it("turns round what leaves the field", function()
    assert.same({ 3, 1 }, after_a_frame(-1, 20, -3, 1))
    assert.same({ -3, 1 }, after_a_frame(101, 20, 3, 1))
    assert.same({ 3, -1 }, after_a_frame(50, 51, 3, 1))
  end)

  it("lets go on what is coming back", function()
    assert.same({ 3, 1 }, after_a_frame(-1, 20, 3, 1))
  end)
end)

describe("lifetime", function()
  it("ends in its frame, not before", function()
    local world = t.world{ config = CONFIG, systems = { "lifetime" } }
    local spark = world:spawn{ Lifetime = { left = 1 }, Ember = {} }
    world:step(1, 0.5)
    assert.is_true(world:alive(spark))
    world:step(1, 0.5)
    assert.is_false(world:alive(spark))
  end)
end)
