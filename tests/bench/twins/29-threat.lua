-- Twin of 29-threat: 100 bosses with a table of who hit them how hard, 100 raiders each.
local ROLES = { "tank", "healer", "rogue", "mage" }

return function(stream)
  local start_random, random = stream("start"), stream("raid")
  local bosses, raiders, damages = {}, {}, {}
  local threats = {} -- boss -> raider -> amount

  local function start()
    for i = 1, 100 do
      local boss = { alive = true, Boss = { hp = 100000, rage = 0 } }
      bosses[i] = boss
      for j = 1, 100 do
        local row = #raiders + 1
        raiders[row] = {
          alive = true, row = row,
          Raider = { boss = boss, dps = start_random(5, 30), hp = 150, role = ROLES[start_random(4)] },
        }
      end
    end
  end

  local function raid(dt)
    for i = 1, #raiders do
      local e = raiders[i]
      local r = e.Raider
      if random() < 0.5 and r.boss.alive then
        local amount = r.dps * dt * (r.role == "tank" and 3 or 1)
        if r.role ~= "healer" then damages[#damages + 1] = { from = e, to = r.boss, amount = amount } end
      end
    end
  end

  local function threat()
    for i = 1, #damages do
      local ev = damages[i]
      local list = threats[ev.to]
      if not list then
        list = {}
        threats[ev.to] = list
      end
      list[ev.from] = (list[ev.from] or 0) + ev.amount
      local boss = ev.to.Boss
      boss.hp = boss.hp - ev.amount
    end
    damages = {}
    for i = 1, #bosses do
      local e = bosses[i]
      local boss = e.Boss
      local worst, most = nil, 0
      for raider, amount in pairs(threats[e] or {}) do
        if amount > most and raider.alive then worst, most = raider, amount end
      end
      boss.target = worst
      boss.rage = most
    end
  end

  local function strike(dt)
    local dead = {}
    for i = 1, #bosses do
      local victim = bosses[i].Boss.target
      if victim and victim.alive then
        victim.Raider.hp = victim.Raider.hp - 40 * dt
        if victim.Raider.hp <= 0 then dead[#dead + 1] = victim end
      end
    end
    for _, e in ipairs(dead) do
      e.alive = false
      local last = raiders[#raiders]
      raiders[e.row] = last
      last.row = e.row
      raiders[#raiders] = nil
    end
  end

  return {
    frames = 50, dt = 0.2, seed = 171, start = start,
    systems = { { run = raid }, { run = threat }, { run = strike } },
    entities = function() return { bosses, raiders } end,
    sums = { "Boss.hp", "Boss.rage", "Raider.dps", "Raider.hp", "Raider.role" },
    tolerance = 2e-2, -- of raiders with the same threat, the first in the order of pairs is struck; plain tables by entity have no fixed order
  }
end
