-- Fails in two of three frames, in the middle of its writes: the world is as if the turn had not happened.
local ecs = require("ecs")

return function(world)
  for e, life in world:each("Life") do
    life.left = life.left + 1
    if world.frame % 3 ~= 0 and ecs.random() < 0.2 then error("a failure of frame " .. world.frame) end
  end
  world:spawn { Life = { left = 1 } }
end
