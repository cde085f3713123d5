-- Living costs energy. Who has none left dies.
return function(world, dt)
  for e, energy, to in world:each("Energy", "Heading") do
    energy.left = energy.left - 0.3 * to.speed * dt
    if energy.left <= 0 then world.commands:despawn(e) end
  end
end
