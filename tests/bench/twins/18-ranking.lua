-- Twin of 18-ranking: a leaderboard of 10,000 and the 50 closest to a beacon, both by table.sort.
return function(stream)
  local start_random, random = stream("start"), stream("play")
  local players = {}
  local resources = { bx = 0, by = 0 }

  local function start()
    for i = 1, 10000 do
      players[i] = {
        id = i,
        Position = { x = start_random() * 100, y = start_random() * 100 },
        Score = { points = 0, rank = 0 },
        Glow = { level = 0 },
      }
    end
  end

  local function play()
    for i = 1, #players do
      local e = players[i]
      local score, pos = e.Score, e.Position
      score.points = score.points + random(0, 3)
      pos.x = pos.x + random() - 0.5
    end
    resources.bx = random() * 100
    resources.by = random() * 100
  end

  local function board()
    local list = {}
    for i = 1, #players do
      local e = players[i]
      list[#list + 1] = { e = e, points = e.Score.points }
    end
    table.sort(list, function(a, b)
      if a.points ~= b.points then return a.points > b.points end
      return a.e.id < b.e.id
    end)
    for i, entry in ipairs(list) do
      entry.e.Score.rank = i
    end
    resources.best = list[1].e
  end

  local function beacon()
    local bx, by = resources.bx, resources.by
    local near = {}
    for i = 1, #players do
      local e = players[i]
      local dx, dy = e.Position.x - bx, e.Position.y - by
      local d2 = dx * dx + dy * dy
      if d2 < 400 then
        table.insert(near, { e, d2 })
      end
    end
    table.sort(near, function(a, b) return a[2] < b[2] end)
    for i = 1, math.min(50, #near) do
      near[i][1].Glow.level = 1 - i / 50
    end
  end

  local function fade()
    for i = 1, #players do
      local glow = players[i].Glow
      if glow.level > 0.01 then glow.level = glow.level * 0.9 else glow.level = 0 end
    end
  end

  return {
    frames = 30, dt = 1 / 60, seed = 61, start = start,
    systems = { { run = play }, { run = board, every = 5 }, { run = beacon, every = 5 }, { run = fade } },
    entities = function() return { players } end,
    resources = resources,
    sums = { "Position.x", "Position.y", "Score.points", "Score.rank", "Glow.level", "resources.bx", "resources.by" },
  }
end
