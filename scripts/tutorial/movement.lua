-- Moves everything that has a place and a speed.
--
-- `world:each` visits the entities that have all the components named, and gives a view of each component. A view is live: reading pos.x
-- reads the world, assigning to it writes the world, and marks that Position as changed. The landmark has no Velocity, so it is not visited.
return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end
end
