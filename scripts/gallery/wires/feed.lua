-- A case begins on a board at rest: an electron in each input that is on. The answer is told when it has had the time to come.
return function(world)
  local cells = world.layers.cells
  for case in world:drain("Case") do
    cells:copy(world.layers.board)
    for e, gate in world:each("Gate") do
      gate.lit = false
      if case.a then cells:set(0, gate.a, 2) end
      if case.b then cells:set(0, gate.b, 2) end
    end
    world.commands:send("Done", { a = case.a, b = case.b }, { frames = 31 })
  end
end
