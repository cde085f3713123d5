-- The thief crosses the corridor, and hides from time to time: nobody sees who is far from it.
local ecs = require("ecs")

local thieves = ecs.query{ "Position", tagged = { "thief" } }

return function(world, dt)
  for e, pos in world:each(thieves) do
    pos.x = pos.x - 4 * dt
    pos.y = math.max(0, 4 * math.sin(world.time / 2))
  end
end
