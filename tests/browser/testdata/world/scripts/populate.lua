return function(world)
  for i = 1, world.resources.walkers do
    local e = world:spawn {
      Position = { x = i % 10 * 10, y = math.floor(i / 10) * 10 },
      Velocity = { dx = i % 3 - 1, dy = i % 5 - 2 },
      Health = { current = 100 },
    }
    if i % 4 == 0 then world:tag(e, "enemy") end
    if i % 11 == 0 then world:tag(e, "frozen") end
  end
end
