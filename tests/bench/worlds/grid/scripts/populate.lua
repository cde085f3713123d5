return function(world)
  local now = world.layers.now
  for x, y in now:each() do now:set(x, y, (x * x * 7 + y * y * 13 + x * y) % 5 < 2 and 1 or 0) end
end
