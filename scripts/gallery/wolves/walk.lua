-- Each animal walks, which costs 1. Who has less than that dies, so energy is never negative.
local ecs = require("ecs")

return function(world)
  local width, height = world.layers.ripe:size()
  for e, place, energy in world:each("Place", "Energy") do
    if energy.left < 1 then
      world.commands:despawn(e)
    else
      energy.left = energy.left - 1
      place.x = (place.x + ecs.random(-2, 2)) % width
      place.y = (place.y + ecs.random(-2, 2)) % height
    end
  end
end
