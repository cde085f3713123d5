-- Twin of 33-routes: 10,000 couriers follow lists of waypoints and get a new one at the end.
local sqrt = math.sqrt

local function make(random)
  local points = {}
  for i = 1, random(2, 5) do
    points[i] = { x = random(0, 100), y = random(0, 100) }
  end
  return points
end

return function(stream)
  local start_random, assign_random = stream("start"), stream("assign")
  local couriers = {}

  local function start()
    for i = 1, 10000 do
      couriers[i] = {
        Position = { x = start_random(0, 100), y = start_random(0, 100) },
        Route = { points = make(start_random), at = 1, done = false },
        Courier = { speed = 3 + start_random() * 4, delivered = 0 },
      }
    end
  end

  local function travel(dt)
    for i = 1, #couriers do
      local e = couriers[i]
      local pos, route, courier = e.Position, e.Route, e.Courier
      if not route.done then
        local goal = route.points[route.at]
        if goal then
          local dx, dy = goal.x - pos.x, goal.y - pos.y
          local d = sqrt(dx * dx + dy * dy)
          local step = courier.speed * dt
          if d <= step then
            pos.x, pos.y = goal.x, goal.y
            route.at = route.at + 1
          else
            pos.x = pos.x + dx / d * step
            pos.y = pos.y + dy / d * step
          end
        else
          route.done = true
          courier.delivered = courier.delivered + 1
        end
      end
    end
  end

  local function assign()
    for i = 1, #couriers do
      local route = couriers[i].Route
      if route.done then
        route.points = make(assign_random)
        route.at = 1
        route.done = false
      end
    end
  end

  return {
    frames = 40, dt = 0.5, seed = 211, start = start,
    systems = { { run = travel }, { run = assign } },
    entities = function() return { couriers } end,
    sums = { "Position.x", "Position.y", "Route.points", "Route.at", "Route.done", "Courier.speed", "Courier.delivered" },
  }
end
