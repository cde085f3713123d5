-- Spawns between none and four entities, with names, tables, tags and relations; counts in a module's table.
local ecs = require("ecs")
local counts = require("counts")

local last = ecs.none

return {
  init = function(world)
    world:on("despawned", function() counts.ended = counts.ended + 1 end)
  end,
  update = function(world)
    for _ = 1, ecs.random(0, 1) do
      local e = world:spawn {
        Position = { x = ecs.random() * 100, y = ecs.random() * 100 },
        Velocity = { x = ecs.random() - 0.5, y = ecs.random() - 0.5 },
        Life = { left = ecs.random(5, 60) },
        Bag = { items = { n = ecs.random(9), list = { 1, 2, 3 } }, label = "bag " .. ecs.random(1000000) },
      }
      counts.made = counts.made + 1
      if ecs.random() < 0.3 then world:tag(e, "marked") end
      if world:alive(last) then world:relate(e, "Follows", last) end
      last = e
      world:send("Born", { who = e })
    end
    world:send("Noise", { text = "noise " .. world.frame, level = ecs.random() })
  end,
}
