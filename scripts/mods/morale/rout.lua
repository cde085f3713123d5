-- Lets the soldiers of a broken side leave: who reaches the edge of the field is gone, and counts as fled. Sleeps until a side breaks.
local armies = require("lib.armies")

local EDGE = 4

return function(world)
  local res = world.resources
  local side = res.broken - 1
  local fled = 0
  for e, pos, soldier in world:each("Position", "Soldier") do
    if soldier.side == side and (pos.x < EDGE or pos.x > res.field_width - EDGE) then
      world.commands:despawn(e)
      fled = fled + 1
    end
  end
  res[armies[side].fled] = res[armies[side].fled] + fled
  res[armies[side].alive] = res[armies[side].alive] - fled
end
