-- Draws how many drops are where.
local canvas = require("lib.canvas")

local SHADES = { ".", ":", "*", "#" }
local WIDTH, HEIGHT = 60, 18

return function(world)
  local drops = {}
  for e, pos in world:each("Position") do
    local x, y = math.floor(pos.x), math.floor(pos.y)
    if x >= 0 and x < WIDTH and y < HEIGHT then
      local place = y * WIDTH + x
      drops[place] = (drops[place] or 0) + 1
    end
  end
  local picture = canvas.new(WIDTH, HEIGHT)
  for place = 0, WIDTH * HEIGHT - 1 do
    local n = drops[place]
    if n then picture:put(place % WIDTH, HEIGHT - 1 - math.floor(place / WIDTH), SHADES[math.min(n, #SHADES)]) end
  end
  print(picture)
  print(world:count("Position") .. " drops")
end
