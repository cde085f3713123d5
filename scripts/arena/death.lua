-- Takes the fallen from the field.
--
-- Only those whose Health was written since this system last ran can have died meanwhile: `changed` skips the thousands who were not hurt.
local ecs = require("ecs")

local hurt = ecs.query{ "Health", "Position", "Soldier", changed = { "Health" } }

local EMBER = 0.5 -- how likely a burning soldier leaves a spark

return function(world)
  local wind_x, wind_y = world.resources.wind_x, world.resources.wind_y
  for e, health, pos, soldier in world:each(hurt) do
    if health.current <= 0 then
      local burnt = world:tagged(e, "burning")
      world:send("Died", { who = e, side = soldier.side, cause = burnt and "fire" or "steel" })
      world.commands:despawn(e)
      if burnt and ecs.random() < EMBER then
        world.commands:spawn{
          Position = { x = pos.x, y = pos.y },
          Velocity = { dx = wind_x * (0.5 + ecs.random()), dy = wind_y + ecs.random() - 0.5 },
          Lifetime = { left = 1 + 2 * ecs.random() },
          Ember = {},
        }
      end
    end
  end
end
