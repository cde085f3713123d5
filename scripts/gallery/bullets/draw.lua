-- Draws how dense the bullets are, and the ship.
local canvas = require("lib.canvas")

local SHADES = ".:*#"

return function(world)
  local density = world.layers.density
  local width, height = density:size()
  density:fill(0)
  for e, b in world:each("Bullet") do
    density:add(math.floor(b.x * 1.45 + width / 2), math.floor(b.y * 0.72 + height / 2), 1)
  end
  local picture = canvas.new(width, height)
  for x, y, n in density:each() do
    local shade = math.min(math.ceil(n / 6), #SHADES)
    if n > 0 then picture:put(x, y, SHADES:sub(shade, shade)) end
  end
  for e, ship in world:each("Ship") do
    picture:put(ship.x * 1.45 + width / 2, ship.y * 0.72 + height / 2, "A")
    print(picture)
    print(("%.0f s: %d bullets, shield %d"):format(world.time, world:count("Bullet"), ship.shield))
  end
end
