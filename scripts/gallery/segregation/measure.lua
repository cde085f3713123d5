-- The mean share of neighbours of the own kind, over all who have neighbours, and how many are unhappy.
local town = require("gallery.segregation.town")

return function(world)
  local wanted = world.resources.wanted
  local sum, homes, unhappy = 0, 0, 0
  for e, home in world:each("Home") do
    local all, alike = town.neighbours(world, home)
    if all > 0 then sum, homes = sum + alike / all, homes + 1 end
    if alike < wanted * all then unhappy = unhappy + 1 end
  end
  world.resources.alike, world.resources.unhappy = sum / homes, unhappy
  print(("%2d  %2.0f %% alike  %3d unhappy"):format(world.frame, 100 * sum / homes, unhappy))
  if unhappy == 0 then world:stop("nobody is unhappy") end
end
