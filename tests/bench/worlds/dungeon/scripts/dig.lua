-- Twenty rooms, each joined to the one before. The hero is in the first, and a guard in each other, who walks to the room before.
local ecs = require("ecs")

return function(world)
  local rock = world.layers.rock
  local last_x, last_y
  for i = 1, 20 do
    local w, h = ecs.random(5, 12), ecs.random(4, 8)
    local x, y = ecs.random(1, 78 - w), ecs.random(1, 48 - h)
    rock:fill(0, x, y, w, h)
    local cx, cy = x + math.floor(w / 2), y + math.floor(h / 2)
    if last_x then
      rock:fill(0, math.min(cx, last_x), cy, math.abs(cx - last_x) + 1, 1)
      rock:fill(0, last_x, math.min(cy, last_y), 1, math.abs(cy - last_y) + 1)
    end
    if i == 1 then
      world:spawn{ Mob = { x = cx, y = cy }, "hero" }
    else
      world:spawn{ Mob = { x = cx, y = cy, home_x = cx, home_y = cy, goal_x = last_x, goal_y = last_y } }
    end
    last_x, last_y = cx, cy
  end
end
