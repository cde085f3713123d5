-- Prints each change of a state, and the corridor at that moment.
local ecs = require("ecs")
local canvas = require("lib.canvas")

local MARKS = { patrolling = "p", chasing = "C", searching = "s" }
local thieves = ecs.query{ "Position", tagged = { "thief" } }

return function(world)
  for change in world:read("Changed") do
    local corridor = canvas.new(60, 1, ".")
    for e, pos in world:each("Position", "Mind") do
      for tag, mark in pairs(MARKS) do
        if world:tagged(e, tag) then corridor:put(pos.x, 0, mark) end
      end
    end
    for e, pos in world:each(thieves) do corridor:put(pos.x, 0, "T") end
    print(("%5.1f s  %s  %s is %s"):format(world.time, tostring(corridor), world:get(change.who, "Name").text, change.state))
  end
end
