return function(world)
  world:spawn{ Position = {}, Velocity = {} }
  world:spawn{ Position = { x = 10 }, Velocity = { dx = -2 } }
end
