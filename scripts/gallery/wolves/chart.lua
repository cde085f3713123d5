-- A line for each moment: sheep as dots, wolves as a star.
local ecs = require("ecs")

local sheep, wolves = ecs.query{ tagged = { "sheep" } }, ecs.query{ tagged = { "wolf" } }

return function(world)
  local grass = 0
  for x, y, frame in world.layers.ripe:each() do
    if frame <= world.frame then grass = grass + 1 end
  end
  local s, w = world:count(sheep), world:count(wolves)
  local line = ("."):rep(math.floor(s / 6)) .. (" "):rep(60)
  local at = math.floor(w / 6)
  line = (line:sub(1, at) .. "*" .. line:sub(at + 2)):gsub(" +$", "")
  print(("%4d  %4d grass  %3d sheep  %3d wolves  |%s"):format(world.frame, grass, s, w, line))
end
