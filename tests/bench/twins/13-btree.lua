-- Twin of 13-btree: a behaviour tree made of closures, ticked for 10,000 creatures.
local bt = {}
function bt.sequence(...)
  local children = { ... }
  return function(ctx)
    for _, child in ipairs(children) do
      if not child(ctx) then return false end
    end
    return true
  end
end
function bt.selector(...)
  local children = { ... }
  return function(ctx)
    for _, child in ipairs(children) do
      if child(ctx) then return true end
    end
    return false
  end
end
function bt.invert(child)
  return function(ctx) return not child(ctx) end
end

local function above(need, level)
  return function(ctx) return ctx.needs[need] > level end
end
local function go(x, y)
  return function(ctx)
    local pos = ctx.pos
    local dx, dy = x - pos.x, y - pos.y
    local d = math.sqrt(dx * dx + dy * dy)
    if d < 1 then return true end
    pos.x = pos.x + dx / d * ctx.dt * 4
    pos.y = pos.y + dy / d * ctx.dt * 4
    ctx.mind.action = "walk"
    return false
  end
end
local function consume(need, name)
  return function(ctx)
    ctx.needs[need] = math.max(0, ctx.needs[need] - 0.3 * ctx.dt)
    ctx.mind.action = name
    return true
  end
end
local function idle(ctx)
  ctx.mind.action = "idle"
  return true
end

local tree = bt.selector(
  bt.sequence(above("fear", 0.5), go(0, 0)),
  bt.sequence(above("thirst", 0.6), go(40, 0), consume("thirst", "drink")),
  bt.sequence(above("hunger", 0.5), bt.invert(above("thirst", 0.9)), go(0, 40), consume("hunger", "eat")),
  idle
)

return function(stream)
  local random = stream("start")
  local creatures = {}

  local function start()
    for i = 1, 10000 do
      creatures[i] = {
        Mind = { action = "idle", ticks = 0 },
        Position = { x = random(-50, 50), y = random(-50, 50) },
        Needs = { hunger = random(), thirst = random(), fear = 0 },
      }
    end
  end

  local function decay(dt)
    for i = 1, #creatures do
      local needs = creatures[i].Needs
      needs.hunger = math.min(1, needs.hunger + 0.02 * dt)
      needs.thirst = math.min(1, needs.thirst + 0.05 * dt)
      needs.fear = needs.fear * 0.9
    end
  end

  local function tick(dt)
    local ctx = { dt = dt }
    for i = 1, #creatures do
      local e = creatures[i]
      ctx.pos, ctx.needs, ctx.mind = e.Position, e.Needs, e.Mind
      tree(ctx)
      e.Mind.ticks = e.Mind.ticks + 1
    end
  end

  return {
    frames = 30, dt = 0.2, seed = 14, start = start,
    systems = { { run = decay }, { run = tick } },
    entities = function() return { creatures } end,
    sums = { "Position.x", "Position.y", "Needs.hunger", "Needs.thirst", "Needs.fear", "Mind.action", "Mind.ticks" },
  }
end
