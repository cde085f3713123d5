-- Asks for what a thousand frames have removed.
local counts = require("counts")

return function(world)
  local removed = 0
  for _ in world:removed("Burning") do removed = removed + 1 end
  if counts.made - counts.ended > 4000 then error(("%d entities live, %d removals"):format(counts.made - counts.ended, removed)) end
end
