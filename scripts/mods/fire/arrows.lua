-- Gives archers fire arrows: those who are there at dawn, and later those who come with the reserves.
local ecs = require("ecs")

local archers = ecs.query{ "Weapon", tagged = { "archer" } }
local new_archers = ecs.query{ "Weapon", tagged = { "archer" }, added = { "Weapon" } }

local FIRE = 0.08 -- how likely an arrow sets its target on fire

return {
  { name = "arrows", update = function(world)
    for e, weapon in world:each(archers) do weapon.fire = FIRE end
  end },
  { name = "resupply", update = function(world)
    for e, weapon in world:each(new_archers) do weapon.fire = FIRE end
  end },
}
