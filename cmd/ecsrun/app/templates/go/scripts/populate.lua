-- Lets three balls go, at different heights.
---@param world ecs.World
return function(world)
  for i = 1, 3 do world:spawn{ Height = { y = i * 2 } } end
end
