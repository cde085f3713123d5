-- Decides whose courage breaks. It writes the resource broken, and sends an event; judge.lua ends the battle some time after.
local armies = require("lib.armies")

local COURAGE = 0.42   -- a side breaks when no more than this share of all who ever came for it is left in the field,
local OUTNUMBERED = 0.65 -- or than this share of the enemy

-- courage gives how near a side is to breaking: at 1 or below it does.
local function courage(res, side)
  local mine, theirs = res[armies[side].alive], res[armies[1 - side].alive]
  return math.min(mine / (COURAGE * math.max(1, res[armies[side].mustered])), mine / (OUTNUMBERED * math.max(1, theirs)))
end

return function(world)
  local res = world.resources
  if res.over or res.broken > 0 or res.ravens + res.stags == 0 then return end
  local weaker = courage(res, 0) <= courage(res, 1) and 0 or 1
  if courage(res, weaker) <= 1 then
    res.broken = weaker + 1
    world:send("Broke", { side = weaker, frame = world.frame, left = res[armies[weaker].alive] })
  end
end
