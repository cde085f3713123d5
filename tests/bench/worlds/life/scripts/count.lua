return function(world)
  world.resources.living = world:count("Cell")
end
