return function(world)
  for i = 1, 60 do
    world:spawn{ Soldier = { side = 0, archer = i <= 60 * world.resources.archers } }
    world:spawn{ Soldier = { side = 1, archer = i <= 20 } }
  end
end
