-- Twin of worlds/grid: Life over a list with a number for each cell.
return function()
  local size = 200
  local now, after = {}, {}
  local resources = { living = 0 }

  local function start()
    for y = 0, size - 1 do
      for x = 0, size - 1 do now[y * size + x] = (x * x * 7 + y * y * 13 + x * y) % 5 < 2 and 1 or 0 end
    end
  end

  local function live()
    local living = 0
    for y = 0, size - 1 do
      for x = 0, size - 1 do
        local n = 0
        for dy = -1, 1 do
          local row = (y + dy) % size * size
          for dx = -1, 1 do
            if dx ~= 0 or dy ~= 0 then n = n + now[row + (x + dx) % size] end
          end
        end
        local alive = (n == 3 or n == 2 and now[y * size + x] == 1) and 1 or 0
        after[y * size + x] = alive
        living = living + alive
      end
    end
    now, after = after, now
    resources.living = living
  end

  return {
    frames = 200, dt = 1, seed = 1, start = start, resources = resources,
    systems = { { run = live } },
    entities = function() return {} end,
    sums = { "resources.living" },
  }
end
