local path = require("path")

-- The first place that the hero has not seen; after the last one he forgets all.
local function unseen(rock, seen)
  for x, y, lit in seen:each() do
    if not lit and rock:get(x, y) == 0 then return x, y end
  end
  seen:fill(false)
  return unseen(rock, seen)
end

return function(world)
  local rock, seen, walked = world.layers.rock, world.layers.seen, world.layers.walked
  for e, mob in world:each("Mob") do
    if world:tagged(e, "hero") then
      mob.goal_x, mob.goal_y = unseen(rock, seen)
    elseif mob.x == mob.goal_x and mob.y == mob.goal_y then
      mob.home_x, mob.home_y, mob.goal_x, mob.goal_y = mob.goal_x, mob.goal_y, mob.home_x, mob.home_y
    end
    local x, y = path.step(rock, walked, mob.x, mob.y, mob.goal_x, mob.goal_y)
    if world:count("mobs", x, y) < 2 then
      world.resources.steps = world.resources.steps + 1
      world:set(e, "Mob", { x = x, y = y })
    end
  end
end
