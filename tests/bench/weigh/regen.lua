return function(world, dt)
  for e, health in world:each("Health") do
    health.value = health.value + health.rate * dt
    if health.kind < 1 then
      world:send("Told", { who = e, n = health.value })
    end
  end
end
