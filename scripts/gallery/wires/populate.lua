-- Three gates, with the rows of their inputs on the left and outputs on the right, and the four cases that they are asked.
return function(world)
  world:spawn{ Gate = { name = "or", a = 0, b = 4, out = 2 } }
  world:spawn{ Gate = { name = "and", a = 6, b = 12, out = 9 } }
  world:spawn{ Gate = { name = "xor", a = 14, b = 18, out = 16 } }
  for case = 0, 3 do
    world.commands:send("Case", { a = case >= 2, b = case % 2 == 1 }, { frames = 1 + case * 32 })
  end
end
