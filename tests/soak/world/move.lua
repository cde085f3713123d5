return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = (pos.x + vel.x * dt) % 100
    pos.y = (pos.y + vel.y * dt) % 100
  end
end
