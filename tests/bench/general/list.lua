-- Takeuchi's function on the lengths of linked lists: recursion and small tables.
local function make(length)
  if length == 0 then return nil end
  return { value = length, next = make(length - 1) }
end

local function shorter(x, y)
  while y do
    if not x then return true end
    x, y = x.next, y.next
  end
  return false
end

local function tail(x, y, z)
  if shorter(y, x) then
    return tail(tail(x.next, y, z), tail(y.next, z, x), tail(z.next, x, y))
  end
  return z
end

local function length(list)
  if not list then return 0 end
  return 1 + length(list.next)
end

return function() return length(tail(make(15), make(10), make(6))) end
