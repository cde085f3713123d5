-- Prints the board.
local ecs = require("ecs")
local canvas = require("lib.canvas")

local living = ecs.query{ "Cell", tagged = { "alive" } }

return function(world)
  local picture = canvas.new(world.resources.width, world.resources.height, ".")
  for e, cell in world:each(living) do picture:put(cell.x, cell.y, "#") end
  print(picture)
end
