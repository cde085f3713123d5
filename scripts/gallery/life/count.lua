-- Counts the living neighbours of each cell. The board has no edges: left of the first column is the last one.
return function(world)
  local width, height = world.resources.width, world.resources.height
  local board = {}
  for i = 1, width * height do board[i] = 0 end
  for e, cell in world:each("Cell") do
    if world:tagged(e, "alive") then board[cell.y * width + cell.x + 1] = 1 end
  end
  for e, cell in world:each("Cell") do
    local around = 0
    for dy = -1, 1 do
      local row = (cell.y + dy) % height * width
      for dx = -1, 1 do
        if dx ~= 0 or dy ~= 0 then around = around + board[row + (cell.x + dx) % width + 1] end
      end
    end
    cell.around = around
  end
end
