-- Sheep eat where grass is ripe. The layer holds the frame in which it will be ripe again, so nobody has to count.
local ecs = require("ecs")

local sheep = ecs.query{ "Place", "Energy", tagged = { "sheep" } }

return function(world)
  local ripe, again = world.layers.ripe, world.frame + world.resources.regrow
  for e, place, energy in world:each(sheep) do
    if ripe:get(place.x, place.y) <= world.frame then
      energy.left = energy.left + 4
      ripe:set(place.x, place.y, again)
    end
  end
end
