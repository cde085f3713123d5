-- The size of the town, which is that of the index, and who lives beside whom.
local town = { width = 60, height = 20 }

-- How many neighbours a home has, and how many of them are of its kind.
function town.neighbours(world, home)
  local all, alike = 0, 0
  for other in world:around("homes", home.x, home.y, 1) do
    all = all + 1
    if world:get(other, "Home").kind == home.kind then alike = alike + 1 end
  end
  return all, alike
end

return town
