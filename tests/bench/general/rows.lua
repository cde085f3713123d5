-- Single operations of Lua, for the page "General Lua code": a name and a function(n) that does the operation n times.
local rows = {}

do
  local object = setmetatable({}, { __index = function(t, key) return 1 end })
  function rows.index_function(n)
    local sum = 0
    for i = 1, n do sum = sum + object.missing end
    return sum
  end
end

function rows.square(n)
  local sum = 0
  for i = 1, n do sum = sum + i ^ 2 end
  return sum
end

function rows.power(n)
  local sum, e = 0, 1.5
  for i = 1, n do sum = sum + i ^ e end
  return sum
end

function rows.sub(n)
  local s, count = "the quick brown fox jumps over the lazy dog", 0
  for i = 1, n do
    if s:sub(i % 40 + 1, i % 40 + 3) == "fox" then count = count + 1 end
  end
  return count
end

function rows.byte(n)
  local s, sum = "the quick brown fox jumps over the lazy dog", 0
  for i = 1, n do sum = sum + s:byte(i % 40 + 1) end
  return sum
end

do
  local words = string.rep("word ", 200)
  function rows.gmatch(n)
    local count = 0
    while count < n do
      for word in words:gmatch("%a+") do count = count + 1 end
    end
    return count
  end
end

do
  local function add(a, b) return a + b end
  function rows.pcall(n)
    local sum = 0
    for i = 1, n do
      local _, x = pcall(add, i, 1)
      sum = sum + x
    end
    return sum
  end
end

function rows.resume(n)
  local co = coroutine.create(function()
    while true do coroutine.yield(1) end
  end)
  local resume, sum = coroutine.resume, 0
  for i = 1, n do
    local _, x = resume(co)
    sum = sum + x
  end
  return sum
end

do
  local function pack(...) return { ... } end
  function rows.vararg_table(n)
    local sum = 0
    for i = 1, n do sum = sum + #pack(i, 2, 3) end
    return sum
  end
end

do
  local function count(...) return select("#", ...) end
  function rows.vararg_select(n)
    local sum = 0
    for i = 1, n do sum = sum + count(i, 2, 3) end
    return sum
  end
end

function rows.closure(n)
  local sum = 0
  for i = 1, n do
    local f = function() return i end
    sum = sum + f()
  end
  return sum
end

do
  local meta = {}
  meta.__add = function(a, b) return a end
  local a, b = setmetatable({ x = 1 }, meta), setmetatable({ x = 2 }, meta)
  function rows.add(n)
    local c
    for i = 1, n do c = a + b end
    return c.x
  end
end

do
  local function fib(n)
    if n < 2 then return n end
    return fib(n - 1) + fib(n - 2)
  end
  function rows.fib(n) -- 57,313 calls at a time
    local sum = 0
    for i = 1, n / 57313 do sum = sum + fib(22) end
    return sum
  end
end

do
  local Point = {}
  Point.__index = Point
  function Point:get() return self.x end
  local point = setmetatable({ x = 1 }, Point)
  function rows.method(n)
    local sum = 0
    for i = 1, n do sum = sum + point:get() end
    return sum
  end
end

return rows
