-- Notices when a player and an enemy meet, and says so with an event.
--
-- It prints nothing and removes nobody: whoever cares reads the event. That keeps the rule (what is a collision?) in one place and the
-- consequences (redraw.lua, cleanup.lua) in others.
local ecs = require("ecs")

local players = ecs.query{ "Position", tagged = { "player" } }
local enemies = ecs.query{ "Position", tagged = { "enemy" } }

local REACH = 1 -- two things this near to each other collide

return function(world)
  for player, a in world:each(players) do
    for enemy, b in world:each(enemies) do
      local dx, dy = a.x - b.x, a.y - b.y
      if dx * dx + dy * dy <= REACH * REACH then
        world:send("Collision", { a = player, b = enemy })
      end
    end
  end
end
