-- A hungry fox eats the nearest rabbit that it can reach. The rabbit dies when the system returns: commands are applied then.
local ecs = require("ecs")

ecs.grid("animals", { component = "Position", cell = 2 })
local foxes = ecs.query{ "Position", "Energy", tagged = { "fox" } }

return function(world)
  for fox, pos, energy in world:each(foxes) do
    if energy.left < 10 then
      local prey, best = ecs.none, 1 * 1
      for other, d2 in world:near("animals", pos.x, pos.y, 1) do
        if d2 < best and world:tagged(other, "rabbit") then prey, best = other, d2 end
      end
      if prey ~= ecs.none then
        energy.left = energy.left + 6
        world:untag(prey, "rabbit") -- no other fox takes it in this frame
        world:send("Eaten", { who = prey, by = fox })
        world.commands:despawn(prey)
      end
    end
  end
end
