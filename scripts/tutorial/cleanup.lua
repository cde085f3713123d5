-- Takes away the enemies that ran into a player: after redraw, which still wants to show them.
--
-- `drain` takes the events out: nobody is left to read them. And `world.commands` is a queue that is applied when this system returns, so
-- that entities never vanish under a loop. Here nothing would (a loop over events locks nothing), but it is the habit to have.
return function(world)
  for hit in world:drain("Collision") do
    world.commands:despawn(hit.b)
  end
end
