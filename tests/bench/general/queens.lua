-- Eight queens that do not attack each other.
local Queens = {}
Queens.__index = Queens

local function filled(n, value)
  local list = {}
  for i = 1, n do list[i] = value end
  return list
end

function Queens:free(row, column)
  return self.rows[row] and self.rising[column + row] and self.falling[column - row + 8]
end

function Queens:mark(row, column, value)
  self.rows[row] = value
  self.rising[column + row] = value
  self.falling[column - row + 8] = value
end

function Queens:place(column)
  for row = 1, 8 do
    if self:free(row, column) then
      self.columns[row] = column
      self:mark(row, column, false)
      if column == 8 or self:place(column + 1) then return true end
      self:mark(row, column, true)
    end
  end
  return false
end

return function()
  local solved = true
  for _ = 1, 10 do
    local q = setmetatable({ rows = filled(8, true), rising = filled(16, true), falling = filled(16, true), columns = filled(8, -1) }, Queens)
    solved = solved and q:place(1)
  end
  return solved
end
