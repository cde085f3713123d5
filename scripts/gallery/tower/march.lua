-- Creeps walk. One that reaches the end of the path costs a life.
local path = require("gallery.tower.path")

return function(world, dt)
  for e, creep, pos in world:each("Creep", "Position") do
    creep.walked = creep.walked + creep.speed * dt
    pos.x, pos.y = path.at(creep.walked)
    if creep.walked >= path.length then
      world.resources.lives = world.resources.lives - 1
      world.commands:despawn(e)
      if world.resources.lives == 0 then world:stop("the last life is lost") end
    end
  end
end
