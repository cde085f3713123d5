-- Run with: ecsrun test scripts/gallery/epidemic
local ecs = require("ecs")
local t = require("ecs.test")

local config = "../../../config/gallery/epidemic.yaml"
local immune = ecs.query{ tagged = { "immune" } }

-- Who escapes has no infecting contact: r = 1 - exp(-r0 * r).
local function final(r0)
  local r = 1
  for i = 1, 100 do r = 1 - math.exp(-r0 * r) end
  return r
end

describe("an epidemic", function()
  it("lasts ten days for each, and comes only once", function()
    local world = t.world{ config = config, systems = { "recover", "sicken" } }
    local who = world:spawn{ "person" }
    world:send("Infect", { who = who })
    world:step(10)
    assert.is_true(world:tagged(who, "ill"))
    world:step()
    assert.is_false(world:tagged(who, "ill"))
    world:send("Infect", { who = who })
    world:step()
    assert.is_false(world:tagged(who, "ill"))
  end)

  for _, contacts in ipairs{ 6, 8, 12 } do
    it(("with %d contacts reaches as many as the theory of random networks says"):format(contacts), function()
      local world = t.world{ config = config, set = { "resources.contacts=" .. contacts } }
      assert.matches("were ill", (select(2, world:step(200))))
      assert.near(final(contacts * (1 - 0.97 ^ 10)), world:count(immune) / 3000, 0.03)
    end)
  end

  it("ends soon if a person infects less than one", function()
    local world = t.world{ config = config, set = { "resources.contacts=2" } }
    world:step(200)
    assert.is_true(world:count(immune) < 150)
  end)
end)
