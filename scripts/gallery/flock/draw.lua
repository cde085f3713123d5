-- Draws each bird as an arrow in the direction of its flight.
local canvas = require("lib.canvas")
local sky = require("gallery.flock.sky")

local ARROWS = { ">", "v", "<", "^" }

return function(world)
  local picture = canvas.new(sky.width, sky.height)
  for e, pos, vel in world:each("Position", "Velocity") do
    local quarter = math.floor(math.atan2(vel.dy, vel.dx) / (math.pi / 2) + 0.5) % 4
    picture:put(pos.x, pos.y, ARROWS[quarter + 1])
  end
  print(picture)
end
