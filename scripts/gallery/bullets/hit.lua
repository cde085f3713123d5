-- Bullets that touch the ship wear its shield down. Without shield the game is over.
local ecs = require("ecs")

ecs.grid("bullets", { component = "Bullet", cell = 2 })

return function(world)
  for e, ship in world:each("Ship") do
    for bullet in world:near("bullets", ship.x, ship.y, 0.3) do
      ship.shield = ship.shield - 1
      world.commands:despawn(bullet)
    end
    if ship.shield <= 0 then world.commands:state("game", "over") end
  end
end
