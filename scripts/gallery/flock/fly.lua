-- Moves the birds. Who leaves the sky on one side comes back on the other.
local sky = require("gallery.flock.sky")

return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = (pos.x + vel.dx * dt) % sky.width
    pos.y = (pos.y + vel.dy * dt) % sky.height
  end
end
