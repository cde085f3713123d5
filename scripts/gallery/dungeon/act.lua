-- A turn: each acts once, the fastest first. The hero goes to the nearest gold, monsters go to the hero if he is in sight.
local ecs = require("ecs")
local path = require("gallery.dungeon.path")

local heroes = ecs.query{ "Mob", tagged = { "hero" } }

-- The way to the nearest gold.
local function to_gold(world, mob)
  local best
  for e, gold in world:each("Gold") do
    local way = path.find(world.layers, mob, gold)
    if way and (not best or #way < #best) then best = way end
  end
  return best
end

-- One step along a way; who stands there is hit, unless it is one's own kind.
local function go(world, e, mob, step)
  local other = world:at("mobs", step.x, step.y)
  if not other then
    world:set(e, "Mob", { x = step.x, y = step.y })
  elseif world:tagged(e, "hero") ~= world:tagged(other, "hero") then
    local victim = world:get(other, "Mob")
    victim.health = victim.health - mob.power
    print(("%3d  the %s hits the %s"):format(world.frame, mob.name, victim.name))
    if victim.health <= 0 then world.commands:despawn(other) end
  end
end

return function(world)
  for e, mob in world:each("Mob", { order = "-Mob.speed" }) do
    local way
    if world:tagged(e, "hero") then
      way = to_gold(world, mob)
    elseif world.layers.seen:get(mob.x, mob.y) then
      local _, hero = world:first(heroes)
      way = hero and path.find(world.layers, mob, hero)
    end
    if mob.health > 0 and way and way[1] then go(world, e, mob, way[1]) end
    if world:tagged(e, "hero") then
      for gold in world:all("gold", mob.x, mob.y) do
        print(("%3d  the hero takes gold"):format(world.frame))
        world.commands:despawn(gold)
      end
    end
  end
end
