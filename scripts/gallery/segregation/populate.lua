-- Nine of ten places are taken, by the one kind or by the other.
local ecs = require("ecs")
local town = require("gallery.segregation.town")

return function(world)
  for y = 0, town.height - 1 do
    for x = 0, town.width - 1 do
      if ecs.random() < 0.9 then world:spawn{ Home = { x = x, y = y, kind = ecs.random(2) } } end
    end
  end
end
