-- Prints the town.
local canvas = require("lib.canvas")
local town = require("gallery.segregation.town")

return function(world)
  local picture = canvas.new(town.width, town.height)
  for e, home in world:each("Home") do picture:put(home.x, home.y, home.kind == 1 and "#" or ".") end
  print(picture)
end
