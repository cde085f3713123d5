-- The first animals.
local ecs = require("ecs")

return function(world)
  local size = world.resources.meadow
  local function animal(kind, energy)
    world:spawn{
      Position = { x = ecs.random() * size, y = ecs.random() * size },
      Heading = { angle = ecs.random() * 2 * math.pi, speed = kind == "fox" and 4 or 2 },
      Energy = { left = energy },
      kind,
    }
  end
  for i = 1, 80 do animal("rabbit", 4) end
  for i = 1, 12 do animal("fox", 8) end
end
