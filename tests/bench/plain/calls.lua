-- The rows of the page "Calls and turns" over plain Lua tables, for Lua 5.1, Lua 5.4 and LuaJIT: a name and nanoseconds in each line, of the
-- quickest of many batches. Each time includes the turn of the loop around it, as in BenchmarkCalls of luabind.
local clock = os.clock

-- bench prints the quickest time of f, divided by what it does.
local function bench(name, per, f)
  local best, batches, started = math.huge, 0, clock()
  repeat
    local began = clock()
    f()
    best, batches = math.min(best, clock() - began), batches + 1
  until batches >= 20 and clock() - started > 0.4
  print(string.format("%s %.4g", name, best / per * 1e9))
end

bench("for", 1e5, function() for i = 1, 100000 do end end)

do
  local function f(a) return a end
  bench("call", 1e5, function() for i = 1, 100000 do f(i) end end)
end

do
  local t = { x = 1, y = 2 }
  bench("field", 1e5, function() local s = 0 for i = 1, 100000 do s = t.x end return s end)
end

do
  local world = { entities = { { Position = { x = 1 } } } }
  function world:get(e, component)
    local row = self.entities[e]
    return row and row[component]
  end
  bench("get", 1e4, function() local s = 0 for i = 1, 10000 do s = s + world:get(1, "Position").x end return s end)
end

do
  -- An entity is a table with a table for each component, in a list; the list is made anew each time.
  local world = {}
  function world:spawn(components)
    local list = self.list
    list[#list + 1] = components
    return components
  end
  function world:spawn_many(n, components, f)
    local list = self.list
    for i = 1, n do
      local e = {}
      for name in pairs(components) do e[name] = {} end
      for name, values in pairs(f(i)) do
        for k, v in pairs(values) do e[name][k] = v end
      end
      list[#list + 1] = e
    end
  end
  bench("spawn", 1e3, function()
    world.list = {}
    for i = 1, 1000 do world:spawn{ Position = { x = i, y = 1 }, Velocity = { dx = 1, dy = i } } end
  end)
  bench("spawn_many", 1e3, function()
    world.list = {}
    world:spawn_many(1000, { Position = {}, Velocity = {} }, function(i) return { Position = { x = i } } end)
  end)
end

-- points returns n entities as tables.
local function points(n)
  local list, seed = {}, 7
  local function random()
    seed = seed * 16807 % 2147483647
    return seed / 2147483647
  end
  for i = 1, n do
    list[i] = { Position = { x = random() * 800, y = random() * 600 }, Velocity = { dx = random() * 200 - 100, dy = random() * 200 - 100 } }
  end
  return list
end

do
  local list, dt, sqrt = points(200), 1 / 60, math.sqrt
  bench("pairs", 200 * 200, function()
    for i = 1, #list do
      local pos = list[i].Position
      local ax, ay, px, py = 0, 0, pos.x, pos.y
      for j = 1, #list do
        local q = list[j].Position
        local dx, dy = q.x - px, q.y - py
        local d2 = dx * dx + dy * dy + 0.01
        local inv = 0.5 / (d2 * sqrt(d2))
        ax = ax + dx * inv
        ay = ay + dy * inv
      end
      pos.x = px + ax * dt
      pos.y = py + ay * dt
    end
  end)
end

do
  local list, dt, sqrt = points(10000), 1 / 60, math.sqrt
  bench("pull", 1e4, function()
    for i = 1, #list do
      local e = list[i]
      local pos, vel = e.Position, e.Velocity
      local ax, ay = 400 - pos.x, 300 - pos.y
      local inv = 50 / sqrt(ax * ax + ay * ay + 1)
      vel.dx = (vel.dx + ax * inv * dt) * 0.99
      vel.dy = (vel.dy + ay * inv * dt) * 0.99
      pos.x = pos.x + vel.dx * dt
      pos.y = pos.y + vel.dy * dt
    end
  end)
end
