-- What the hero sees from where he stands.
local ecs = require("ecs")
local sight = require("gallery.dungeon.sight")

local heroes = ecs.query{ "Mob", tagged = { "hero" } }

return function(world)
  local seen = world.layers.seen
  seen:fill(false)
  for e, hero in world:each(heroes) do sight.mark(world.layers.rock, seen, hero.x, hero.y, 9) end
end
