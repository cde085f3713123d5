-- Drops grow old. Entities do not vanish inside a query loop: despawn is a command, applied when the system returns.
return function(world, dt)
  for e, life in world:each("Lifetime") do
    life.left = life.left - dt
    if life.left <= 0 then world.commands:despawn(e) end
  end
end
