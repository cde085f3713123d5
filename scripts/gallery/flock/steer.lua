-- The three rules of Craig Reynolds' boids: keep a distance, fly as the others do, stay with them.
local sky = require("gallery.flock.sky")

local SIGHT = 5
local NEAR2 = 1.5 * 1.5 -- a square: no root is needed to compare distances

return function(world, dt)
  for e, pos, vel in world:each("Position", "Velocity") do
    local seen, cx, cy, vx, vy, ax, ay = 0, 0, 0, 0, 0, 0, 0
    for other, d2 in world:near("birds", pos.x, pos.y, SIGHT) do
      if other ~= e then
        local p, v = world:get(other, "Position"), world:get(other, "Velocity")
        seen = seen + 1
        cx, cy = cx + p.x, cy + p.y
        vx, vy = vx + v.dx, vy + v.dy
        if d2 < NEAR2 then ax, ay = ax + pos.x - p.x, ay + pos.y - p.y end
      end
    end
    local dx, dy = vel.dx + ax * 4 * dt, vel.dy + ay * 4 * dt
    if seen > 0 then
      dx = dx + (cx / seen - pos.x) * dt + (vx / seen - vel.dx) * 2 * dt
      dy = dy + (cy / seen - pos.y) * dt + (vy / seen - vel.dy) * 2 * dt
    end
    local speed = math.sqrt(dx * dx + dy * dy)
    if speed > 0 then vel.dx, vel.dy = dx / speed * sky.speed, dy / speed * sky.speed end
  end
end
