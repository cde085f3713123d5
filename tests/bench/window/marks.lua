-- Prints a line when the measurement begins and when it ends.
return function(world)
  if world.frame == 100 or world.frame == 2500 then
    print("mark", world.frame)
  end
end
