-- By chance an animal shares its energy with a young one.
local ecs = require("ecs")

return function(world)
  for e, place, energy in world:each("Place", "Energy") do
    local wolf = world:tagged(e, "wolf")
    if ecs.random() < (wolf and 0.05 or 0.04) then
      energy.left = energy.left / 2
      world.commands:spawn{
        Place = { x = place.x, y = place.y },
        Energy = { left = energy.left },
        wolf and "wolf" or "sheep",
      }
    end
  end
end
