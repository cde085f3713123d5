-- weigh makes a number of any value of a field, so that fields can be summed. It runs in the twins and, for the comparison, in ecsrun.
-- true is 1, false and nil are 0; a string has a hash of its bytes; a table has the sum of its values, those at number keys times the key.
local known = {} -- string -> its hash

local function weigh(v)
  local kind = type(v)
  if kind == "number" then return v end
  if kind == "boolean" then return v and 1 or 0 end
  if kind == "string" then
    local h = known[v]
    if not h then
      h = 7
      for i = 1, #v do h = (h * 31 + string.byte(v, i)) % 65521 end
      known[v] = h
    end
    return h
  end
  if kind == "table" then
    local sum = 0
    for key, value in pairs(v) do
      sum = sum + weigh(value) * (type(key) == "number" and key or 1)
    end
    return sum
  end
  return 0
end
return weigh
