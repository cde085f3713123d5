-- A picture of characters. The worlds of the gallery draw themselves with it.
--
--   local picture = canvas.new(60, 20)
--   picture:put(3, 4, "#")
--   print(picture)
local Canvas = {}
Canvas.__index = Canvas

-- An empty picture: every place has the blank, a space unless told otherwise.
function Canvas.new(width, height, blank)
  local rows = {}
  for y = 1, height do
    local row = {}
    for x = 1, width do row[x] = blank or " " end
    rows[y] = row
  end
  return setmetatable({ width = width, height = height, rows = rows }, Canvas)
end

-- Puts a character at a place; (0, 0) is the top left one. Places outside of the picture are left out.
function Canvas:put(x, y, character)
  local row = self.rows[math.floor(y) + 1]
  x = math.floor(x) + 1
  if row and x >= 1 and x <= self.width then row[x] = character end
end

-- The picture as text, without the blanks at the ends of lines.
function Canvas:__tostring()
  local lines = {}
  for y = 1, self.height do
    lines[y] = (table.concat(self.rows[y]):gsub("%s+$", ""))
  end
  return table.concat(lines, "\n")
end

return Canvas
