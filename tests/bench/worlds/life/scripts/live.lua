return function(world)
  local near = world.layers.near
  near:fill(0)
  for e, cell in world:each("Cell") do
    for x, y in near:around(cell.x, cell.y, 1) do near:add(x, y, 1) end
  end
  for e, cell in world:each("Cell") do
    local n = near:get(cell.x, cell.y)
    if n < 2 or n > 3 then world.commands:despawn(e) end
    for x, y, count in near:around(cell.x, cell.y, 1) do
      if count == 3 and not world:at("cells", x, y) then
        near:set(x, y, 0) -- it is born once
        world.commands:spawn{ Cell = { x = x, y = y } }
      end
    end
  end
end
