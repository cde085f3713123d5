local ecs = require("ecs")

return function(world)
  for i = 1, 72000 do
    local x, y
    repeat
      x, y = ecs.random(0, 299), ecs.random(0, 299)
    until not world:at("homes", x, y)
    world:spawn{ Home = { x = x, y = y, kind = i % 2 + 1 } }
  end
end
