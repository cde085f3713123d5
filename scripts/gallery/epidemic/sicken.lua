-- Who is infected falls ill, unless ill or immune already, and recovers when the waiting event comes.
return function(world)
  local days = world.resources.days
  for event in world:drain("Infect") do
    local who = event.who
    if not world:tagged(who, "ill") and not world:tagged(who, "immune") then
      world:tag(who, "ill")
      world.commands:send("Recover", { who = who }, { frames = days })
    end
  end
end
