-- The rule: a head becomes a tail, a tail wire, and wire a head if one or two heads touch it.
-- All cells are judged by the board before, so the order of the walk does not matter.
return function(world)
  local cells, before = world.layers.cells, world.layers.before
  before:copy(cells)
  for x, y, kind in before:each() do
    if kind == 2 then
      cells:set(x, y, 3)
    elseif kind == 3 then
      cells:set(x, y, 1)
    elseif kind == 1 then
      local heads = 0
      for _, _, near in before:around(x, y, 1) do
        if near == 2 then heads = heads + 1 end
      end
      if heads == 1 or heads == 2 then cells:set(x, y, 2) end
    end
  end
end
