local ecs = require("ecs")

return function(world)
  for _ = 1, world.resources.units do
    world:spawn{
      Position = { x = ecs.random() * 800, y = ecs.random() * 600 },
      Velocity = { dx = ecs.random() * 40 - 20, dy = ecs.random() * 40 - 20 },
    }
  end
end
