-- What was chosen happens. Nobody is struck after the fall: the dead are despawned when the turn is over.
local function name(world, e) return world:get(e, "Fighter").name end

return function(world)
  for heal in world:drain("Heal") do
    local f = world:get(heal.to, "Fighter")
    f.health = f.health + heal.power
    print(("%2d  %s heals %s to %d"):format(world.frame, name(world, heal.from), f.name, f.health))
  end
  for strike in world:drain("Strike") do
    local f = world:get(strike.to, "Fighter")
    if f.health > 0 then
      local power = world:tagged(strike.to, "defending") and math.floor(strike.power / 2) or strike.power
      f.health = f.health - power
      print(("%2d  %s hits %s for %d"):format(world.frame, name(world, strike.from), f.name, power))
      if f.health <= 0 then
        print(("%2d  %s falls"):format(world.frame, f.name))
        world:send("Fell", { who = strike.to })
        world.commands:despawn(strike.to)
      end
    end
  end
end
