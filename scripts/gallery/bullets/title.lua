-- The menu: it says what is coming, and begins the game.
local waves = require("ecs").data("waves")

return function(world)
  local bullets = 0
  for _, wave in ipairs(waves) do bullets = bullets + wave.volleys * wave.bullets end
  print(("%d waves, %d bullets. Begin!"):format(#waves, bullets))
  world.commands:state("game", "playing")
end
