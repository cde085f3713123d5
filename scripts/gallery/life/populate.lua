-- One entity for each cell of the board, and a glider gun's worth of chance.
local ecs = require("ecs")

return function(world)
  local width, height = world.resources.width, world.resources.height
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local cell = world:spawn{ Cell = { x = x, y = y } }
      if ecs.random() < 0.3 then world:tag(cell, "alive") end
    end
  end
end
