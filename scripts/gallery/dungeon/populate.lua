-- The hero, the monsters and the gold.
return function(world)
  world:spawn({ Mob = { name = "hero", x = 2, y = 2, health = 30, power = 3, speed = 5 }, "hero" })
  world:spawn{ Mob = { name = "rat", x = 8, y = 13, health = 2, speed = 8 } }
  world:spawn{ Mob = { name = "goblin", x = 21, y = 3, speed = 4 } }
  world:spawn{ Mob = { name = "orc", x = 40, y = 6, health = 9, power = 2, speed = 2 } }
  world:spawn{ Mob = { name = "snake", x = 31, y = 12, health = 4, power = 2, speed = 6 } }
  for _, at in ipairs{ { 9, 10 }, { 24, 6 }, { 45, 1 }, { 44, 13 } } do
    world:spawn{ Gold = { x = at[1], y = at[2] } }
  end
end
