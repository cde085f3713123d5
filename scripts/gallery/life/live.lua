-- A cell with three neighbours lives, one with two stays as it is, all others are dead. Tags may change inside a query loop.
return function(world)
  for e, cell in world:each("Cell") do
    if cell.around == 3 then
      world:tag(e, "alive")
    elseif cell.around ~= 2 then
      world:untag(e, "alive")
    end
  end
end
