-- The ship sways below the middle, from which all bullets come.
return function(world)
  for e, ship in world:each("Ship") do
    local angle = math.pi / 2 + 1.2 * math.sin(world.time * 0.7)
    ship.x, ship.y = 15 * math.cos(angle), 15 * math.sin(angle)
  end
end
