-- The armies meet after thirty frames. Until then only archers hurt; after that footmen fight whoever stands in front,
-- and archers behind their own footmen are safe from them.
local ecs = require("ecs")

local MEET = 30

return function(world)
  local foot, archers = { [0] = {}, {} }, { [0] = {}, {} }
  for e, s in world:each("Soldier") do
    local list = s.archer and archers[s.side] or foot[s.side]
    list[#list + 1] = e
  end
  local function hit(targets, damage)
    local e = targets[ecs.random(1, #targets)]
    local s = world:get(e, "Soldier")
    s.health = s.health - damage
  end
  for side = 0, 1 do
    local front = #foot[1 - side] > 0 and foot[1 - side] or archers[1 - side]
    for _ = 1, #archers[side] do
      if #front > 0 and ecs.random() < 0.05 then hit(front, 3) end
    end
    for _ = 1, world.frame > MEET and #foot[side] or 0 do
      if #front > 0 and ecs.random() < 0.1 then hit(front, 3) end
    end
  end
  local left = { [0] = 0, 0 }
  for e, s in world:each("Soldier") do
    if s.health <= 0 then
      world.commands:despawn(e)
    else
      left[s.side] = left[s.side] + 1
    end
  end
  if left[0] == 0 or left[1] == 0 then
    world.resources.winner = left[0] > 0 and "red" or left[1] > 0 and "blue" or "nobody"
    world.resources.left = math.max(left[0], left[1])
    world:stop(world.resources.winner .. " won")
  end
end
