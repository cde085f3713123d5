-- The kinds of soldiers, and what they carry.
local armoury = {
  footman = { name = "footmen", speed = 10, weapon = { damage = 36, reach = 3, reload = 0.8 }, shield = 60 },
  archer = { name = "archers", speed = 8, weapon = { damage = 18, reach = 24, reload = 2 }, tag = "archer" },
  rider = { name = "riders", speed = 20, weapon = { damage = 48, reach = 3.5, reload = 0.7 }, shield = 40, health = 160, tag = "rider" },
}

-- template gives what a soldier of this kind is spawned with, except Position and Soldier, which are each soldier's own.
function armoury.template(kind)
  local health = kind.health or 100
  local t = {
    Velocity = {},
    Health = { current = health, max = health },
    Weapon = kind.weapon,
    Target = {},
  }
  if kind.shield then t.Shield = { strength = kind.shield } end
  if kind.tag then t[1] = kind.tag end -- the list part of a spawn: its tags
  return t
end

return armoury
