return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
  end
  local _, pos = world:first("Position")
  print(world.frame, pos.x)
end
