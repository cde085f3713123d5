-- A tree of tables of random width: memory.
local random = require("random")

local count, next

local function build(depth)
  count = count + 1
  if depth == 1 then
    local leaf = {}
    for i = 1, next() % 10 + 1 do leaf[i] = false end
    return leaf
  end
  local node = {}
  for i = 1, 4 do node[i] = build(depth - 1) end
  return node
end

return function()
  count, next = 0, random()
  build(7)
  return count
end
