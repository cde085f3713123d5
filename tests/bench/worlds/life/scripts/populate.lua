return function(world)
  for _, at in ipairs{ { 1, 0 }, { 2, 0 }, { 0, 1 }, { 1, 1 }, { 1, 2 } } do
    world:spawn{ Cell = { x = 320 + at[1], y = 320 + at[2] } }
  end
end
