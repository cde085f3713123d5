-- Lets sparks on the wind set fire to whom they touch, friend or foe. There are few of them: every fourth frame, in Lua, is enough.
local ecs = require("ecs")

local FIELD = "field" -- the grid that scripts/lib/field.lua declares, too
ecs.grid(FIELD, { component = "Position", x = "x", y = "y", cell = 5, carry = "Soldier.side" })

local SPREAD = 2     -- how near a spark must come
local CATCHES = 0.12 -- how likely it then sets somebody on fire

return function(world)
  for ember, pos in world:each("Position", "Ember") do
    for other in world:near(FIELD, pos.x, pos.y, SPREAD) do
      if world:has(other, "Soldier") and ecs.random() < CATCHES then world:tag(other, "burning") end
    end
  end
end
