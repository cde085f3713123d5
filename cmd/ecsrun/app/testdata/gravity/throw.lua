return function(world)
  world:spawn{ Ball = { speed = 20 } }
end
