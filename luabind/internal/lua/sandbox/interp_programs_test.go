package sandbox

// interpPrograms are written by hand, each for a part of the interpreter. Other files add theirs.
var interpPrograms = []interpProgram{
	{name: "an empty key where another one was removed", src: `
local t, log = {}, {}
for i = 1, 20 do t["k" .. i] = i end
local function set(k, v) t[k] = v end
local function get(k) return t[k] end
for i = 1, 20 do
	set("k" .. i, i * 2) log[#log + 1] = get("k" .. i)
	t["k" .. i] = nil
	set("", i) log[#log + 1] = tostring(get("")) .. tostring(t[""])
	t[""] = nil
	log[#log + 1] = tostring(get(""))
end
print(table.concat(log, " "))
`},
	{name: "a call in parentheses is returned", src: `
local function num(x) return x or 0 end
local function f(a) return (num(a)) end
print(f(5, 1), select("#", f(5, 1)))
local function g(a, b, c) if a then local x, y = num(b), c return (num(a)) end end
print(g(5, 1, 3))
print(pcall(function(a) return (num(a)) end, 3, 4))
local co = coroutine.create(function(a, b) if a then return (num(a)) end end)
print(coroutine.resume(co, 5, 1))
local wrapped = coroutine.wrap(function(a) coroutine.yield(a) return (num(a)) end)
print(wrapped(7, 8), wrapped())
local t = setmetatable({}, {__index = function(t, k) return (num(k)) end, __call = function(t, k) return (num(k)) end})
print(t.x, t(4), (t(4)))
print((("x"):gsub("x", function(x) return (num(x)) end)))
for a, b in function(s, i) return (num(i == nil and 3 or nil)) end do print(a, b) break end
`},
	{name: "one value of the arguments is assigned to a variable", src: `
local function f(...) local a, b, c = 1, 2, 3 a = ... print(a, b, c) a = (...) print(a, b, c) end f() f(7) f(7, 8)
local function f(...) local a, b, c = 1, 2, 3 a = (...), 3 print(a, b, c) end f() f(7) f(7, 8)
local function f(...) local a, b, c = 1, 2, 3 a = ..., 3 print(a, b, c) end f() f(7) f(7, 8)
local function f(...) local a, b, c = 1, 2, 3 a, b = ..., 3 print(a, b, c) a, b = (...) print(a, b, c) a, b = ... print(a, b, c) end f() f(7) f(7, 8)
local function f(...) local a, b, c = 1, 2, 3 a = ... and 1 print(a, b, c) a = (...) or 4 print(a, b, c) end f() f(7) f(7, 8)
for a = 1, 2 do for b = 1, 2 do a = (...), 3 print(a, b) end end
local function f(a) return a, 9 end
local function g(a) local b, c = 2, 3 a = f(a), 4 print(a, b, c) a = (f(a)), 4 print(a, b, c) a = (f(a)) print(a, b, c) a = f(a) print(a, b, c) end g(1)
for a = 1, 2 do for b = 1, 2 do a = f(b), 3 print(a, b) end end
`},
	{name: "unpack at the largest number", src: `
print(select("#", unpack({1}, math.huge, math.huge)), unpack({1}, 1e300, 1e300))
print(pcall(unpack, {1}, math.huge, 1e300))
print(pcall(unpack, {1}, -math.huge, math.huge))
print(pcall(unpack, {1}, 9.2e18, math.huge))
`},
	{name: "arithmetic of all values", src: `
local mt = {}
for _, n in ipairs{"add","sub","mul","div","mod","pow","concat","unm","len"} do mt["__" .. n] = function(a, b) return n .. type(a) .. type(b) end end
mt.__eq = function() return true end
mt.__lt = function(a, b) return type(a) end
mt.__le = function(a, b) return false end
local M, N = setmetatable({}, mt), setmetatable({}, mt)
local vs = {1, 0, -0, 2.5, -3, 1e300, 1/0, -1/0, 0/0, "10", "0x10", "abc", "-0", " 7 ", true, false, {}, M, N, print, function() end}
local ops = {
  function(a, b) return a + b end, function(a, b) return a - b end, function(a, b) return a * b end,
  function(a, b) return a / b end, function(a, b) return a % b end, function(a, b) return a ^ b end,
  function(a, b) return a .. b end, function(a, b) return a == b end, function(a, b) return a ~= b end,
  function(a, b) return a < b end, function(a, b) return a <= b end, function(a, b) return a > b end,
  function(a, b) return a >= b end, function(a, b) return -a end, function(a, b) return #a end,
  function(a, b) return not a end, function(a, b) return a and b end, function(a, b) return a or b end,
  function(a) return a + 1 end, function(a) return 1 + a end, function(a) return a - 1 end, function(a) return 3 - a end,
  function(a) return a * -2 end, function(a) return 0 * a end, function(a) return a / 4 end, function(a) return 4 / a end,
  function(a) return a % 3 end, function(a) return 7 % a end, function(a) return a % -3 end, function(a) return a ^ 2 end,
  function(a) return a == 1 end, function(a) return a ~= "10" end, function(a) return a < 1 end, function(a) return 1 < a end,
  function(a) return a <= 2.5 end, function(a) return 2.5 <= a end, function(a) return a == nil end, function(a) return a == true end,
  function(a) return a < "b" end, function(a) return "b" <= a end, function(a) return a .. 1 end, function(a) return 1 .. a end,
  function(a) return a + "3" end, function(a) return "3" - a end, function(a) return a.x end, function(a) a.x = 1 return a.x end,
  function(a) return a[1] end, function(a, b) return a[b] end, function(a) return a() end, function(a) return a:foo() end,
  function(a, b) a[b] = b return a[b] end, function(a, b) return ({})[a] end, function(a) for i = a, 3 do return i end end,
  function(a) for i = 1, a do return i end end, function(a) for i = 1, 2, a do return i end end,
  function(a) for k in a do return k end end, function(a) for k in pairs(a) do return 1 end end,
  function(a) local n = 0 for k in ipairs(a) do n = n + 1 end return n end,
}
for i, op in ipairs(ops) do
  for j = 1, #vs do
    for k = 1, i <= 17 and #vs or 1 do
      local ok, v = pcall(op, vs[j], vs[k])
      if type(v) == "table" then v = v == M and "M" or v == N and "N" or "table" end
      show(i, j, k, ok, v)
    end
  end
  show(pcall(op))
  show(pcall(op, nil, 1))
end`},
	{name: "comparison as a statement", src: `
local mt = {__lt = function(a, b) return a.v < b.v end, __le = function(a, b) return a.v <= b.v end, __eq = function(a, b) return a.v == b.v end}
local function new(v) return setmetatable({v = v}, mt) end
local a, b, c = new(1), new(2), new(1)
for _, p in ipairs{{a, b}, {b, a}, {a, c}, {1, 2}, {2, 1}, {1, 1}, {"a", "b"}, {"b", "a"}, {0/0, 0/0}} do
  local x, y = p[1], p[2]
  local r = ""
  if x < y then r = r .. "lt" end
  if x <= y then r = r .. "le" end
  if x > y then r = r .. "gt" end
  if x >= y then r = r .. "ge" end
  if x == y then r = r .. "eq" end
  if x ~= y then r = r .. "ne" end
  if not (x < y) then r = r .. "!lt" end
  if not (x <= y) then r = r .. "!le" end
  if not (x == y) then r = r .. "!eq" end
  local z = x < y and x <= y or x == y
  show(r, z, not (x < y or x == y))
  while x > y do x, y = y, x end
  repeat local q = x >= y until q or not q
end
local plainlt = setmetatable({}, {__lt = function() return 1 end})
show(plainlt < plainlt, plainlt <= plainlt, pcall(function() return plainlt < {} end), pcall(function() return {} <= plainlt end))
local u = setmetatable({}, {__eq = function() return true end})
local w = setmetatable({}, {__eq = function() return true end})
show(u == w, u == {}, u == 1, rawequal(u, w), u ~= w)
local e = function() return true end
local u2, w2 = setmetatable({}, {__eq = e}), setmetatable({}, {__eq = e})
show(u2 == w2, u2 ~= w2)`},
	{name: "and or not chains", src: `
local n, calls = 0, 0
local function f(v) calls = calls + 1 return v end
for _, a in ipairs{1, 2, 3} do
  local x = a == 1 and nil or a == 2 and false or a
  local y = f(x) and f(1) or f(nil) or f(false) or f("d")
  local z = not f(x) and not (f(1) or f(2))
  local w = (x or y) and (z or x) or nil
  show(x, y, z, w, calls)
  local t = {x or 1, x and 2, not x, not not x, x == nil, (x)}
  show(t[1], t[2], t[3], t[4], t[5], t[6])
  if (x and y) or (z and w) then show(1) elseif not x and (y or z) then show(2) else show(3) end
  while x or n < 3 do n = n + 1 if n > 5 then break end x = x and nil end
  local r = x or error and type(x) == "nil" and "yes" or "no"
  show(r)
end
local function g(a, b, c) return a and b or c, a or b and c, not a == b, (a or b) == c end
show(g(nil, 1, 2)) show(g(1, nil, false)) show(g(false, false, false)) show(g(0, "", {}) )
local a, b = 1
a = a and b; b = b or a; show(a, b)
local c = a == b and a ~= 1 and 1 < 2; show(c)`},
	{name: "numeric for", src: `
local function count(a, b, c)
  local n, last = 0
  if c then for i = a, b, c do n = n + 1 last = i if n > 20 then break end end
  else for i = a, b do n = n + 1 last = i if n > 20 then break end end end
  return n, last
end
show(count(1, 3)) show(count(3, 1)) show(count(3, 1, -1)) show(count(1, 2, 0.25)) show(count(1, 0, -0.3))
show(count(1, 3, 0)) show(count(3, 1, 0)) show(count(1, 1/0)) show(count(-1/0, 0)) show(count(1, 0/0)) show(count(0/0, 1)) show(count(1, 5, 0/0))
show(count(1e300, 1e301, 1e300)) show(count(2^53, 2^53 + 4)) show(count(-0, 0)) show(count(0, -0, -1)) show(count(1, 0.5)) show(count(0.1, 1, 0.1))
for _, bad in ipairs{"1", "x", true, {}} do
  show(pcall(count, bad, 1)) show(pcall(count, 1, bad)) show(pcall(count, 1, 2, bad))
end
for i = 1, 3 do local j = i i = i * 10 show(i, j) end
for i = 3, 1, -1 do for j = i, 3 do if j == 2 then break end show(i, j) end end
local t = {}
for i = 1, 3 do t[i] = function() i = i + 1 return i end end
show(t[1](), t[1](), t[2](), t[3]())
for i = 1, 0 do show("never") end
for i = -1, 1 do show(i, -i, i * 0) end`},
	{name: "generic for", src: `
local function range(n) local i = 0 return function() i = i + 1 if i <= n then return i, i * i end end end
for a, b in range(3) do show(a, b) end
for a in range(2) do show(a) end
for a, b, c, d in range(2) do show(a, b, c, d) end
local function step(s, i) if i < s then return i + 1, s end end
for i, s in step, 3, 0 do show(i, s) end
for i, s in step, 3, 0 do if i == 2 then break end show(i, s) end
local obj = setmetatable({n = 0}, {__call = function(self, s, c) self.n = self.n + 1 if self.n < 4 then return self.n, s, c end end})
for a, b, c in obj, "s", "c" do show(a, b, c) end
for k, v in next, {10, 20, x = 1, y = 2} do show(k, v) end
for k, v in pairs{1, nil, 3, a = 1, [2.5] = 2, [-1] = 3, [true] = 4} do show(k, v) end
for i, v in ipairs{1, 2, nil, 4} do show(i, v) end
for k in pairs({}) do show(k) end
local t = {a = 1, b = 2, c = 3, d = 4, 1, 2, 3}
for k, v in pairs(t) do t[k] = nil show(k, v) end
show(next(t))
for i = 1, 5 do t["k" .. i] = i end
for k, v in pairs(t) do if v % 2 == 0 then t[k] = nil else t[k] = v * 10 end end
for k, v in pairs(t) do show(k, v) end
for k, v in pairs(t) do for k2, v2 in pairs(t) do if k2 == k then break end show(k, k2) end end
for _, bad in ipairs{1, "x", true, {}} do try(function() for k in bad do show(k) end end) end
try(function() for k in nil do end end)
try(function() for k, v in pairs(nil) do end end)
try(function() for k, v in next, {}, "missing" do show(k) end end)
try(function() for k, v in next, 5 do show(k) end end)
local l = {1, 2, 3}
for i, v in ipairs(l) do if i < 6 then l[#l + 1] = v + 1 end l[i] = nil show(i, v) end
for k, v in next, {5, 6, 7}, 1 do show(k, v) end
for k, v in next, {5, 6, z = 7}, 2 do show(k, v) end
for k, v in ipairs({}) do show(k) end
local f, s, c = ipairs{7, 8} for i, v in f, s, 1 do show(i, v) end
try(function() for i, v in f, s, "1" do show(i, v) end end)
for i, v in f, s, -1 do show(i, v) end
for i, v in f, s, 0.5 do show(i, v) end
local g1 = range(6) for a in g1 do local b = g1() show(a, b) end
local recur recur = function(t, d) for k, v in pairs(t) do if type(v) == "table" then recur(v, d + 1) else show(d, k, v) end end end
recur({1, {2, {3, x = 4}, y = 5}, z = {6, {7}}}, 0)
for a, b in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i, "v" .. i) end end) do show(a, b) end`},
	{name: "pairs changes", src: `
local t = {1, 2, 3, 4, 5, x = 1, y = 2}
for k, v in pairs(t) do if k == 3 then table.remove(t) table.remove(t) end show(k, v) end
t = {1, 2, 3, x = 1, y = 2, z = 3}
local n = 0
for k, v in pairs(t) do n = n + 1 if n == 2 then t[4] = 4 t[5] = 5 end show(k, v) if n > 20 then break end end
t = {x = 1, y = 2, z = 3}
for k, v in pairs(t) do t.x, t.y = nil, nil show(k, v) t.x = 9 n = n + 1 if n > 40 then break end end
t = {}
for i = 1, 10 do t[i * 1.5] = i end
for k, v in pairs(t) do t[k] = nil show(k, v) end
for i = 1, 10 do t[i * 1.5] = nil t[i] = i end
for k, v in pairs(t) do t[k] = nil show(k, v) end
local function walk(t, stop) for k, v in pairs(t) do if k == stop then return k, v end show(k) end end
show(walk({a = 1, b = 2, c = 3}, "b")) show(walk({c = 1, b = 2, a = 3}, "a"))
local a, b = {p = 1, q = 2, r = 3}, {r = 1, p = 2, q = 3}
local function both(x, y) for k, v in pairs(x) do show(k, v) if y then both(y) end end end
both(a, b)
local k = nil
repeat local v k, v = next(a, k) show(k, v) until k == nil
for k, v in pairs(a) do local k2 = next(a, k) show(k, k2) end`},
	{name: "closures capture", src: `
local fs = {}
for i = 1, 3 do local j = i * 2 fs[#fs + 1] = function(d) j = j + (d or 0) i = i + 1 return i, j end end
show(fs[1](1)) show(fs[1]()) show(fs[2](5)) show(fs[3]())
local a, b = 1, 2
local function inc() a = a + 1 return a end
local function get() return a, b end
show(inc(), a, get()) a = 10 show(inc(), a, get()) b = b + a show(get())
local function outer(p, q, ...)
  local x = p
  local function set(v) x = v p = p + 1 q = x end
  local function all() return p, q, x end
  set(5) show(p, q, x, all()) x = x + 1 show(all()) p, q = q, p show(all())
  for i = 1, 2 do local y = i local f = function() y = y + x return y end x = f() show(x, y, all()) end
  local v = {...} local w = ...
  local h = function() w = (w or 0) + 1 return w, #v end
  show(h()) show(h()) show(w)
  return set, all
end
local set, all = outer(1, 2, 3, 4) set(9) show(all()) local s2, a2 = outer(7, 8) s2(1) show(a2()) show(all())
for k, v in pairs{x = 1, y = 2} do fs[#fs + 1] = function() v = v + 1 return k, v end end
show(fs[4]()) show(fs[4]()) show(fs[5]())
local i = 0
while i < 3 do i = i + 1 local c = i if i == 2 then local d = c fs[i] = function() c = c + d d = d + 1 return c, d end else fs[i] = function() c = c * 2 return c, i end end end
show(fs[1]()) show(fs[2]()) show(fs[2]()) show(fs[3]()) show(fs[1]())
repeat local done = i > 4 local f = function() done = true end i = i + 1 if i == 4 then f() end until done
show(i)
do local x = 1 local f = function() x = x + 1 return x end do local x = x + f() show(x, f()) end show(x) end
local x = 1 local f1 = function() return x end local x = 2 local f2 = function() return x end x = 3 show(f1(), f2())
local function rec(n) local m = n if n > 0 then local f = rec(n - 1) return function() m = m + 1 return m, f() end end return function() return "end" end end
local r = rec(4) show(r()) show(r())
local t = {n = 1} local function chain() local o = t t = {n = o.n + 1, prev = function() return o end} return t end
show(chain().n, chain().prev().n, t.prev().prev().n)
local y = 5 local g = function() y = y + 1 end
y = y + (function() g() return y end)() show(y)
local z = {y, g(), y} show(z[1], z[2], z[3])
show(y, g(), y, (function() g() return y end)(), y)
local cmp = y < (function() y = 100 return 50 end)() show(cmp, y)
local cat = y .. "," .. (function() y = 1 return y end)() .. "," .. y show(cat)`},
	{name: "break and goto close", src: `
local fs = {}
for i = 1, 5 do local c = i fs[i] = function() c = c + 1 return c end if i == 3 then break end end
show(fs[1](), fs[1](), fs[2](), fs[3](), fs[4])
local i = 1
while true do local c = i * 10 fs[i] = function() c = c + 1 return c, i end i = i + 1 if i > 3 then break end do local d = c fs[i + 3] = function() d = d + c return d end if i > 2 then break end end end
for k = 1, 6 do if fs[k] then show(k, fs[k]()) show(k, fs[k]()) end end
for i = 1, 4 do
  local c = i
  local f = function() c = c + 1 return c end
  if i % 2 == 0 then goto continue end
  fs[i] = f
  show(f(), c)
  ::continue::
end
show(fs[1](), fs[3](), fs[1]())
do
  local n = 0
  ::top::
  local c = n
  fs[n + 1] = function() c = c + 1 return c end
  n = n + 1
  if n < 4 then goto top end
  show(n, fs[1](), fs[1](), fs[2](), fs[3](), fs[4]())
end
for k, v in pairs{a = 1, b = 2} do
  for j = 1, 3 do local c = v * j fs[j] = function() c = c + v v = v + 1 return c end if j == 2 then goto out end end
end
::out::
show(fs[1](), fs[2](), fs[1]())
local r = 0
repeat local c = r local f = function() c = c + 1 return c end r = f() if r == 2 then goto cont end show("r", r) ::cont:: until f() > 5
show(r)
do goto skip end
do show("skipped") end
::skip::
for a = 1, 3 do for b = 1, 3 do if b == 2 then goto next end show(a, b) end ::next:: end`},
	{name: "varargs", src: `
local function n(...) return select("#", ...) end
local function f(a, b, ...) return n(...), a, b, ... end
show(f()) show(f(1)) show(f(1, 2)) show(f(1, 2, 3)) show(f(1, nil, nil, nil)) show((f(1, 2, 3)))
local function g(...) local a, b, c = ... return c, b, a, ... end
show(g()) show(g(1, 2)) show(g(1, 2, 3, 4))
local function h(...) local t = {..., "x", ...} return #t, t[1], t[2], t[3], n(n(...), ...) end
show(h()) show(h(1)) show(h(1, 2, 3)) show(h(nil, nil))
local function old(a, ...) return arg.n, arg[1], arg[2], #arg end
show(old()) show(old(1)) show(old(1, 2, 3)) show(old(1, nil, 2))
local function none() end
local function two() return 1, 2 end
show(none()) show(none(), none()) show((none())) show(two(), two()) show((two())) show(two(), none()) show(none(), two())
local a, b, c = two() show(a, b, c) a, b, c = two(), two() show(a, b, c) a, b, c = 0, two() show(a, b, c) a, b = none(), 5 show(a, b)
local t = {two(), two()} show(#t) t = {two(), (two())} show(#t) t = {none(), two(), none()} show(#t, t[1], t[2]) t = {two(), x = two(), two()} show(#t, t.x)
local function tail(...) return g(...) end show(tail(1, 2, 3)) show((tail(1, 2, 3)))
local function mid(...) return ..., 1 end show(mid(7, 8)) show(mid())
local function last(...) return 1, ... end show(last(7, 8)) show(last())
local function pass(...) local x = ... for i = 1, n(...) do x = select(i, ...) end return x, n(...), ... end
show(pass(1, 2, 3)) show(pass())
show(select(2, "a", "b", "c")) show(select(-1, "a", "b")) show(pcall(select, 0)) show(pcall(select, -5, 1))
local big = {} for i = 1, 300 do big[i] = i end
show(n(unpack(big)), (select(300, unpack(big)))) show(n(unpack(big, 1, 7000)), n(unpack(big, 5, 4)))
local function all(...) local s = 0 for i = 1, select("#", ...) do s = s + (select(i, ...) or 0) end return s, ... end
show((all(unpack(big)))) show(n(all(unpack(big)))) show(#{all(unpack(big))})
show(math.max(unpack(big)), n(all(1, 2, unpack(big))))
local function v2(a, ...) a = a or 0 local f = function() a = a + 1 return a end return f() + f(), a, ... end
show(v2(1, 2, 3)) show(v2())
local function lots(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, ...) return p10, p1, ... end
show(lots()) show(lots(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
local function upv(...) local a, b = ... return function(...) a = (a or 0) + n(...) b = ... return a, b end end
local q = upv(1, 2) show(q()) show(q(5, 6)) show(q(nil))`},
	{name: "assignment", src: `
local a, b, c = 1, 2, 3
a, b, c = c, a, b show(a, b, c)
local t = {1, 2, 3} local i = 1
i, t[i] = i + 1, 20 show(i, t[1], t[2])
t[i], t[i + 1], i = t[i + 1], t[i], 9 show(i, t[1], t[2], t[3])
local function f() return 1, 2, 3 end
local x, y, z, w = f() show(x, y, z, w) x, y = f(), 9 show(x, y) x, y, z, w = 0, f() show(x, y, z, w)
t.a, t.b = f() t.c, t["d e"], t[f()] = 4, 5, 6 show(t.a, t.b, t.c, t["d e"], t[1])
local m = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v and v * 2) end, __index = function(t, k) return k end})
m.a, m.b, m[1], m[2.5] = 1, 2, 3, 4 show(m.a, m.b, m[1], m[2.5], m.zz, m[77], m[true]) m.a = 5 m[1] = 6 m.b = nil m.b = 7 m[1] = nil m[1] = 8 show(m.a, m.b, m[1])
a, a = 1, 2 show(a) a, b = b show(a, b)
local s = "" local function tr(v) s = s .. tostring(v) return v end
local q = {} q[tr(1)], q[tr(2)] = tr(3), tr(4) show(s, q[1], q[2])
do local a, b, c, d, e, g, h = 1 show(a, b, c, d, e, g, h) end
local n = nil try(function() n.x = 1 end) try(function() n[1] = 1 end) try(function() t[n] = 1 end) try(function() t[0/0] = 1 end) try(function() return t[n], t[0/0] end)
try(function() undeclared = 1 end) try(function() return undeclared end) try(function() _G[1] = 2 end) try(function() return _G[1] end)`},
	{name: "tables", src: `
local t = {}
for _, k in ipairs{1, 2, 0, -1, 1.5, 2^31, 2^53, 1e300, -1e300, 1/0, -1/0, 4294967297, 1048574, "1", "", true, false} do t[k] = k show(t[k], #t) end
show(t[-0], t[0], t[2^53 + 1], rawget(t, 1), t[3])
t[2] = nil show(#t) t[1] = nil show(#t) t[1] = 1 t[2] = 2 t[3] = 3 t[2] = nil show(#t, t[1], t[2], t[3]) t[3] = nil show(#t)
local l = {1, 2, nil, 4, nil} show(#l) l = {nil, nil, 3} show(#l) l = {n = 1, nil} show(#l) l = {[1] = 1, [2] = 2, [4] = 4} show(#l)
l = {} l[4] = 4 show(#l) l[1] = 1 show(#l) l[2] = 2 l[3] = 3 show(#l) l[#l + 1] = 5 show(#l) l[#l] = nil show(#l) l[10] = 1 show(#l)
table.insert(l, 6) show(#l) table.insert(l, 1, 0) show(l[1], l[2], #l) show(table.remove(l), table.remove(l, 1), table.remove(l, 3), #l, table.remove({}), table.remove(l, 99), table.remove(l, -1), table.remove(l, 0))
try(table.insert, l, 99, 1) try(table.insert, l, 0, 1) try(table.insert, l, -3, 1) try(table.insert, l) try(table.insert, nil, 1) try(table.insert, l, "x", 1) try(table.insert, l, 1, 2, 3) try(table.insert, l, "2", 1) try(table.insert, l, 1.7, "f") try(table.remove, l, 1.7) try(table.remove, l, "1") try(table.remove, l, nil)
for k, v in ipairs(l) do show(k, v) end
local h = {a = 1, b = 2} h.a = nil h.c = 3 h.a = 4 for k, v in pairs(h) do show(k, v) end
h.a = nil show(h.a) h.a = false show(h.a) h["x" .. 1] = 1 show(h.x1)
local n = {[1] = "a", [1.0] = "b", ["1"] = "c", [true] = "d", [show] = "e", [h] = "f"} show(n[1], n["1"], n[true], n[show], n[h], n[false], n[print])
local big = {} for i = 1, 200 do big[i] = i * i end for i = 200, 101, -1 do big[i] = nil end show(#big, big[100], big[101])
for i = 1, 40 do table.insert(big, 1, i) end show(#big, big[1], big[41]) for i = 1, 40 do table.remove(big, 1) end show(#big, big[1])
for i = 1, 40 do table.insert(big, #big - 3, i) end show(#big, table.concat(big, ",", 90, 110)) for i = 1, 100 do table.remove(big, #big - 2) end show(#big)
show(#{1, 2, 3, unpack({4, 5, 6})}, #{unpack({}, 1, 5)}, #{f = 1, [10] = 2, 7})
local long = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60} show(#long, long[50], long[51], long[60])
local m = setmetatable({1, nil, 3}, {__index = function(t, k) return "i" .. tostring(k) end, __newindex = function(t, k, v) rawset(t, k, "n" .. tostring(v)) end}) 
show(m[1], m[2], m[3], m[4], m.x) m[1] = 5 m[2] = 6 m[4] = 7 show(m[1], m[2], m[4]) table.insert(m, 8) show(#m, m[5])`},
	{name: "table limits", src: `
local l = {} l[1048575 - 1] = 1 show(#l) try(function() l[#l + 1] = 1 l[#l + 1] = 2 l[#l + 1] = 3 end) show(#l) l[1048576] = 5 show(#l, l[1048576], l[1048575]) try(table.insert, l, 1) show(l[1048577])`},
}
