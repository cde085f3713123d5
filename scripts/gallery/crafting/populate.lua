-- A workshop with a few things in it.
local store = require("gallery.crafting.store")

return function(world)
  local workshop = world:spawn{ Container = { name = "workshop" } }
  store.put(world, workshop, "log", 2)
  store.put(world, workshop, "stone", 1)
end
