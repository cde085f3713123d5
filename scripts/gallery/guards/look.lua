-- Who sees whom. Looking decides nothing: it sends an event.
local ecs = require("ecs")

local SIGHT = 6
local guards = ecs.query{ "Position", "Mind" }
local thieves = ecs.query{ "Position", tagged = { "thief" } }

return function(world)
  for guard, at in world:each(guards) do
    for thief, pos in world:each(thieves) do
      local dx, dy = pos.x - at.x, pos.y - at.y
      if dx * dx + dy * dy < SIGHT * SIGHT then world:send("Seen", { by = guard, who = thief }) end
    end
  end
end
