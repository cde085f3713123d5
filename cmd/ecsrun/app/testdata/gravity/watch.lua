return function(world)
  for e, ball in world:each("Ball") do
    if ball.height <= 0 then
      print("landed after " .. world.time + world.dt .. " s")
      world:stop("the ball has landed")
    end
  end
end
