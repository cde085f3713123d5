return function(world)
  local now, after = world.layers.now, world.layers.after
  for x, y, alive in now:each() do
    local n = 0
    for _, _, other in now:around(x, y, 1) do n = n + other end
    after:set(x, y, (n == 3 or n == 2 and alive == 1) and 1 or 0)
  end
  now:copy(after)
  world.resources.living = now:sum()
end
