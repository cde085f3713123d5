-- A wave of creeps every ten seconds, each stronger than the one before.
local M = { state = { left = 0, pause = 0 } }

function M.update(world, dt)
  local s = M.state
  s.pause = s.pause - dt
  if s.pause > 0 then return end
  if s.left == 0 then
    world.resources.wave = world.resources.wave + 1
    s.left, s.pause = 4 + 2 * world.resources.wave, 4
    return
  end
  local wave = world.resources.wave
  world:spawn{ Position = {}, Creep = { health = 6 + 4 * wave, speed = 2 + 0.2 * wave } }
  s.left, s.pause = s.left - 1, 0.8
end

return M
