-- One after the other, in random order: who is unhappy looks for an empty place. Who comes later finds who moved before.
local ecs = require("ecs")
local town = require("gallery.segregation.town")

return function(world)
  local wanted = world.resources.wanted
  for e, home in world:each("Home", { order = "random" }) do
    local all, alike = town.neighbours(world, home)
    if alike < wanted * all then
      local x, y
      repeat
        x, y = ecs.random(0, town.width - 1), ecs.random(0, town.height - 1)
      until not world:at("homes", x, y)
      world:set(e, "Home", { x = x, y = y })
    end
  end
end
