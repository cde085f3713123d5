return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
    if pos.x < 0 or pos.x > 800 then vel.dx = -vel.dx end
    if pos.y < 0 or pos.y > 600 then vel.dy = -vel.dy end
  end
end
