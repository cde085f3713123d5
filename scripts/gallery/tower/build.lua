-- Builds the next tower as soon as there is gold for it.
local path = require("gallery.tower.path")

local PRICE = 20

return function(world)
  local built = world:count("Tower")
  local site = path.sites[built + 1]
  if site and world.resources.gold >= PRICE then
    world.resources.gold = world.resources.gold - PRICE
    world:spawn{ Position = { x = site[1], y = site[2] }, Tower = {} }
  end
end
