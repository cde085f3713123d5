-- Tells how many rats are left, and takes the dead away.
local ecs = require("ecs")

---@param world ecs.World
return function(world)
  for died in world:read("Died") do
    print("frame " .. world.frame .. ": " .. ecs.name(died.who) .. " has died")
    world.commands:despawn(died.who)
  end
end
