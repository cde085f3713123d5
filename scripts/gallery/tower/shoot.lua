-- Each tower that is ready shoots the creep in its range that has come farthest.
local ecs = require("ecs")

ecs.grid("places", { component = "Position", cell = 7 })

return function(world, dt)
  for e, tower, pos in world:each("Tower", "Position") do
    tower.ready = tower.ready - dt
    if tower.ready <= 0 then
      local target, farthest = nil, -1
      for other in world:near("places", pos.x, pos.y, tower.range) do
        local creep = world:get(other, "Creep")
        if creep and creep.walked > farthest then target, farthest = other, creep.walked end
      end
      if target then
        tower.ready = tower.reload
        world:send("Shot", { at = target, damage = tower.damage })
      end
    end
  end
end
