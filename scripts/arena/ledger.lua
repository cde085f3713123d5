-- Keeps the books: three small systems in one file. The config names the same script three times; each entry takes the one of its own name.
local ecs = require("ecs")
local sides = require("lib.sides")

-- muster counts who has come. On frame 1 that is everybody: what was made before the first frame is news to every system.
local arrived = ecs.query{ "Soldier", added = { "Soldier" } }

local function muster(world)
  local n = { [0] = 0, 0 }
  for e, soldier in world:each(arrived) do n[soldier.side] = n[soldier.side] + 1 end
  for side = 0, 1 do
    if n[side] > 0 then
      local s, res = sides[side], world.resources
      res[s.mustered] = res[s.mustered] + n[side]
      res[s.alive] = res[s.alive] + n[side]
    end
  end
end

-- toll counts the fallen, and how many of them burnt.
local function toll(world)
  local res = world.resources
  for death in world:read("Died") do
    local s = sides[death.side]
    res[s.fallen] = res[s.fallen] + 1
    res[s.alive] = res[s.alive] - 1
    if death.cause == "fire" then res[s.burnt] = res[s.burnt] + 1 end
  end
end

-- splinters counts broken shields. Those who fell have lost theirs, too, but nobody broke it.
local function splinters(world)
  local broken = 0
  for e in world:removed("Shield") do
    if world:alive(e) then broken = broken + 1 end
  end
  if broken > 0 then world.resources.shields_broken = world.resources.shields_broken + broken end
end

return {
  { name = "muster", update = muster },
  { name = "toll", update = toll },
  { name = "splinters", update = splinters },
}
