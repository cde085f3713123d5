-- Twin of worlds/dungeon: field of view and paths, with the map in plain tables of cells, y * width + x.
return function(stream)
  local random = stream("dig")
  local width, height = 80, 50
  local rock, seen, walked, at, mobs = {}, {}, {}, {}, {}
  local resources = { lit = 0, steps = 0 }
  local xs, ys, ranks, n = {}, {}, {}, 0

  local function fill(x, y, w, h)
    for cy = y, y + h - 1 do
      for cx = x, x + w - 1 do rock[cy * width + cx] = 0 end
    end
  end

  local function start()
    for i = 0, width * height - 1 do rock[i], seen[i], walked[i] = 1, false, 0 end
    local last_x, last_y
    for i = 1, 20 do
      local w, h = random(5, 12), random(4, 8)
      local x, y = random(1, 78 - w), random(1, 48 - h)
      fill(x, y, w, h)
      local cx, cy = x + math.floor(w / 2), y + math.floor(h / 2)
      if last_x then
        fill(math.min(cx, last_x), cy, math.abs(cx - last_x) + 1, 1)
        fill(last_x, math.min(cy, last_y), 1, math.abs(cy - last_y) + 1)
      end
      local mob = { Mob = { x = cx, y = cy, home_x = 0, home_y = 0, goal_x = 0, goal_y = 0 } }
      if i > 1 then mob.Mob.home_x, mob.Mob.home_y, mob.Mob.goal_x, mob.Mob.goal_y = cx, cy, last_x, last_y end
      mobs[i] = mob
      last_x, last_y = cx, cy
      at[cy * width + cx] = (at[cy * width + cx] or 0) + 1
    end
  end

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

  local sides = { { 0, -1 }, { -1, 0 }, { 1, 0 }, { 0, 1 } }

  local function step(x, y, gx, gy)
    for i = 0, width * height - 1 do walked[i] = 0 end
    walked[gy * width + gx] = 1
    n = 0
    push(gx, gy, 0)
    while n > 0 do
      local px, py = pop()
      local steps = walked[py * width + px] + 1
      if px == x and py == y then break end
      for i = 1, 4 do
        local nx, ny = px + sides[i][1], py + sides[i][2]
        if nx >= 0 and nx < width and ny >= 0 and ny < height and rock[ny * width + nx] == 0 then
          local before = walked[ny * width + nx]
          if before == 0 or steps < before then
            walked[ny * width + nx] = steps
            push(nx, ny, steps + math.abs(x - nx) + math.abs(y - ny))
          end
        end
      end
    end
    local here = walked[y * width + x]
    for i = 1, 4 do
      local nx, ny = x + sides[i][1], y + sides[i][2]
      if nx >= 0 and nx < width and ny >= 0 and ny < height then
        local steps = walked[ny * width + nx]
        if steps > 0 and steps == here - 1 then return nx, ny end
      end
    end
  end

  local function unseen()
    for y = 0, height - 1 do
      for x = 0, width - 1 do
        if not seen[y * width + x] and rock[y * width + x] == 0 then return x, y end
      end
    end
    for i = 0, width * height - 1 do seen[i] = false end
    return unseen()
  end

  local function act()
    for i = 1, #mobs do
      local mob = mobs[i].Mob
      if i == 1 then
        mob.goal_x, mob.goal_y = unseen()
      elseif mob.x == mob.goal_x and mob.y == mob.goal_y then
        mob.home_x, mob.home_y, mob.goal_x, mob.goal_y = mob.goal_x, mob.goal_y, mob.home_x, mob.home_y
      end
      local x, y = step(mob.x, mob.y, mob.goal_x, mob.goal_y)
      if (at[y * width + x] or 0) < 2 then
        resources.steps = resources.steps + 1
        at[mob.y * width + mob.x] = at[mob.y * width + mob.x] - 1
        at[y * width + x] = (at[y * width + x] or 0) + 1
        mob.x, mob.y = x, y
      end
    end
  end

  local function clear(ax, ay, bx, by)
    local dx, dy = bx - ax, by - ay
    local far = math.max(math.abs(dx), math.abs(dy))
    for i = 1, far - 1 do
      if rock[math.floor(ay + dy * i / far + 0.5) * width + math.floor(ax + dx * i / far + 0.5)] == 1 then return false end
    end
    return true
  end

  local function look()
    local x, y, radius = mobs[1].Mob.x, mobs[1].Mob.y, 9
    seen[y * width + x] = true
    for sy = math.max(y - radius, 0), math.min(y + radius, height - 1) do
      for sx = math.max(x - radius, 0), math.min(x + radius, width - 1) do
        local dx, dy = sx - x, sy - y
        if dx * dx + dy * dy <= radius * radius and clear(x, y, sx, sy) then seen[sy * width + sx] = true end
      end
    end
    local lit = 0
    for i = 0, width * height - 1 do
      if seen[i] then lit = lit + 1 end
    end
    resources.lit = lit
  end

  return {
    frames = 600, dt = 1, seed = 12, start = start, resources = resources,
    systems = { { run = act }, { run = look } },
    entities = function() return { mobs } end,
    sums = { "Mob.x", "Mob.y", "Mob.goal_x", "Mob.home_y", "resources.lit", "resources.steps" },
  }
end
