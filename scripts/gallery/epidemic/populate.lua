-- A random network: so many contacts, each between two people by chance. Five people bring the illness.
local ecs = require("ecs")

return function(world)
  local people = {}
  for i = 1, world.resources.people do people[i] = world:spawn{ "person" } end
  for i = 1, world.resources.people * world.resources.contacts / 2 do
    local a, b = ecs.pick(people), ecs.pick(people)
    world:spawn{ Contact = { from = a, to = b } }
    world:spawn{ Contact = { from = b, to = a } }
  end
  for _, who in ipairs(ecs.sample(people, 5)) do world:send("Infect", { who = who }) end
end
