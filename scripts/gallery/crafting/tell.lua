-- Tells what has happened, and at the end what is where.
return function(world)
  for made in world:read("Made") do print(("%2d  made %d %s"):format(world.frame, made.count, made.kind)) end
  for m in world:read("Missing") do print(("%2d  no %s: %d %s missing"):format(world.frame, m.recipe, m.count, m.kind)) end
  if world.frame < 12 then return end
  for e, container in world:each("Container") do
    local list = {}
    for item in world:sources("StoredIn", e) do
      local view = world:get(item, "Item")
      list[#list + 1] = view.count .. " " .. view.kind
    end
    table.sort(list)
    print(container.name .. ": " .. table.concat(list, ", "))
  end
end
