-- Who sees what: two places see each other if no wall stands on the line between them, the ends left out.
local sight = {}

-- Walks the line in its longer direction, in whole numbers. A line that touches the middle between two cells is clear if one of them is:
-- so the way there and the way back give the same answer.
function sight.clear(rock, ax, ay, bx, by)
  local dx, dy = bx - ax, by - ay
  local n = math.max(math.abs(dx), math.abs(dy))
  for i = 1, n - 1 do
    local x, y = ax * n + dx * i, ay * n + dy * i
    local left, right = math.ceil(x / n - 0.5), math.floor(x / n + 0.5)
    local top, bottom = math.ceil(y / n - 0.5), math.floor(y / n + 0.5)
    if rock:get(left, top) == 1 and rock:get(right, bottom) == 1 then return false end
  end
  return true
end

-- Marks what is seen from a place within a radius.
function sight.mark(rock, seen, x, y, radius)
  seen:set(x, y, true)
  for sx, sy in seen:around(x, y, radius) do
    local dx, dy = sx - x, sy - y
    if dx * dx + dy * dy <= radius * radius and sight.clear(rock, x, y, sx, sy) then seen:set(sx, sy, true) end
  end
end

return sight
