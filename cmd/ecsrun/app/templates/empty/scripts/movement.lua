-- Moves everything that has a position and a velocity.
---@param world ecs.World
---@param dt number
return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end
end
