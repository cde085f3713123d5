-- Animals walk, and turn a little as they go. Who reaches the edge of the meadow comes back from the other side.
local ecs = require("ecs")

return function(world, dt)
  local size = world.resources.meadow
  for e, pos, to in world:each("Position", "Heading") do
    to.angle = to.angle + (ecs.random() - 0.5) * 4 * dt
    pos.x = (pos.x + math.cos(to.angle) * to.speed * dt) % size
    pos.y = (pos.y + math.sin(to.angle) * to.speed * dt) % size
  end
end
