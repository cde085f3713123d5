-- Adds and removes components and tags, changes tables, and follows relations.
local ecs = require("ecs")

local seen = {}

local function step(power)
  coroutine.yield(power * 2)
  return power * 3
end

return function(world)
  for ev in world:read("Born") do
    seen[#seen + 1] = ev.who
    if #seen > 50 then table.remove(seen, 1) end
  end
  local power = 1
  if world.frame % 10 == 0 then power = coroutine.wrap(step)(ecs.random()) end
  for e, bag in world:each("Bag") do
    if ecs.random() < 0.1 then
      bag.items.n = bag.items.n + 1
      bag.label = "bag " .. bag.items.n
      if world:has(e, "Burning") then
        world.commands:remove(e, "Burning")
      else
        world.commands:set(e, "Burning", { power = power })
      end
    elseif ecs.random() < 0.1 then
      world:tag(e, "hurt")
    else
      world:untag(e, "hurt")
    end
  end
end
