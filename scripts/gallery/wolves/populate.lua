-- The first animals, and grass that is ripe now or will be.
local ecs = require("ecs")

return function(world)
  local ripe = world.layers.ripe
  local width, height = ripe:size()
  local function animals(count, kind, energy)
    for i = 1, count do
      world:spawn{
        Place = { x = ecs.random(0, width - 1), y = ecs.random(0, height - 1) },
        Energy = { left = ecs.random(energy) },
        kind,
      }
    end
  end
  animals(world.resources.sheep, "sheep", 8)
  animals(world.resources.wolves, "wolf", 40)
  local regrow = world.resources.regrow
  for x, y, _ in ripe:each() do ripe:set(x, y, ecs.random(-regrow, regrow)) end -- half of it is ripe
end
