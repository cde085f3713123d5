-- Two teams of three.
local TEAMS = {
  { { "Ivo", "knight", 30, 3 }, { "Mia", "archer", 18, 7 }, { "Ned", "healer", 16, 5 } },
  { { "Grub", "knight", 32, 2 }, { "Snik", "archer", 17, 8 }, { "Vex", "archer", 17, 6 } },
}

return function(world)
  for team, members in ipairs(TEAMS) do
    for _, m in ipairs(members) do
      world:spawn{ Fighter = { name = m[1], class = m[2], health = m[3], speed = m[4] }, Team = { id = team } }
    end
  end
end
