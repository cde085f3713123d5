-- Draws the path, the towers and the creeps.
local canvas = require("lib.canvas")
local path = require("gallery.tower.path")

return function(world)
  local picture = canvas.new(60, 15)
  for walked = 0, path.length do
    local x, y = path.at(walked)
    picture:put(x, y, ".")
  end
  for e, tower, pos in world:each("Tower", "Position") do picture:put(pos.x, pos.y, "T") end
  for e, creep, pos in world:each("Creep", "Position") do picture:put(pos.x, pos.y, "o") end
  print(picture)
  local r = world.resources
  print(("%.0f s: wave %d, %d gold, %d lives, %d towers"):format(world.time, r.wave, r.gold, r.lives, world:count("Tower")))
end
