-- Grass grows, slower the more of it there is.
return function(world, dt)
  local grass = world.resources.grass
  world.resources.grass = grass + 150 * (1 - grass / 1500) * dt
end
