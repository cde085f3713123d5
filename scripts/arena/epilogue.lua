-- Says how it ended, and why, and ends the run. It takes one turn in the whole battle (`when: resources.over`), and yet knows all of it:
-- the events it began to read in `init` are kept for it until it comes.
local sides = require("lib.sides")
local prose = require("lib.prose")

local number, many, percent = prose.number, prose.many, prose.percent

local M = {}

function M.init(world)
  for _ in world:read("Wave") do end
  for _ in world:read("Lead") do end
  for _ in world:read("Broke") do end
end

local function say(text) print("       " .. text) end

local function all(events)
  local list = {}
  for ev in events do table.insert(list, ev) end
  return list
end

-- tell_turn finds the wave that turned the battle: the last that came for the winner before it took the lead for good.
local function tell_turn(world, winner, clock)
  local leads, waves = all(world:read("Lead")), all(world:read("Wave"))
  local last = leads[#leads]
  if not last or last.side ~= winner then return end
  if #leads == 1 then
    say("They had the numbers from " .. clock(last.frame) .. " on, and never gave them back.")
    return
  end
  local turned
  for _, wave in ipairs(waves) do
    if wave.side == winner and wave.frame <= last.frame then turned = wave end
  end
  local s, o = sides[winner], sides[1 - winner]
  if turned then
    say("The " .. o.name .. " had been ahead. Then, at " .. clock(turned.frame) .. ", came " .. turned.kind .. ", " .. number(turned.size)
      .. " strong: that turned the day for the " .. s.name .. ".")
  else
    say("The " .. o.name .. " had been ahead until " .. clock(last.frame) .. ". Nobody came to help the " .. s.name .. "; they did it alone.")
  end
end

local function tell_fire(res)
  local hurt = res.ravens_burnt >= res.stags_burnt and 0 or 1
  local s, o = sides[hurt], sides[1 - hurt]
  if res[s.burnt] == 0 then return end
  local text = "Fire took " .. many(res[s.burnt], s.one, s.name) .. " and " .. many(res[o.burnt], o.one, o.name)
  local towards = res.wind_x > 0 and 1 or 0
  if math.abs(res.wind_x) >= 1 and towards == hurt and res[s.burnt] > 1.1 * res[o.burnt] then
    text = text .. ": the wind was not on the side of the " .. s.name
  end
  say(text .. ".")
  if res.shields_broken > 0 then say(many(res.shields_broken, "shield lies", "shields lie") .. " broken on the field.") end
end

local function tell_numbers(res)
  say(string.format("%-8s%9s%9s%9s%9s%9s", "", "came", "fell", "burnt", "fled", "stand"))
  for side = 0, 1 do
    local s = sides[side]
    say(string.format("%-8s%9s%9s%9s%9s%9s", s.name, number(res[s.mustered]), number(res[s.fallen]), number(res[s.burnt]),
      number(res[s.fled]), number(res[s.alive])))
  end
end

function M.update(world)
  local res = world.resources
  local function clock(frame) return prose.clock(frame, res.nightfall) end
  local broke = all(world:read("Broke"))[1]
  print(clock(world.frame) .. "  The battle is over.")

  local verdict
  if res.winner == 0 then
    verdict = "night fell on a battle without a winner"
    say("Night falls, and neither side has won. " .. res.ravens_general .. " and " .. res.stags_general .. " will both say they did.")
  else
    local winner = res.winner - 1
    local s, o = sides[winner], sides[1 - winner]
    say("The " .. s.name .. " have won. " .. prose.sentence(res[s.general]) .. " holds the field with "
      .. many(res[s.alive], "soldier", "soldiers") .. ".")
    if broke then
      verdict = "the " .. s.name .. " won: the " .. o.name .. " broke at " .. clock(broke.frame)
      local left = percent(broke.left, res[o.mustered])
      local fate = " Nobody got away."
      if res[o.fled] > 0 then fate = " " .. number(res[o.fled]) .. " got away, " .. res[o.general] .. " among them." end
      say("The " .. o.name .. " broke first, at " .. clock(broke.frame) .. ", when " .. left .. " of them were left." .. fate)
    else
      verdict = "the " .. s.name .. " won: they were ahead at nightfall"
      say("Nobody broke. But when night fell, the " .. s.name .. " had more left than the " .. o.name .. ".")
    end
    tell_turn(world, winner, clock)
  end
  tell_fire(res)
  tell_numbers(res)
  world:stop(verdict)
end

return M
