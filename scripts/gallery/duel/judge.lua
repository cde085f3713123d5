-- Ends the fight when one team is left.
return function(world)
  local left = {}
  for e, team in world:each("Team") do left[team.id] = (left[team.id] or 0) + 1 end
  for team, n in pairs(left) do
    if not left[3 - team] then world:stop(("team %d wins with %d standing"):format(team, n)) end
  end
end
