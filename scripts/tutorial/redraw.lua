-- Draws what is new: collisions, and whatever has moved since this system last ran. Here, drawing is a line of text.
local ecs = require("ecs")

-- `changed` keeps those whose Position was written since this system last ran. A screen that redraws only what moved need not touch a
-- landmark, or ten thousand of them.
local moved = ecs.query{ "Name", "Position", changed = { "Position" } }

return function(world)
  -- Every system has its own place in the stream of events: `read` gives it each one exactly once.
  for hit in world:read("Collision") do
    local a, b = world:get(hit.a, "Name"), world:get(hit.b, "Name")
    print("frame " .. world.frame .. " collision " .. a.text .. " " .. b.text)
  end
  for e, name in world:each(moved) do
    print("frame " .. world.frame .. " redraw " .. name.text)
  end
end
