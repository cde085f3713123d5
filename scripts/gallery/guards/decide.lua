-- The state machine. Each state is a tag, so that other systems ask for exactly the guards in one state.
local ecs = require("ecs")

local STATES = { "patrolling", "chasing", "searching" }
local PATIENCE = { chasing = 1, searching = 3 } -- seconds without a sight of the thief

local chasing = ecs.query{ "Mind", tagged = { "chasing" } }
local searching = ecs.query{ "Mind", tagged = { "searching" } }

local function enter(world, guard, mind, state)
  for _, other in ipairs(STATES) do world:untag(guard, other) end
  world:tag(guard, state)
  mind.since = world.time
  world:send("Changed", { who = guard, state = state })
end

return function(world)
  for seen in world:drain("Seen") do
    local mind, pos = world:get(seen.by, "Mind"), world:get(seen.who, "Position")
    mind.target, mind.x, mind.y = seen.who, pos.x, pos.y
    if world:tagged(seen.by, "chasing") then
      mind.since = world.time
    else
      enter(world, seen.by, mind, "chasing")
    end
  end
  for guard, mind in world:each(chasing) do
    if world.time - mind.since > PATIENCE.chasing then enter(world, guard, mind, "searching") end
  end
  for guard, mind in world:each(searching) do
    if world.time - mind.since > PATIENCE.searching then enter(world, guard, mind, "patrolling") end
  end
end
