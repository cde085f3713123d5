-- Moves the bullets; those that leave the round arena are gone.
local RADIUS = 20

return function(world, dt)
  local gone = 0
  for e, bullet in world:each("Bullet") do
    bullet.x = bullet.x + bullet.dx * dt
    bullet.y = bullet.y + bullet.dy * dt
    if bullet.x * bullet.x + bullet.y * bullet.y > RADIUS * RADIUS then
      gone = gone + 1
      world.commands:despawn(e)
    end
  end
  world.resources.gone = world.resources.gone + gone
end
