-- Twelve new drops in each frame. spawn_many makes them in one batch; the function gives each its values.
local ecs = require("ecs")

local DROP = { Position = { x = 30, y = 0 }, Velocity = {}, Lifetime = {} }

return function(world)
  world:spawn_many(12, DROP, function(i)
    return {
      Velocity = { dx = (ecs.random() - 0.5) * 14, dy = 14 + ecs.random() * 5 },
      Lifetime = { left = 2 + ecs.random() * 2 },
    }
  end)
end
