-- Prints where everything is.
local ecs = require("ecs")

---@param world ecs.World
return function(world)
  for e, pos in world:each("Position") do
    print("frame " .. world.frame .. ": " .. ecs.name(e) .. " is at " .. pos.x .. ", " .. pos.y)
  end
end
