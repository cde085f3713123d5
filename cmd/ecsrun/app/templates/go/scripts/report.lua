-- Prints how often the balls have bounced.
---@param world ecs.World
return function(world)
  print(string.format("after %.1f s: %d bounces", world.time, world.resources.bounces))
end
