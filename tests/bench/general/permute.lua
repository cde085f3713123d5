-- All orders of six items, by swapping.
local Permute = {}
Permute.__index = Permute

function Permute:swap(i, j)
  local v = self.items
  v[i], v[j] = v[j], v[i]
end

function Permute:permute(n)
  self.count = self.count + 1
  if n == 0 then return end
  self:permute(n - 1)
  for i = n, 1, -1 do
    self:swap(n, i)
    self:permute(n - 1)
    self:swap(n, i)
  end
end

return function()
  local p = setmetatable({ count = 0, items = { 1, 2, 3, 4, 5, 6 } }, Permute)
  p:permute(6)
  return p.count
end
