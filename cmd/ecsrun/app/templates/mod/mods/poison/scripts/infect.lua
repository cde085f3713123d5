-- Poisons everything that lives and is not poisoned yet.
local ecs = require("ecs")
local toxins = require("lib.toxins")

local healthy = ecs.query{ "Health", without = { "Poison" } }

---@param world ecs.World
return function(world)
  for e in world:each(healthy) do
    world.commands:set(e, "Poison", { dps = toxins.arsenic.dps })
  end
end
