-- Makes the rats. What happens to them, mods decide.
---@param world ecs.World
return function(world)
  for i = 1, 3 do world:spawn{ Health = { current = i } } end
end
