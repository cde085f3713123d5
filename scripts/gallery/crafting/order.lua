-- The customer wants one thing after another. An order is an event: whoever can make it reads it.
local WISHES = { "plank", "stick", "pickaxe", "torch" }

local M = { state = { next = 1 } }

function M.update(world)
  local chest = world:first("Container")
  world:send("Order", { at = chest, recipe = WISHES[M.state.next] })
  M.state.next = M.state.next % #WISHES + 1
end

return M
