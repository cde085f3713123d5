-- A line for each moment: who is ill as a bar. At the end how many were ill, and what the theory of random networks says.
local ecs = require("ecs")

local ill, immune = ecs.query{ tagged = { "ill" } }, ecs.query{ tagged = { "immune" } }

-- Who escapes has no infecting contact: r = 1 - exp(-r0 * r), where r0 is how many a person infects in the mean.
local function final(r0)
  local r = 1
  for i = 1, 100 do r = 1 - math.exp(-r0 * r) end
  return r
end

return function(world)
  local now, past = world:count(ill), world:count(immune)
  print(("%3d  %4d ill  %4d immune  |%s"):format(world.frame, now, past, ("#"):rep(math.floor(now / 20))))
  if now > 0 then return end
  local r = world.resources
  local r0 = r.contacts * (1 - (1 - r.chance) ^ r.days)
  world:stop(("%.1f %% were ill; theory says %.1f %%"):format(100 * past / r.people, 100 * final(r0)))
end
