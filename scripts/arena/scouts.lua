-- Tells both sides where the middle of the other one is: soldiers who see no enemy march there (targeting.lua).
--
-- It visits every soldier, so it runs on one frame of fifteen (`every:` in the config): an army does not move much in that time.
local sides = require("lib.sides")

return function(world)
  local n, x, y = { [0] = 0, 0 }, { [0] = 0, 0 }, { [0] = 0, 0 }
  for e, pos, soldier in world:each("Position", "Soldier") do
    local side = soldier.side
    n[side] = n[side] + 1
    x[side] = x[side] + pos.x
    y[side] = y[side] + pos.y
  end
  for side = 0, 1 do
    if n[side] > 0 then
      world.resources[sides[side].x] = x[side] / n[side]
      world.resources[sides[side].y] = y[side] / n[side]
    end
  end
end
