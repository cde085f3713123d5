-- Who has enough energy shares it with a young one. Young ones are spawned by a command, so that the loop does not meet them.
return function(world)
  for e, energy, pos, to in world:each("Energy", "Position", "Heading") do
    local fox = world:tagged(e, "fox")
    if energy.left > (fox and 14 or 6) then
      energy.left = energy.left / 2
      world.commands:spawn{
        Position = { x = pos.x, y = pos.y },
        Heading = { angle = -to.angle, speed = to.speed },
        Energy = { left = energy.left },
        fox and "fox" or "rabbit",
      }
    end
  end
end
