-- Collects the bounties.
return function(world)
  for kill in world:read("Killed") do
    world.resources.gold = world.resources.gold + kill.bounty
  end
end
