-- The game begins: the ship enters, and the first volley of each wave waits for its time.
local waves = require("ecs").data("waves")

return function(world)
  world:spawn({ Ship = { y = 15 }, "game.playing" })
  for i, wave in ipairs(waves) do
    world.commands:send("Volley", { wave = i, left = wave.volleys }, { after = wave.at })
  end
end
