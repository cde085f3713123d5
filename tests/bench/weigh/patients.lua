return function(world)
  for i = 1, 20000 do
    world:spawn{ Health = { value = i, rate = 1, kind = i * 7919 % 100 } }
  end
end
