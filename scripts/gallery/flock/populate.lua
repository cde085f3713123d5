-- Birds anywhere, flying anywhere.
local ecs = require("ecs")
local sky = require("gallery.flock.sky")

return function(world)
  world:spawn_many(world.resources.birds, { Position = {}, Velocity = {} }, function()
    local angle = ecs.random() * 2 * math.pi
    return {
      Position = { x = ecs.random() * sky.width, y = ecs.random() * sky.height },
      Velocity = { dx = math.cos(angle) * sky.speed, dy = math.sin(angle) * sky.speed },
    }
  end)
end
