-- Rabbits eat grass. All of them eat from one resource, so the order of the rabbits decides who gets the last of it.
local ecs = require("ecs")

local rabbits = ecs.query{ "Energy", tagged = { "rabbit" } }

return function(world, dt)
  local grass = world.resources.grass
  for e, energy in world:each(rabbits) do
    local bite = 3 * dt * grass / (grass + 600) -- the less there is, the longer it takes to find
    grass = grass - bite
    energy.left = energy.left + bite * 0.8
  end
  world.resources.grass = grass
end
