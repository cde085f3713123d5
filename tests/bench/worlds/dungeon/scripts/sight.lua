-- Two places see each other if no wall stands on the line between them, the ends left out.
local sight = {}

local function clear(rock, ax, ay, bx, by)
  local dx, dy = bx - ax, by - ay
  local n = math.max(math.abs(dx), math.abs(dy))
  for i = 1, n - 1 do
    if rock:get(math.floor(ax + dx * i / n + 0.5), math.floor(ay + dy * i / n + 0.5)) == 1 then return false end
  end
  return true
end

-- Marks what is seen from a place within a radius.
function sight.mark(rock, seen, x, y, radius)
  seen:set(x, y, true)
  for sx, sy in seen:around(x, y, radius) do
    local dx, dy = sx - x, sy - y
    if dx * dx + dy * dy <= radius * radius and clear(rock, x, y, sx, sy) then seen:set(sx, sy, true) end
  end
end

return sight
