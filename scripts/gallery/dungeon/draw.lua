-- Draws the rock, what the hero sees, and whom.
local canvas = require("lib.canvas")

return function(world)
  local rock, seen = world.layers.rock, world.layers.seen
  local picture = canvas.new(rock:size())
  for x, y, wall in rock:each() do
    picture:put(x, y, wall == 1 and "#" or seen:get(x, y) and "." or " ")
  end
  for e, gold in world:each("Gold") do picture:put(gold.x, gold.y, "$") end
  for e, mob in world:each("Mob") do picture:put(mob.x, mob.y, world:tagged(e, "hero") and "@" or mob.name:sub(1, 1)) end
  print(picture)
end
