-- Counts lifetimes down and despawns whoever's is over: here, embers. In Go: ecs/native/lifetime.go.
return function(world, dt)
  for e, life in world:each("Lifetime") do
    life.left = life.left - dt
    if life.left <= 0 then world.commands:despawn(e) end
  end
end
