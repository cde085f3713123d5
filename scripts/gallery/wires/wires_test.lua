-- Run with: ecsrun test scripts/gallery/wires
local t = require("ecs.test")

local GATES = {
  ["or"] = function(a, b) return a or b end,
  ["and"] = function(a, b) return a and b end,
  xor = function(a, b) return a ~= b end,
}

describe("a gate of cells", function()
  it("answers each case as its truth table does", function()
    local world = t.world{ config = "../../../config/gallery/wires.yaml", systems = { "populate", "feed", "flow", "tell" } }
    for case = 0, 3 do
      world:step(32)
      for e, gate in world:each("Gate") do
        assert.equal(GATES[gate.name](case >= 2, case % 2 == 1), gate.lit)
      end
    end
  end)
end)
