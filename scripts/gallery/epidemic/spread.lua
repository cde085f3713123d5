-- Who is ill infects each contact by chance. The index says whose contacts they are.
local ecs = require("ecs")

local ill = ecs.query{ tagged = { "ill" } }

return function(world)
  local chance = world.resources.chance
  for who in world:each(ill) do
    for contact in world:all("contacts", who) do
      if ecs.random() < chance then world:send("Infect", { who = world:get(contact, "Contact").to }) end
    end
  end
end
