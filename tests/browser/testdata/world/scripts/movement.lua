local ecs = require("ecs")

local moving = ecs.query { "Position", "Velocity", untagged = { "frozen" } }

return function(world, dt)
  for _, p, v in world:each(moving) do
    p.x = p.x + v.dx * dt
    p.y = p.y + v.dy * dt
  end
end
