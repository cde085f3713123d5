return function(world)
  for ev in world:read("Noise") do error("nobody waits for " .. ev.text) end
end
