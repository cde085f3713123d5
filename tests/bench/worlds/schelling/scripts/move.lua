local ecs = require("ecs")

return function(world)
  local wanted = world.resources.wanted
  for e, home in world:each("Home", { order = "random" }) do
    local all, alike = 0, 0
    for other in world:around("homes", home.x, home.y, 1) do
      all = all + 1
      if world:get(other, "Home").kind == home.kind then alike = alike + 1 end
    end
    if alike < wanted * all then
      local x, y
      repeat
        x, y = ecs.random(0, 299), ecs.random(0, 299)
      until not world:at("homes", x, y)
      world:set(e, "Home", { x = x, y = y })
    end
  end
end
