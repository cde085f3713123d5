-- Twin of worlds/life: Life with a table for each living cell, from the R-pentomino.
return function()
  local size = 640
  local cells, at, near = {}, {}, {}
  local resources = { living = 0 }

  local function spawn(x, y)
    local e = { Cell = { x = x, y = y } }
    cells[#cells + 1] = e
    at[y * size + x] = e
  end

  local function start()
    for _, place in ipairs{ { 1, 0 }, { 2, 0 }, { 0, 1 }, { 1, 1 }, { 1, 2 } } do spawn(320 + place[1], 320 + place[2]) end
  end

  local function live()
    near = {}
    for i = 1, #cells do
      local cell = cells[i].Cell
      for dy = -1, 1 do
        local row = (cell.y + dy) % size * size
        for dx = -1, 1 do
          if dx ~= 0 or dy ~= 0 then
            local key = row + (cell.x + dx) % size
            near[key] = (near[key] or 0) + 1
          end
        end
      end
    end
    local old = cells
    cells = {}
    for i = 1, #old do
      local e = old[i]
      local key = e.Cell.y * size + e.Cell.x
      local n = near[key] or 0
      near[key] = nil -- who lives is not born
      if n == 2 or n == 3 then cells[#cells + 1] = e else at[key] = nil end
    end
    for key, n in pairs(near) do
      if n == 3 then spawn(key % size, math.floor(key / size)) end
    end
    resources.living = #cells
  end

  return {
    frames = 1103, dt = 1, seed = 1, start = start, resources = resources,
    systems = { { run = live } },
    entities = function() return { cells } end,
    sums = { "Cell.x", "Cell.y", "resources.living" },
  }
end
