-- Notes which outputs an electron has reached, and prints the line of a case that is done.
local function digit(on) return on and 1 or 0 end

return function(world)
  local cells = world.layers.cells
  local right = cells:size() - 1
  for e, gate in world:each("Gate") do
    if cells:get(right, gate.out) == 2 then gate.lit = true end
  end
  for case in world:read("Done") do
    local line = ("a %d  b %d "):format(digit(case.a), digit(case.b))
    for e, gate in world:each("Gate") do line = line .. ("  %s %d"):format(gate.name, digit(gate.lit)) end
    print(line)
  end
end
