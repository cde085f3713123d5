-- Ends the game when the gold is taken or the hero has fallen.
local ecs = require("ecs")

local heroes = ecs.query{ "Mob", tagged = { "hero" } }

return function(world)
  if world:count("Gold") == 0 then world:stop("all gold is taken") end
  if world:count(heroes) == 0 then world:stop("the hero has fallen") end
end
