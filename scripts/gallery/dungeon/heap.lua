-- A heap: the item with the lowest rank comes first. Of equal ranks, which one comes follows from the order of the calls alone.
local Heap = {}
Heap.__index = Heap

function Heap.new() return setmetatable({ n = 0, items = {}, ranks = {} }, Heap) end

function Heap:push(item, rank)
  local items, ranks = self.items, self.ranks
  self.n = self.n + 1
  local i = self.n
  while i > 1 do
    local up = math.floor(i / 2)
    if ranks[up] <= rank then break end
    items[i], ranks[i] = items[up], ranks[up]
    i = up
  end
  items[i], ranks[i] = item, rank
end

-- Takes the first item away and returns it, nil of an empty heap.
function Heap:pop()
  local items, ranks, n = self.items, self.ranks, self.n
  if n == 0 then return nil end
  local first, item, rank = items[1], items[n], ranks[n]
  self.n = n - 1
  local i = 1
  while 2 * i < n do
    local down = 2 * i
    if down + 1 < n and ranks[down + 1] < ranks[down] then down = down + 1 end
    if ranks[down] >= rank then break end
    items[i], ranks[i] = items[down], ranks[down]
    i = down
  end
  items[i], ranks[i] = item, rank
  return first
end

return Heap
