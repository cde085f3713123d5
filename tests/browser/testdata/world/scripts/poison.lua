local ecs = require("ecs")

return function(world)
  for e, h in world:each("Health") do
    if h.current > 90 and e % 9 == 0 then
      h.current = h.current - 1
      world:send("Hurt", { who = e, amount = 1 })
      world.resources.hurts = world.resources.hurts + 1
      print("poisoned", ecs.name(e))
    end
  end
end
