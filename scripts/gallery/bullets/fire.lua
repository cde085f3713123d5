-- Fires the volleys that are due. A volley lets the next one of its wave wait.
local waves = require("ecs").data("waves")

-- A pattern is the direction of the i-th of n bullets at a time.
local patterns = {}
function patterns.ring(i, n) return 2 * math.pi * i / n end
function patterns.spiral(i, n, time) return 2 * math.pi * i / n + time end
function patterns.fan(i, n, time) return math.pi / 2 + math.sin(time) + (i / n - 0.5) end

return function(world)
  for volley in world:drain("Volley") do
    local wave = waves[volley.wave]
    local pattern, n, time, i = patterns[wave.pattern], wave.bullets, world.time, 0
    world:spawn_many(n, { Bullet = {}, "game.playing" }, function()
      local angle = pattern(i, n, time)
      i = i + 1
      return { Bullet = { dx = wave.speed * math.cos(angle), dy = wave.speed * math.sin(angle) } }
    end)
    world.resources.fired = world.resources.fired + n
    if volley.left > 1 then
      world.commands:send("Volley", { wave = volley.wave, left = volley.left - 1 }, { after = wave.pause })
    end
  end
end
