-- Takes health from everything tagged "burning", until the fire goes out. In Go: ecs/native/burning.go.
--
-- The tag flips all the time: arrows and embers set it, luck takes it off. That costs next to nothing, because a tag is a mark beside the
-- tables: nobody moves.
local ecs = require("ecs")

local alight = ecs.query{ "Health", optional = { "Shield" }, tagged = { "burning" } }

local FIRE = 30       -- health per second
local SHIELDED = 12   -- behind a shield
local GOES_OUT = 0.08 -- how likely, per frame

return function(world, dt)
  for e, health, shield in world:each(alight) do
    health.current = health.current - (shield and SHIELDED or FIRE) * dt
    if ecs.random() < GOES_OUT then world:untag(e, "burning") end
  end
end
