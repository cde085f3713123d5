-- A*: the shortest way between two places of a layer, in steps to the four sides. 1 is a wall.
local path = {}

-- The open places: a heap of which the one with the lowest rank comes first.
local xs, ys, ranks, n = {}, {}, {}, 0

local function push(x, y, rank)
  n = n + 1
  local i = n
  while i > 1 do
    local up = math.floor(i / 2)
    if ranks[up] <= rank then break end
    xs[i], ys[i], ranks[i] = xs[up], ys[up], ranks[up]
    i = up
  end
  xs[i], ys[i], ranks[i] = x, y, rank
end

local function pop()
  local x, y = xs[1], ys[1]
  local lx, ly, rank = xs[n], ys[n], ranks[n]
  n = n - 1
  local i = 1
  while 2 * i <= n do
    local down = 2 * i
    if down < n and ranks[down + 1] < ranks[down] then down = down + 1 end
    if ranks[down] >= rank then break end
    xs[i], ys[i], ranks[i] = xs[down], ys[down], ranks[down]
    i = down
  end
  xs[i], ys[i], ranks[i] = lx, ly, rank
  return x, y
end

-- Returns the first step of the way, nil if there is none. It searches from the goal, and writes into the layer walked how many steps each place
-- is away from it, counted from 1; what no search has come to stays 0.
function path.step(rock, walked, x, y, gx, gy)
  walked:fill(0)
  walked:set(gx, gy, 1)
  n = 0
  push(gx, gy, 0)
  while n > 0 do
    local px, py = pop()
    local steps = walked:get(px, py) + 1
    if px == x and py == y then break end
    for nx, ny, wall in rock:around(px, py, 1, "neumann") do
      if wall == 0 then
        local before = walked:get(nx, ny)
        if before == 0 or steps < before then
          walked:set(nx, ny, steps)
          push(nx, ny, steps + math.abs(x - nx) + math.abs(y - ny))
        end
      end
    end
  end
  local here = walked:get(x, y)
  for nx, ny, steps in walked:around(x, y, 1, "neumann") do
    if steps > 0 and steps == here - 1 then return nx, ny end
  end
end

return path
