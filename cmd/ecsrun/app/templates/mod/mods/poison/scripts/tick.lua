-- Takes health from everything that is poisoned.
---@param world ecs.World
---@param dt number
return function(world, dt)
  for e, health, poison in world:each("Health", "Poison") do
    health.current = health.current - poison.dps * dt
    if health.current <= 0 then world:send("Died", { who = e }) end
  end
end
