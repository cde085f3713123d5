-- Who has been ill for long enough is immune.
return function(world)
  for event in world:drain("Recover") do
    world:untag(event.who, "ill")
    world:tag(event.who, "immune")
  end
end
