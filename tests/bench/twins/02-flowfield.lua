-- Twin of 02-flowfield: a breadth-first flow field on tiles, and 20,000 agents that follow it.
local floor = math.floor

local tiles = { w = 64, h = 64, walls = {} }
for y = 0, tiles.h - 1 do
  for x = 0, tiles.w - 1 do
    local wall = x == 0 or y == 0 or x == tiles.w - 1 or y == tiles.h - 1
    if x % 9 == 4 and (y + x * 7) % 11 > 2 then wall = true end
    tiles.walls[y * tiles.w + x + 1] = wall
  end
end
function tiles.index(x, y) return y * tiles.w + x + 1 end
function tiles.free(x, y) return not tiles.walls[y * tiles.w + x + 1] end

local DIRS = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }

local function build(gx, gy)
  local f = {}
  local queue, head = { { gx, gy } }, 1
  f[tiles.index(gx, gy)] = { dx = 0, dy = 0, dist = 0 }
  while head <= #queue do
    local x, y = queue[head][1], queue[head][2]
    head = head + 1
    local here = f[tiles.index(x, y)]
    for _, d in ipairs(DIRS) do
      local nx, ny = x + d[1], y + d[2]
      local i = tiles.index(nx, ny)
      if tiles.free(nx, ny) and not f[i] then
        f[i] = { dx = -d[1], dy = -d[2], dist = here.dist + 1 }
        table.insert(queue, { nx, ny })
      end
    end
  end
  return f
end

return function(stream)
  local setup_random, goal_random = stream("setup"), stream("goal")
  local agents = {}
  local resources = { arrived = 0, goal_x = 60, goal_y = 60 }
  local field, built_for

  local function start()
    while #agents < 20000 do
      local x, y = setup_random(1, tiles.w - 2), setup_random(1, tiles.h - 2)
      if tiles.free(x, y) then
        agents[#agents + 1] = {
          Position = { x = x + 0.5, y = y + 0.5 },
          Agent = { speed = 2 + setup_random() * 2, arrived = false, stuck = 0 },
        }
      end
    end
  end

  local function follow(dt)
    local key = resources.goal_x .. "," .. resources.goal_y
    if built_for ~= key then
      field, built_for = build(resources.goal_x, resources.goal_y), key
    end
    local arrived = 0
    for i = 1, #agents do
      local e = agents[i]
      local pos, agent = e.Position, e.Agent
      local cell = field[tiles.index(floor(pos.x), floor(pos.y))]
      if not cell then
        agent.stuck = agent.stuck + 1
      elseif cell.dist == 0 then
        agent.arrived = true
        arrived = arrived + 1
      else
        pos.x = pos.x + cell.dx * agent.speed * dt
        pos.y = pos.y + cell.dy * agent.speed * dt
      end
    end
    resources.arrived = arrived
  end

  local function goal()
    repeat
      resources.goal_x = goal_random(1, tiles.w - 2)
      resources.goal_y = goal_random(1, tiles.h - 2)
    until tiles.free(resources.goal_x, resources.goal_y)
    for i = 1, #agents do agents[i].Agent.arrived = false end
  end

  return {
    frames = 40, dt = 0.1, seed = 5, start = start,
    systems = { { run = follow }, { run = goal, every = 15 } },
    entities = function() return { agents } end,
    resources = resources,
    sums = { "Position.x", "Position.y", "Agent.speed", "Agent.arrived", "Agent.stuck", "resources.arrived", "resources.goal_x", "resources.goal_y" },
  }
end
