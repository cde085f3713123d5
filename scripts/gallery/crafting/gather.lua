-- In each frame somebody brings something.
local ecs = require("ecs")
local store = require("gallery.crafting.store")

local FINDS = { "log", "stone", "stone", "coal" }

return function(world)
  local chest = world:first("Container")
  store.put(world, chest, FINDS[ecs.random(#FINDS)], 1)
end
