-- Balls fall, and bounce on the ground. In Go: Fall in main.go.
---@param world ecs.World
---@param dt number
return function(world, dt)
  local bounces = 0
  for e, ball in world:each("Height") do
    ball.dy = ball.dy - 9.81 * dt
    ball.y = ball.y + ball.dy * dt
    if ball.y < 0 then
      ball.y, ball.dy = -ball.y, -ball.dy * 0.5
      bounces = bounces + 1
    end
  end
  world.resources.bounces = world.resources.bounces + bounces
end
