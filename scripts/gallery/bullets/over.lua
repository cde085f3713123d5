-- The bullets and the ship have ended with the state "playing".
return function(world)
  print(("over after %.1f s, %d bullets were fired, %d are left"):format(world.time, world.resources.fired, world:count("Bullet")))
  world:stop("the shield is gone")
end
