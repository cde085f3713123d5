-- What a guard does in each state.
local ecs = require("ecs")

local patrolling = ecs.query{ "Position", "Patrol", tagged = { "patrolling" } }
local chasing = ecs.query{ "Position", "Mind", tagged = { "chasing" } }
local searching = ecs.query{ "Position", "Mind", tagged = { "searching" } }

local function towards(pos, x, y, distance)
  local dx, dy = x - pos.x, y - pos.y
  local d = math.sqrt(dx * dx + dy * dy)
  if d <= distance then
    pos.x, pos.y = x, y
  else
    pos.x, pos.y = pos.x + dx / d * distance, pos.y + dy / d * distance
  end
end

return function(world, dt)
  for e, pos, patrol in world:each(patrolling) do
    if pos.x >= patrol.to then patrol.step = -1 elseif pos.x <= patrol.from then patrol.step = 1 end
    towards(pos, pos.x + patrol.step * 5 * dt, 0, 5 * dt)
  end
  for e, pos, mind in world:each(chasing) do
    towards(pos, mind.x, mind.y, 3 * dt)
  end
  for e, pos, mind in world:each(searching) do
    local angle = (world.time - mind.since) * 2
    towards(pos, mind.x + 3 * math.cos(angle), mind.y + 3 * math.sin(angle), 3 * dt)
  end
end
