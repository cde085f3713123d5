local ecs = require("ecs")

local hurt = ecs.query { "Health", changed = { "Health" } }

return function(world)
  for _, h in world:each(hurt) do
    if h.current == 42 then world.resources.seen = world.resources.seen + 1 end
  end
end
