-- Makes what is there at the beginning.
---@param world ecs.World
return function(world)
  world:spawn{ Position = { x = 0 }, Velocity = { dx = 2, dy = 1 } }
end
