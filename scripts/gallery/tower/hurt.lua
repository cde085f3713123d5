-- Shots hurt. A creep may be dead already when the second shot of a frame comes: then its view is nil.
return function(world)
  for shot in world:drain("Shot") do
    local creep = world:get(shot.at, "Creep")
    if creep and creep.health > 0 then
      creep.health = creep.health - shot.damage
      if creep.health <= 0 then
        local pos = world:get(shot.at, "Position")
        world:send("Killed", { bounty = creep.bounty, x = pos.x, y = pos.y })
        world.commands:despawn(shot.at)
      end
    end
  end
end
