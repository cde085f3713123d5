return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end
end
