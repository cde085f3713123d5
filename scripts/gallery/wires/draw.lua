-- Prints the board, with the heads as @ and the tails as o.
local canvas = require("lib.canvas")

local LOOKS = { [0] = " ", "-", "@", "o" }

return function(world)
  local cells = world.layers.cells
  local picture = canvas.new(cells:size())
  for x, y, kind in cells:each() do picture:put(x, y, LOOKS[kind]) end
  print(picture)
end
