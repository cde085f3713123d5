-- The neighbour grid of the battlefield: world:near(field, x, y, radius) finds who is near without asking everybody.
--
-- Whoever searches it requires this file, so that its shape is written down once. Cells are about as wide as soldiers usually look.
local ecs = require("ecs")

local NAME = "field"
ecs.grid(NAME, { component = "Position", x = "x", y = "y", cell = 5, carry = "Soldier.side" })

return NAME
