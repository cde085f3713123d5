-- What the systems of the flock share: the size of the sky, and the grid that finds who is near.
local ecs = require("ecs")

ecs.grid("birds", { component = "Position", cell = 5 })

return { width = 60, height = 20, speed = 6 }
