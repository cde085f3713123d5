return function(world)
  for e, life in world:each("Life") do
    life.left = life.left - 1
    if life.left <= 0 then world.commands:despawn(e) end
  end
end
