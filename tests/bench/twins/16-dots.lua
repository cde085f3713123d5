-- Twin of 16-dots: stacks of damage over time, a list of them for each of 10,000 victims.
return function(stream)
  local start_random, random = stream("start"), stream("apply")
  local victims = {}
  local resources = { dealt = 0 }

  local function start()
    for i = 1, 10000 do
      victims[i] = {
        row = i,
        Health = { current = 200 },
        Dots = { list = {}, count = 0 },
        Resist = { fire = start_random() * 0.5, poison = start_random() * 0.5 },
      }
    end
  end

  local function apply()
    for i = 1, #victims do
      local dots = victims[i].Dots
      if dots.count < 5 and random() < 0.3 then
        local list = dots.list
        list[#list + 1] = { kind = random() < 0.5 and "fire" or "poison", dps = random(2, 9), left = random(1, 4) }
        dots.count = #list
      end
    end
  end

  local function tick(dt)
    local dealt = 0
    for i = 1, #victims do
      local e = victims[i]
      local health, dots, resist = e.Health, e.Dots, e.Resist
      if dots.count > 0 then
        local list = dots.list
        for j = #list, 1, -1 do
          local dot = list[j]
          local damage = dot.dps * dt * (1 - resist[dot.kind])
          health.current = health.current - damage
          dealt = dealt + damage
          dot.left = dot.left - dt
          if dot.left <= 0 then table.remove(list, j) end
        end
        dots.count = #list
      end
    end
    resources.dealt = resources.dealt + dealt
  end

  local function bury()
    local dead = {}
    for i = 1, #victims do
      local e = victims[i]
      if e.Health.current <= 0 then dead[#dead + 1] = e end
    end
    for _, e in ipairs(dead) do
      local last = victims[#victims]
      victims[e.row] = last
      last.row = e.row
      victims[#victims] = nil
    end
  end

  return {
    frames = 40, dt = 0.25, seed = 41, start = start,
    systems = { { run = apply, every = 2 }, { run = tick }, { run = bury } },
    entities = function() return { victims } end,
    resources = resources,
    sums = { "Health.current", "Dots.list", "Dots.count", "Resist.fire", "Resist.poison", "resources.dealt" },
  }
end
