-- A wolf eats one sheep of those on its place. The index says who is there.
local ecs = require("ecs")

local wolves = ecs.query{ "Place", "Energy", tagged = { "wolf" } }

return function(world)
  for wolf, place, energy in world:each(wolves) do
    for prey in world:all("places", place.x, place.y) do
      if world:tagged(prey, "sheep") then
        energy.left = energy.left + 20
        world:untag(prey, "sheep") -- no other wolf eats it in this frame
        world.commands:despawn(prey)
        break
      end
    end
  end
end
