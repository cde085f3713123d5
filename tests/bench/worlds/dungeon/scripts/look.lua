local ecs = require("ecs")
local sight = require("sight")

local heroes = ecs.query{ "Mob", tagged = { "hero" } }

return function(world)
  local seen = world.layers.seen
  for e, hero in world:each(heroes) do sight.mark(world.layers.rock, seen, hero.x, hero.y, 9) end
  world.resources.lit = seen:sum()
end
