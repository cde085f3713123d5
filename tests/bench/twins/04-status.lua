-- Twin of 04-status: 20,000 creatures with one status effect each, by name.
local KINDS = { "burning", "frozen", "poisoned", "none" }
local AFTER = { burning = "poisoned", frozen = "burning", poisoned = "frozen" }
local RULES = {
  burning = { dps = 4, stacks = false },
  frozen = { dps = 0.5, stacks = false },
  poisoned = { dps = 1.5, stacks = true },
}

return function(stream)
  local start_random, next_random = stream("start"), stream("next")
  local creatures, ended = {}, {}

  local function start()
    for i = 1, 20000 do
      creatures[i] = {
        Health = { current = start_random(50, 100), max = 100 },
        Effect = { kind = KINDS[start_random(4)], left = start_random() * 3, power = start_random(1, 5) },
        Speed = { base = 5, now = 5 },
      }
    end
  end

  local function tick(dt)
    for i = 1, #creatures do
      local e = creatures[i]
      local health, effect = e.Health, e.Effect
      local rule = RULES[effect.kind]
      if rule then
        local dps = rule.dps
        if rule.stacks then dps = dps * effect.power end
        health.current = math.max(0, health.current - dps * dt)
        effect.left = effect.left - dt
        if effect.left <= 0 then
          ended[#ended + 1] = { who = e, kind = effect.kind }
          effect.kind = "none"
        end
      end
    end
  end

  local function slow()
    for i = 1, #creatures do
      local effect, speed = creatures[i].Effect, creatures[i].Speed
      if effect.kind == "frozen" then
        speed.now = speed.base * 0.3
      elseif effect.kind == "poisoned" then
        speed.now = speed.base * 0.8
      else
        speed.now = speed.base
      end
    end
  end

  local function after()
    for i = 1, #ended do
      local ev = ended[i]
      local effect = ev.who.Effect
      effect.kind = AFTER[ev.kind]
      effect.left = 1 + next_random() * 4
      effect.power = next_random(1, 5)
    end
    ended = {}
  end

  return {
    frames = 60, dt = 0.1, seed = 9, start = start,
    systems = { { run = tick }, { run = slow }, { run = after } },
    entities = function() return { creatures } end,
    sums = { "Health.current", "Health.max", "Effect.kind", "Effect.left", "Effect.power", "Speed.base", "Speed.now" },
  }
end
