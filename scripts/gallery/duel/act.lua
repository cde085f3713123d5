-- The fighters choose what to do, the fastest first. A class is a table of functions: what it does in its turn.
local ecs = require("ecs")

local classes = {}

function classes.knight(world, me, friends, foes)
  if me.fighter.health < 8 and ecs.random() < 0.5 then
    world:tag(me.e, "defending")
  else
    world:send("Strike", { from = me.e, to = foes[1].e, power = ecs.random(4, 7) })
  end
end

function classes.archer(world, me, friends, foes)
  table.sort(foes, function(a, b) return a.fighter.health < b.fighter.health end)
  world:send("Strike", { from = me.e, to = foes[1].e, power = ecs.random(2, 6) })
end

function classes.healer(world, me, friends, foes)
  local weakest = friends[1]
  for _, friend in ipairs(friends) do
    if friend.fighter.health < weakest.fighter.health then weakest = friend end
  end
  world:send("Heal", { from = me.e, to = weakest.e, power = ecs.random(3, 5) })
end

return function(world)
  local all = {}
  for e, fighter, team in world:each("Fighter", "Team") do
    world:untag(e, "defending")
    all[#all + 1] = { e = e, fighter = fighter, team = team.id }
  end
  table.sort(all, function(a, b) return a.fighter.speed > b.fighter.speed end)
  for _, me in ipairs(all) do
    local friends, foes = {}, {}
    for _, other in ipairs(all) do
      local list = other.team == me.team and friends or foes
      list[#list + 1] = other
    end
    if #foes > 0 then classes[me.fighter.class](world, me, friends, foes) end
  end
end
