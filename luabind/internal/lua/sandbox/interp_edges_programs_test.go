package sandbox

import "strings"

// Programs at the edges of what package interp does by itself: behind them gopher-lua's instructions take over.

func init() { interpPrograms = append(interpPrograms, edgePrograms...) }

var edgePrograms = []interpProgram{
	{name: "more variables than a loop gives", src: `
local t = { 5, 6, x = 7, [2.5] = 8 }
for k, v, a in pairs(t) do show(k, v, a) a = k end
for k, v, a, b in pairs(t) do show(k, v, a, b) a, b = k, v end
for i, v, a in ipairs(t) do show(i, v, a) a = i end
for i, v, a, b in ipairs(t) do show(i, v, a, b) a, b = i, v end
for k, v, a in next, t do show(k, v, a) a = k end
for k, v, a, b in next, t, 1 do show(k, v, a, b) a, b = k, v end
for k, v, a in pairs({}) do show(k, v, a) end
for k in pairs(t) do show(k) end
`},
	{name: "calls where the registers end", src: `
local function wide(x)
  local a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t = x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
  local aa, bb, cc, dd, ee, ff, gg, hh, ii, jj, kk, ll, mm, nn, oo, pp, qq, rr, ss, tt = t, s, r, q, p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a
  return tt + aa + ss
end
local function many(...) local a, b, c = ... return select("#", ...), a, b, c, wide(1) end
local function tail(n) if n == 0 then return wide(n) end local x, y, z = n, n, n return (tail(n - 1)) + x - y end
local function tails(n) if n == 0 then return many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) end local x = tails(n - 1) return x end
local function call(n) if n == 0 then local x = wide(n) return x end local x, y, z = n, n, n return (call(n - 1)) + x - y end
local function calls(n) if n == 0 then local x = many(n, n, n, n, n, n, n) return x end local x = calls(n - 1) return x end
for n = 1, 70 do
  for i, f in ipairs{ tail, tails, call, calls } do show(n, i, coroutine.wrap(f)(n)) end
end
`},
	{name: "calls where a thread has no more registers", src: `
local function wide(x) ` + strings.Repeat("local a, b, c, d, e, f, g, h, i, j ", 19) + `return x end
local function tail(n, ...) return wide(n) end
local function direct(n, ...) local x = wide(n) return x end
local function narrow(n, ...) return n end
local list = {} for i = 1, 200 do list[i] = i end
local function deep(n, k, last)
  ` + strings.Repeat("local a, b, c, d, e, f, g, h, i, j ", 17) + `
  if n == 0 then local x = last(n, unpack(list, 1, k)) return x end
  local x = deep(n - 1, k, last)
  return x
end
for k = 18, 54, 9 do for i, last in ipairs{ tail, direct, narrow } do show(k, i, pcall(deep, 186, k, last)) end end
`},
	{name: "functions of the library as orders", src: `
local function sorted(t, f) local ok, err = pcall(function() table.sort(t, f) end) show(ok, err, unpack(t)) end
for _, f in ipairs{ rawequal, math.max, tostring, type, pcall, select } do
  sorted({ 3, 1, 2, 6, 5, 4, 7, 8 }, f) sorted({ "c", "a", "b", "f", "e", "d" }, f) sorted({ 2, 1 }, f)
end
`},
	{name: "a table in the register of another one", src: `
local function list(t) local n, sum = 0, 0 for k, v in pairs(t) do n = n + 1 sum = sum + v end return n, sum end
local function returned() do local a = { x = 1 } end return { y = 2 } end
local function kept() do local a = { x = 1 } end local t = { y = 2 } return t end
local function own() do local a = { x = 1 } end local t = { y = 2 } t.z = 3 return t end
local function given() do local a = { x = 1 } end return list({ y = 2 }) end
local function twice() do local a = { x = 1, { y = 2 } } end do local b = { z = 3 } end return list({ y = 4, z = 5 }) end
local function below() local u do local a, b = 1, { x = 1 } end u = { y = 2 } return list({ z = 3 }) end
local function inner() do local a = { x = { y = 1 } } end local t = { x = { z = 2 } } return list(t.x) end
for i = 1, 3 do show(list(returned())) show(list(kept())) show(list(own())) show(given()) show(twice()) show(below()) show(inner()) end
`},
	{name: "fields of values that have none", src: `
local values = { bare, odd, named, chained, called, 5, true, print, "text" }
for i = 1, 9 do
  local v = values[i]
  local function field() return v.x end
  local function other() return v.none end
  local function method() return v:len() end
  local function key(k) return v[k] end
  local function set() v.x = 1 end
  for round = 1, 2 do try(field) try(other) try(method) try(key, "x") try(key, 1) try(set) end
end
`},
	{name: "metatables that are no tables, and bases", src: `
local base = { x = 1, f = function() return 2 end }
local tables = {
  {}, setmetatable({}, {}), setmetatable({}, { __index = base }), setmetatable({ x = 5 }, { __index = base }),
  setmetatable({}, { __index = function(t, k) return k end }), setmetatable({}, { __index = 5 }), setmetatable({}, { __index = "text" }),
  setmetatable({}, { __index = setmetatable({}, { __index = base }) }), setmetatable({}, { __newindex = base }), setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, 7) end }),
}
for i = 1, #tables do
  local t = tables[i]
  for round = 1, 2 do
    try(function() return t.x, t.none end) try(function() return t:f() end) try(function() return t[1], t[2.5], t[true] end)
    try(function() t[1] = 1 t[3] = 3 t[2.5] = 2 t[true] = 4 t.y = 6 return rawget(t, 1), rawget(t, 3), rawget(t, 2.5), rawget(t, true), rawget(t, "y") end)
    try(function() t[nil] = 1 end) try(function() t[0 / 0] = 1 end) try(function() return t[nil], t[0 / 0] end)
    t[1], t[3] = nil
  end
  show(#t, base.y, base[1], rawget(base, true))
  base.y, base[1], base[3], base[2.5], base[true] = nil
end
`},
	{name: "how many values a metamethod returns", src: `
local captured
local function of(event, n)
  local many = { function() end, function() return "one" end, function() return "one", "two" end, function(...) return ... end, function(...) return tostring(select("#", ...)) end }
  local t = setmetatable({}, { [event] = many[n] })
  return t
end
for n = 1, 5 do
  local add, sub, pow, index, unm, eq, lt, le = of("__add", n), of("__sub", n), of("__pow", n), of("__index", n), of("__unm", n), of("__eq", n), of("__lt", n), of("__le", n)
  local a, b, c = add + 1, 1 - sub, pow ^ 2
  show(n, a, b, c, rawequal(a, add), rawequal(b, 1))
  local d, e = index.x, -unm
  captured = function() d = index.y e = index.x return d, e end
  show(d, e, rawequal(d, index), captured())
  show(index.x, index[1], (index.x), index.y and 1, { index.z, index.x }, (function() return index.x end)())
  local other = setmetatable({}, getmetatable(eq))
  show(eq == other, eq ~= other, lt < setmetatable({}, getmetatable(lt)), le <= setmetatable({}, getmetatable(le)))
  local chain = setmetatable({}, { __index = setmetatable({ own = 1 }, getmetatable(index)) })
  for _ = 1, 3 do show(chain.own, chain.missing, chain.missing == chain, rawequal(chain.missing, getmetatable(chain).__index)) end
  function index.method() return "m" end
  for _ = 1, 2 do show(index.method(), pcall(function() return index:other() end)) end
end
`},
	{name: "globals that come and go", src: `
local function get() return math, name end
for i = 1, 6 do
  rawset(_G, "name", i % 2 == 0 and i or nil)
  for j = 1, 2 do show(i, pcall(get)) end
  rawset(_G, "math", i % 3 == 0 and "no library" or nil)
  for j = 1, 20 do rawset(_G, "g" .. i .. j, j) end
end
local t = { length = 1 }
for i = 1, 4 do
  local k = ("a" .. "length"):sub(2)
  show(t.length, t[k])
  t[k] = i % 2 == 0 and i or nil
  show(t.length, t[k], next(t))
end
`},
}
