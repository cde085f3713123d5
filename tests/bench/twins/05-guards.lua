-- Twin of 05-guards: 15,000 guards with a state machine, 2,000 thieves, and a grid of cells for the search. An entity changes its cell only
-- when it has left it, so the grid is not filled anew each frame.
local floor, sqrt = math.floor, math.sqrt
local SPEED = { patrol = 1, chase = 6, attack = 0, flee = 8 }
local CELL, ROW = 30, 4096

return function(stream)
  local start_random, thief_random = stream("start"), stream("thieves")
  local guards, thieves = {}, {}
  local cells = {}

  local function cell_of(pos) return floor(pos.y / CELL) * ROW + floor(pos.x / CELL) end

  local function enter(e, key)
    local cell = cells[key]
    if not cell then
      cell = {}
      cells[key] = cell
    end
    cell[#cell + 1] = e
    e.cell, e.slot = key, #cell
  end

  local function leave(e)
    local cell = cells[e.cell]
    local last = cell[#cell]
    cell[e.slot] = last
    last.slot = e.slot
    cell[#cell] = nil
  end

  local function update_grid(list)
    for i = 1, #list do
      local e = list[i]
      local key = cell_of(e.Position)
      if key ~= e.cell then
        leave(e)
        enter(e, key)
      end
    end
  end

  local function nearest_thief(pos)
    local best, found = 900, nil
    local x, y = pos.x, pos.y
    for cy = floor((y - 30) / CELL), floor((y + 30) / CELL) do
      for cx = floor((x - 30) / CELL), floor((x + 30) / CELL) do
        local cell = cells[cy * ROW + cx]
        if cell then
          for i = 1, #cell do
            local other = cell[i]
            local at = other.Position
            local dx, dy = at.x - x, at.y - y
            local d2 = dx * dx + dy * dy
            if d2 < best and other.thief then
              best, found = d2, other
            end
          end
        end
      end
    end
    return found, best
  end

  local function start()
    for i = 1, 15000 do
      local x, y = start_random() * 2000, start_random() * 2000
      guards[i] = {
        alive = true,
        Position = { x = x, y = y },
        Brain = { state = "patrol", home_x = x, home_y = y, timer = start_random() * 4 },
        Health = { current = start_random(5, 40) },
        Target = {},
      }
    end
    for i = 1, 2000 do
      thieves[i] = { alive = true, row = i, Position = { x = start_random() * 2000, y = start_random() * 2000 }, Health = { current = 30 }, thief = true }
    end
    for _, list in ipairs({ guards, thieves }) do
      for _, e in ipairs(list) do enter(e, cell_of(e.Position)) end
    end
  end

  local function think(dt)
    update_grid(guards)
    update_grid(thieves)
    for i = 1, #guards do
      local e = guards[i]
      local pos, brain, health, target = e.Position, e.Brain, e.Health, e.Target
      brain.timer = brain.timer - dt
      if brain.state == "patrol" then
        if brain.timer <= 0 then
          brain.timer = 2
          local thief = nearest_thief(pos)
          if thief then
            target.who = thief
            brain.state = "chase"
            e.alarmed = true
          end
        end
      elseif brain.state == "chase" then
        local who = target.who
        if not (who and who.alive) then
          brain.state = "patrol"
        else
          local at = who.Position
          local dx, dy = at.x - pos.x, at.y - pos.y
          if dx * dx + dy * dy < 4 then brain.state = "attack" end
          if brain.timer < -5 then brain.state = "patrol" end
        end
        if health.current < 10 then brain.state = "flee" end
      elseif brain.state == "attack" then
        local who = target.who
        local hp = who and who.alive and who.Health
        if hp and hp.current > 0 then
          hp.current = hp.current - 5 * dt
          health.current = health.current - 2 * dt
          if health.current < 10 then brain.state = "flee" end
        else
          brain.state = "patrol"
          target.who = nil
          e.alarmed = nil
        end
      elseif brain.state == "flee" then
        health.current = health.current + dt
        if health.current > 20 then
          brain.state = "patrol"
          e.alarmed = nil
        end
      end
    end
  end

  local function act(dt)
    for i = 1, #guards do
      local e = guards[i]
      local pos, brain = e.Position, e.Brain
      local tx, ty = brain.home_x, brain.home_y
      if brain.state == "chase" then
        local who = e.Target.who
        if who and who.alive then tx, ty = who.Position.x, who.Position.y end
      end
      local dx, dy = tx - pos.x, ty - pos.y
      local d = sqrt(dx * dx + dy * dy)
      if d > 0.1 then
        local s = SPEED[brain.state]
        pos.x = pos.x + dx / d * s * dt
        pos.y = pos.y + dy / d * s * dt
      end
    end
  end

  local function steal(dt)
    local dead = {}
    for i = 1, #thieves do
      local e = thieves[i]
      if e.Health.current <= 0 then
        dead[#dead + 1] = e
      else
        local pos = e.Position
        pos.x = pos.x + (thief_random() - 0.5) * 8 * dt
        pos.y = pos.y + (thief_random() - 0.5) * 8 * dt
      end
    end
    for _, e in ipairs(dead) do
      e.alive = false
      leave(e)
      local last = thieves[#thieves]
      thieves[e.row] = last
      last.row = e.row
      thieves[#thieves] = nil
    end
  end

  return {
    frames = 60, dt = 0.1, seed = 2, start = start,
    systems = { { run = think }, { run = act }, { run = steal } },
    entities = function() return { guards, thieves } end,
    sums = { "Position.x", "Position.y", "Brain.state", "Brain.timer", "Brain.home_x", "Brain.home_y", "Health.current" },
  }
end
