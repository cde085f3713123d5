-- Gravity, and a little loss of speed when a drop hits the ground.
return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    vel.dy = vel.dy - 9.81 * dt
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
    if pos.y < 0 then
      pos.y = -pos.y
      vel.dy = -vel.dy * 0.4
    end
  end
end
