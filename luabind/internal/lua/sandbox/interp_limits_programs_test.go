package sandbox

func init() { interpPrograms = append(interpPrograms, interpLimitPrograms...) }

// interpLimitPrograms are those about metatables, calls, limits, errors and coroutines.
var interpLimitPrograms = []interpProgram{
	{name: "metatables", src: `
local base = {hello = function(self) return "hello " .. self.name end, v = 1}
local mid = setmetatable({w = 2}, {__index = base})
local o = setmetatable({name = "o"}, {__index = mid})
show(o.v, o.w, o:hello(), o.none, rawget(o, "v"))
base.v = nil show(o.v) base.v = 3 show(o.v) mid.v = 4 show(o.v) o.v = 5 show(o.v, base.v) o.v = nil show(o.v)
local f = setmetatable({}, {__index = function(t, k) return tostring(k) .. "!" end}) show(f.a, f["b"], f[1])
local d = setmetatable({}, {__index = f}) show(d.a, d[2])
local nine = {deep = "deep", [5] = 55, run = function(self, x) return x end} for i = 1, 12 do nine = setmetatable({}, {__index = nine}) end show(nine.deep, nine.none, nine[1], nine[5], nine:run(6))
local loop = {} setmetatable(loop, {__index = loop}) try(function() return loop.x end) try(function() return loop[1] end)
local loop2 = {} setmetatable(loop2, {__newindex = loop2}) try(function() loop2.x = 1 end)
local store = {} local p = setmetatable({}, {__newindex = store, __index = store}) p.x = 1 p[1] = 2 show(rawget(p, "x"), store.x, store[1], p.x, p[1])
local c = setmetatable({}, {__call = function(self, ...) return select("#", ...), ... end}) show(c()) show(c(1, 2)) show((c(1))) local function tc(...) return c(...) end show(tc(1, nil))
local bad = setmetatable({}, {__call = 5}) try(bad) try(function() return bad() end) try(function() bad() end)
local mt = {__tostring = function(t) return "T" .. t.n end, __len = function() return 42 end, __unm = function(a) return a.n end, __concat = function(a, b) return "cat" end}
local x = setmetatable({n = 7, 1, 2}, mt) show(tostring(x), #x, -x, x .. "a", "a" .. x, 1 .. x, x .. x, "a" .. "b" .. x .. "c") print(x)
mt.__len = nil show(#x) mt.__len = function() error("len") end try(function() return #x end) mt.__index = function() error({code = 1}) end show(pcall(function() return x.zz end)) mt.__add = function(a, b) return nil end show(x + 1, 1 + x)
mt.__index = 5 try(function() return x.zz end) try(function() return x[99] end) mt.__index = "str" show(pcall(function() return x.len end), x.zz) mt.__newindex = 5 try(function() x.y = 1 end)
mt.__index = false try(function() return x.zz end) mt.__newindex = false try(function() x.y2 = 1 end)
show(pcall(setmetatable, 1, {})) show(getmetatable("x") ~= nil, pcall(setmetatable, setmetatable({}, {__metatable = 1}), {}), getmetatable(setmetatable({}, {__metatable = "no"})))
local inh = setmetatable({}, {__index = function(t, k) t[k] = k return k end}) show(inh.a, rawget(inh, "a"), inh.a)
local cnt = 0 local ro = setmetatable({}, {__newindex = function(t, k, v) cnt = cnt + 1 end}) ro.a = 1 ro.a = 2 ro[1] = 1 show(cnt, ro.a)
local y = setmetatable({}, {__lt = function(a, b) coroutine.running() return nil end, __le = function() return 0 end}) show(y < y, y <= y, y > y, y >= y)
local ud = setmetatable({}, {__index = string}) show(ud.len, ud.rep == string.rep)
show(("x"):rep(3), ("abc"):upper():lower():len(), #"abc", ("%d"):format(3), pcall(function() return ("x").y.z end), pcall(function() return ("x"):nope() end), ("x").y)`},
	{name: "metamethods that call, fail and leave", src: `
local mt = {}
local function new(v) return setmetatable({v = v}, mt) end
mt.__add = function(a, b, ...) local sum = 0 local f = function() sum = sum + (type(a) == "table" and a.v or a) return sum end f() sum = sum + (type(b) == "table" and b.v or b) if sum < 20 then return new(sum) + 7 end return f(), select("#", ...), 9 end
mt.__sub = function(...) return tostring(...) end mt.__mul = function(...) return select("#", ...), ... end mt.__div = function() end mt.__unm = function(...) return select("#", ...) end
mt.__lt = function(a, b) if a.v > 3 then return a.v < b.v, 1 end return not (new(a.v + 1) < new(b.v + 1)) end
mt.__le = function(a, b) return rawequal(a, b) end mt.__eq = function(a, b) return pcall(error) or a.v == b.v end
local a, b = new(1), new(2)
show(a + b, 3 + a, a + 1, (a * b), -a, a / b, pcall(function() return a - b end), a < b, b < a, a <= b, a <= a, a > b, a == b, a ~= new(1), new(2) == b)
mt.__le = nil show(a <= b, b <= a, a >= b, not (a <= b))
local n = 0 while a < b and n < 3 do n = n + 1 b.v = b.v + 1 end show(n) repeat n = n - 1 until a == b or n < 0 show(n)
mt.__index = function(t, k) if k == "end" then error("no " .. k) end return k == "m" and function(self, x) return self == t, x, where() end or k end
local function get(t, k) local v = t[k] local f = function() v = t[v] return v end return f(), v end
show(a.x, a[1], a[2.5], a[true], a:m(4), get(a, "y")) try(function() return a["end"] end) try(function() local x = a.x + a["end"] end)
local list = setmetatable({1, 2}, {__index = function(t, i) return i * 10 end, __newindex = function(t, k, v, ...) rawset(t, k, v and v * 2 + select("#", ...)) end})
for i = 1, 5 do list[i + 1] = list[i] list.n = i end show(list[1], list[2], list[3], list[4], list[5], list[6], list.n) list[9], list.q = nil, nil show(list[9], list[1.5])
local deep = setmetatable({}, {}) getmetatable(deep).__index = function(t, k) return t[k + 1] end try(function() return deep[1] end)
getmetatable(deep).__index = function(t, k) if k > 300 then return where() end return t[k + 1] end show(deep[1])
getmetatable(deep).__index = function(t, k) local x = t[k + 1] return x end try(function() local y = deep[1] return y end)
getmetatable(deep).__lt = function(x, y) return not (x < y) end try(function() return deep < deep end)
local co = coroutine.wrap(function() local s = a + 100 coroutine.yield(s) return b < a end) show(co(), co())
table.sort({3, 1, 2}, function(x, y) return new(x) < new(y) end)`},
	{name: "tail calls", src: `
local function loop(n, acc) if n == 0 then return acc end return loop(n - 1, acc + 1) end
show(loop(20000, 0))
local function va(n, ...) if n == 0 then return select("#", ...), ... end return va(n - 1, n, ...) end
show(va(3)) show((va(100)))
local even, odd
even = function(n) if n == 0 then return true end return odd(n - 1) end
odd = function(n) if n == 0 then return false end return even(n - 1) end
show(even(5001), odd(5001))
local obj obj = setmetatable({}, {__call = function(self, n, acc) if n == 0 then return acc end return obj(n - 1, acc + 2) end})
show(obj(3, 0)) show(obj(5000, 0))
local function go(x) return math.floor(x) end show(go(1.5)) local function go2(...) return select("#", ...) end show(go2(1, 2, nil))
local function ty(...) return type(...) end show(ty(nil)) try(ty)
local function cap(n) local m = n local f = function() m = m + 1 return m end if n > 2 then return f end return cap(n + 1) end
local f = cap(0) show(f(), f())
local function err(n) if n == 0 then error("deep") end return err(n - 1) end try(err, 10)
local function err2(n) if n == 0 then local x = nil return x.y end return err2(n - 1) end try(err2, 10)
local function errn() return nil_() end
try(function() local t = {} return t.x() end) try(function() local t = {} return t:x() end) try(function() return (1)() end) try(function() local s = "x" return s() end)
local function m(self, n) if n == 0 then return self.v end return self:m(n - 1) end show(m({v = 5, m = m}, 100))
local function pc(n) if n == 0 then return "z" end return pcall(pc, n - 1) end show(pc(5))
local function mixed(n) if n == 0 then return 1, 2, 3 end if n % 2 == 0 then return mixed(n - 1) end local a, b, c = mixed(n - 1) return c, b, a, n end show(mixed(7))
local function big(n, a, b, c, d, e, f, g) if n == 0 then return a, b, c, d, e, f, g end return big(n - 1, b, c, d, e, f, g, a, a, a, a) end show(big(9, 1, 2, 3, 4, 5, 6, 7))
local function m(self, n) if n == 0 then return self.v end return self:m(n - 1) end show(m({v = 5, m = m}, 100))
local function pc(n) if n == 0 then return "z" end return pcall(pc, n - 1) end show(pc(5))
local function mixed(n) if n == 0 then return 1, 2, 3 end if n % 2 == 0 then return mixed(n - 1) end local a, b, c = mixed(n - 1) return c, b, a, n end show(mixed(7))
local function big(n, a, b, c, d, e, f, g) if n == 0 then return a, b, c, d, e, f, g end return big(n - 1, b, c, d, e, f, g, a, a, a, a) end show(big(9, 1, 2, 3, 4, 5, 6, 7))
try(function() local t = {} return t.x() end) try(function() local t = {} return t:x() end) try(function() return (1)() end) try(function() local s = "x" return s() end)`},
	{name: "deep tail calls", src: `
local function loop(n) if n == 0 then return "lua" end return loop(n - 1) end show(loop(100000))
local obj obj = setmetatable({}, {__call = function(self, n) if n == 0 then return "object" end return obj(n - 1) end}) show(obj(100000))
local a, b a = function(n, ...) if n == 0 then return ... end return b(n - 1, ...) end b = setmetatable({}, {__call = function(self, n, x, ...) return a(n, ..., x) end}) show(a(1000, 1, 2, 3))`},
	{name: "stack limits", src: `
local function depth(f) local n = 0 local ok, err = pcall(f, function() n = n + 1 end) show(n, err) end
depth(function(tick) local function r() tick() return 1 + r() end r() end)
depth(function(tick) local function r(a, b, c, d) tick() local x, y, z, w = 1, 2, 3, 4 r(x, y, z) return w end r() end)
depth(function(tick) local function r(...) tick() local t = {r(1, ...)} return t end r() end)
depth(function(tick) local t = setmetatable({}, {__index = function(t, k) tick() return t[k + 1] end}) return t[1] end)
depth(function(tick) local t = setmetatable({}, {__add = function(t, k) tick() return t + 1 end}) return t + 1 end)
depth(function(tick) local t t = setmetatable({}, {__call = function(self) tick() return 1 + t() end}) return t() end)
depth(function(tick) local function r() tick() for x in r do end end r() end)
depth(function(tick) local function r() tick() local x = inner(r) return x end r() end)
depth(function(tick) local function r() tick() table.sort({3, 2, 1}, function() return r() end) end r() end)
depth(function(tick) local function r() tick() local x = (("x"):gsub("x", r)) return x end r() end)
depth(function(tick) local function last() return 1 end local function r(n) tick() if n == 0 then return last() end local x = r(n - 1) return x end for n = 180, 205 do tick() r(n) end end)
depth(function(tick) local o = setmetatable({}, {__call = function() return 1 end}) local function r(n) tick() if n == 0 then return o() end local x = r(n - 1) return x end for n = 180, 205 do tick() r(n) end end)
depth(function(tick) local function r(n) tick() if n == 0 then return type(n) end local x = r(n - 1) return x end for n = 180, 205 do tick() r(n) end end)
depth(function(tick) local function r(n) tick() if n == 0 then local m = math.floor(n) return m end local x = r(n - 1) return x end for n = 180, 205 do tick() r(n) end end)
depth(function(tick) local function r(n) tick() if n == 0 then for k in pairs({1}) do tick() end for k in ipairs({1}) do tick() end return end local x = r(n - 1) return x end for n = 180, 205 do tick() r(n) end end)
depth(function(tick) local function r(n) tick() if n == 0 then return 2 ^ n .. "x" end local x = r(n - 1) return x end for n = 180, 205 do tick() r(n) end end)
depth(function(tick) local t = {1} local function r(n) tick() if n == 0 then t[#t + 1] = 1 return end local x = r(n - 1) return x end for n = 180, 205 do tick() r(n) end end)`},
	{name: "main stack limit", fails: true, src: `
local n = 0
local function r(a) n = n + 1 if n % 100 == 0 then show(n, where()) end if n > 990 then show(n) end local x = r(a) return x end
r(1)`},
	{name: "main stack limit of go functions", fails: true, src: `
local function r(n) if n == 0 then return math.max(1, 2), math.floor(1.5), type(1), #"x" .. "y" end local a, b = r(n - 1) return a, b end
for n = 985, 1005 do show(n, r(n)) end`},
	{name: "main stack limit of tail calls", fails: true, src: `
local function e() return 1 end
local function r(n) if n == 0 then return e() end local a, b = r(n - 1) return a, b end
for n = 985, 1005 do show(n, r(n)) end`},
	{name: "value limit", src: `
local t = {} for i = 1, 7990 do t[i] = i end
local function count(...) return select("#", ...) end
local function pack(...) return {...} end
local function twice(n, ...) if n == 0 then return count(...) end local x = twice(n - 1, ...) return x end
for n = 0, 4 do show(n, pcall(twice, n, unpack(t))) end
local function packs(n, ...) local p = {...} if n == 0 then return #p end local x = packs(n - 1, ...) return x + #p end
for n = 0, 4 do show(n, pcall(packs, n, unpack(t))) end
local function tails(n, ...) if n == 0 then return count(...) end return tails(n - 1, n, ...) end
show(pcall(tails, 10, unpack(t)))
local function grows(n, ...) if n == 0 then return count(...) end return grows(n - 1, ..., ...) end
show(pcall(grows, 3, unpack(t)))
local function doubles(n, ...) local c = count(...) if n == 0 then return c end return doubles(n - 1, c, unpack(t)) end
show(pcall(doubles, 30, 1))
local function rets(n) if n == 0 then return unpack(t) end return 1, rets(n - 1) end
for n = 0, 6 do show(n, pcall(function() return count(rets(n)) end)) end
local function adds(n, ...) if n == 0 then return ... end return adds(n - 1, 1, ...) end
show(pcall(function() return count(adds(500, unpack(t))) end))
local function sum(...) local s = 0 for i, v in ipairs{...} do s = s + v end return s end
show(sum(unpack(t)), sum(0, unpack(t))) show(pcall(function() return sum(unpack(t), unpack(t)) end))
show(pcall(unpack, t, 1, 8001)) show(pcall(string.byte, ("x"):rep(9000), 1, 9000)) show(count(string.byte(("x"):rep(8000), 1, 8000)))
local function rec(n) local a1,a2,a3,a4,a5,a6,a7,a8,a9,a10,a11,a12,a13,a14,a15,a16,a17,a18,a19,a20 = n local x = rec(n + 1) return x end show(pcall(rec, 1))`},
	{name: "value limit of the main thread", fails: true, src: `
local n = 0
local function r(...) n = n + 1 show(n, select("#", ...)) local x = r(1, 2, 3, 4, 5, ...) return x end
r()`},
	{name: "value limit of large frames", fails: true, src: `
local n = 0
local function r()
  local a1,a2,a3,a4,a5,a6,a7,a8,a9,a10,a11,a12,a13,a14,a15,a16,a17,a18,a19,a20,a21,a22,a23,a24,a25,a26,a27,a28,a29,a30 = 1
  local b1,b2,b3,b4,b5,b6,b7,b8,b9,b10,b11,b12,b13,b14,b15,b16,b17,b18,b19,b20,b21,b22,b23,b24,b25,b26,b27,b28,b29,b30 = 1
  n = n + 1
  if n > 480 then show(n) end
  local x = r() return x
end
r()`},
	{name: "value limit of a tail call", fails: true, src: `
local t = {} for i = 1, 7990 do t[i] = i end
local function grows(n, ...)
  show(n, select("#", ...))
  return grows(n - 1, unpack(t), 1, ...)
end
local function mult(n, ...) show(n, select("#", ...)) return mult(n + 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, ...) end
mult(0, unpack(t))`},
	{name: "errors in the middle", src: `
local t, n, s = {}, nil, "str"
local function f(x) return x end
try(function() return 1 + f(2) * n end) try(function() return f(1) .. f(n) .. "x" end) try(function() return t.a.b.c end) try(function() t.a.b = f(1) end)
try(function() local x = {f(1), n.y, f(2)} end) try(function() return f(1) + s end) try(function() return -t end) try(function() return #n end) try(function() return t < t end) try(function() return 1 < "1" end) try(function() return n < 1 end) try(function() return {} <= 1 end)
try(function() f(n.x, f(1)) end) try(function() return t:none(1) end) try(function() s:none() end) try(function() n() end) try(function() t.f.g() end) try(function() return math.floor() end) try(function() return math.floor("x") end) try(function() return math.max() end) try(function() return math.max(1, "x", nil) end) try(function() return ("x"):rep(-1, n) .. n end)
for i = 1, 3 do try(function() if i == 2 then error({i}) elseif i == 3 then error() end error("e" .. i, i) end) end
try(error) try(error, nil) try(error, 5) try(error, true) try(error, "m", 0) try(error, "m", 1) try(error, "m", 2) try(error, {1}) try(error, function() end)
local function lvl(n) error("level " .. n, n) end local function c(n) lvl(n) end for i = 0, 4 do try(c, i) end
show(xpcall(function() local x = nil; return x.y end, function(m) return "handled " .. tostring(m), 2 end)) show(xpcall(function() return 1, 2, nil end, print)) show(xpcall(function() error("a") end, function(m) error("b") end)) show(pcall(xpcall)) show(pcall(pcall)) show(pcall(pcall, error, "x")) show(pcall(pcall, pcall, pcall, error, "y"))
local ok, e = pcall(function() local ok, e = pcall(error, {code = 7}) e.code = e.code + 1 error(e) end) show(ok, e.code)
for i = 1, 3 do local ok, e = pcall(function() for k, v in pairs{a = 1} do for j = 1, 3 do if j == i then error("at " .. j) end end end end) show(ok, e) end
local function unw(d) if d == 0 then error("bottom") end local x = d local f = function() x = x + 1 end f() unw(d - 1) return x end for d = 0, 30, 7 do try(unw, d) end
local up = 0 local function side() up = up + 1 error("side") end for i = 1, 5 do pcall(side) end show(up)
local mt = setmetatable({}, {__index = function(t, k) error("no " .. k) end, __newindex = function(t, k) error("ro " .. k) end, __call = function() error("call") end, __add = function() error("add") end, __eq = function() error("eq") end, __lt = function() error("lt") end, __concat = function() error("cat") end, __len = function() error("len") end, __unm = function() error("unm") end})
try(function() return mt.x end) try(function() mt.x = 1 end) try(function() mt() end) try(function() return mt() end) try(function() return mt + 1 end) try(function() return mt < mt end) try(function() return mt <= mt end) try(function() return mt .. 1 end) try(function() return #mt end) try(function() return -mt end) try(function() return mt:m() end) try(function() for k in mt do end end)
assert(true) try(assert, false) try(assert, nil, "msg") try(assert, false, {1}) try(assert) show(assert(1, 2, 3)) show(select("#", assert(1, nil)))`},
	{name: "error ends the turn", fails: true, src: `
local function a(n) if n == 0 then local t = nil return t.field + 1 end local r = a(n - 1) return r end
local function b() return a(3) end
local ok, e = pcall(b) show(ok, e)
local obj = setmetatable({}, {__index = function(t, k) return b() end})
local co = coroutine.wrap(function() local x = obj.y end)
local sorted = function() table.sort({1, 2, 3}, function(x, y) co() return x < y end) end
for i = 1, 2 do show(i) end
sorted()`},
	{name: "error object ends the turn", fails: true, src: `
local E = setmetatable({code = 5, what = "w"}, {__tostring = function(e) return "E" .. e.code end}) show(1) local function f() error(E) end f()`},
	{name: "sort", src: `
local t = {5, 2, 8, 1, 9, 3} table.sort(t) show(unpack(t)) table.sort(t, function(a, b) return a > b end) show(unpack(t))
local n = 0 local function cmp(a, b) n = n + 1 if n == 7 then error("cmp") end return a < b end try(table.sort, {5, 4, 3, 2, 1, 9, 8}, cmp) show(n)
try(table.sort, {1, "x", 2}) try(table.sort, {3, 2, 1}, function(a, b) return a.x < b.x end) try(table.sort, {1, 2, 3, 4, 5}, function() return true end) try(table.sort, {{}, {}}) try(table.sort, {2, 1}, 5)
local o = {} for i = 1, 30 do o[i] = {k = (i * 7) % 11, i = i} end table.sort(o, function(a, b) if a.k ~= b.k then return a.k < b.k end return a.i < b.i end) local s = {} for i, v in ipairs(o) do s[i] = v.k .. ":" .. v.i end show(table.concat(s, " "))
local up = 0 table.sort(t, function(a, b) up = up + 1 return a < b end) show(up, unpack(t))
local co = coroutine.wrap(function() table.sort({3, 1, 2}, function(a, b) coroutine.yield(a) return a < b end) end) try(co)
show(table.concat({1, 2.5, "x"}, "-"), pcall(table.concat, {1, {}, 2}), pcall(table.concat, {1, nil, 3}, ",", 1, 3)) show(("hello world"):gsub("o", function(c) up = up + 1 return c .. up end)) show(pcall(string.gsub, "abc", "%w", {a = "1", b = true})) show(("abc"):gsub("%w", {a = "1", b = false})) show(pcall(string.gsub, "abc", "b", function() error("in gsub") end)) show(pcall(string.gsub, "abc", "b", function() return {} end))
for w in ("one two three"):gmatch("%a+") do show(w) end for k, v in ("a=1,b=2"):gmatch("(%w+)=(%w+)") do show(k, v) end`},
	{name: "library numbers", src: `
local vs = {0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, 1e15, 2^53, 1e300, 1/0, -1/0, 0/0, "3.7", "x", nil, true, {}}
for _, name in ipairs{"floor", "ceil", "abs", "sqrt", "sin", "cos", "tan", "exp", "log", "log10", "deg", "rad", "asin", "acos", "atan", "sinh", "cosh", "tanh", "frexp", "modf"} do
  for i = 1, 19 do local f = math[name] show(name, i, pcall(function() local x = f(vs[i]) return x, (f(vs[i])), select("#", f(vs[i], 2)) end)) end show(pcall(math[name]))
end
for _, name in ipairs{"max", "min", "fmod", "pow", "atan2", "ldexp", "mod"} do if math[name] then for i = 1, 19 do for j = 1, 19 do local f = math[name] show(name, i, j, pcall(function() local x, y = f(vs[i], vs[j]) return x, y end)) end end show(pcall(math[name])) end end
for i = 1, 19 do show(pcall(function() local t, n = type(vs[i]) return t, n, tostring(vs[i]) ~= nil, tonumber(vs[i]) end)) show(pcall(function() return 2 ^ vs[i], vs[i] ^ 0.5 end)) show(pcall(function() return vs[i] .. "", "a" .. 1 .. vs[i] end)) end
try(type) try(function() local x = type() end) show(type(nil), type(type), (type(1, 2)))
local a, b, c = math.floor(1.5) show(a, b, c) local t = {math.floor(2.5), math.max(1, 2)} show(#t, t[1], t[2]) show(math.floor(1.2), math.ceil(1.2)) math.floor(1) local s = math.max(3, 7, 5) show(s, math.min(3, -0, 0), math.max(-0, 0), math.max(0, -0), math.max(0/0, 1), math.max(1, 0/0), math.min("3", 2))
local function tf(x) return math.floor(x) end show(tf(2.5)) show(select("#", table.insert({}, 1)), select("#", table.remove({})), pcall(function() local x = table.insert({}, 1) return x end)) show((table.insert({}, 1)))
local l = {} local r = table.insert(l, nil) show(#l, r) table.insert(l, nil) l[1] = 1 table.insert(l, 1, nil) show(#l, l[1], l[2]) show(table.remove(l, 1), #l) show(table.remove({1, 2, 3}, 2, 5))
show(("%5.2f|%d|%s|%q|%x"):format(1.239, 3, "s", "q\n", 255), pcall(string.format, "%d", "x"), ("x"):byte(), string.char(65, 66), ("abc"):sub(-2), ("abc"):sub(2, 1), ("abc"):find("b"), ("a.c"):find(".", 1, true), ("abc"):reverse(), tonumber("0x1F"), tonumber("10", 2), tonumber("z", 36), tonumber(" 5 "), tonumber("5x"), tonumber(""), tonumber(nil == nil))
show(1e15, 2^53, 1e100, 123456789012, 0.1, -1.5e-7, 1/3, 100, 1e14 .. "", 2^63 .. "", (0/0 ~= 0/0), 5 % 3, -5 % 3, 5 % -3, -5 % -3, 5.5 % 2, -5.5 % 2, 5 % 0, 0 % 5, -0 % 5, 1e300 % 7, 5 % (1/0), -5 % (1/0), 2^53 % 3, (2^53 + 2) % 3, -(2^53) % 3)`},
	{name: "minus zero", src: `
local z, m = 0, -0 show(z, m, -z, -m, z * -1, m + 0, m - 0, 0 - z, m * 1, m / 1, m % 1, -1 * 0, 0 / -1, math.floor(-0.5), math.ceil(-0.5))
local t = {-0, -z} show(t[1], t[2]) t.x = -z show(t.x) local f = function() return -z end show(f(), (f())) local a = -z local g = function() a = -a return a end show(g(), a, g(), a) for i = -0, 0 do show(i) end for i = -1, 1 do show(-i * 0, i * 0) end
show(tostring(-z), -z .. "", ("%g"):format(-z), -z == z, t[1] == 0, 1 / t[1], 1 / -z) show(math.max(-z), math.abs(-z), math.floor(-z), -(-z), unpack({-z, z})) t[-z] = "k" show(t[0], t[-z]) local n = -z n = n + -z show(n) show(select(2, 1, -z)) show(again(function(x) return x, -x end, -z))`},
	{name: "coroutines", src: `
local log = {} local x = 0
local co = coroutine.create(function(a, b) x = x + a local c = coroutine.yield(a + b) x = x + c local d, e = coroutine.yield(c * 2) return d, e, x end)
show(coroutine.resume(co, 1, 2)) show(coroutine.status(co), x) show(coroutine.resume(co, 10)) show(coroutine.resume(co, "d", "e")) show(coroutine.status(co), coroutine.resume(co))
local gen = function(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i, x) x = x + 1 end end) end
for i, v in gen(3) do show(i, v) x = x * 2 end
local function walk(t) if type(t) == "table" then for _, v in ipairs(t) do walk(v) end else coroutine.yield(t) end end
for v in coroutine.wrap(function() walk{1, {2, {3, 4}, 5}, 6} end) do show(v) end
local c2 = coroutine.wrap(function() error("inside") end) try(c2) local c3 = coroutine.create(function() local y = nil return y.z end) show(coroutine.resume(c3)) show(coroutine.status(c3))
local c4 = coroutine.wrap(function() local ok, e = pcall(function() error({1}) end) show(ok, type(e)) local r = coroutine.yield(1) show(pcall(function() return r + nil end)) return "done" end) show(c4()) show(c4(5)) try(c4)
local shared = 0 local function bump(d) shared = shared + d return shared end local c5 = coroutine.wrap(function() while true do bump(1) local l = shared local f = function() l = l + 1 shared = shared + 1 return l end coroutine.yield(f) end end)
local f1, f2 = c5(), c5() show(f1(), f2(), f1(), shared, bump(5)) show(c5()(), shared)
show(coroutine.running()) try(coroutine.yield, 1) try(function() coroutine.yield(1) end)
local c7 c7 = coroutine.wrap(function() return pcall(c7) end) show(c7())
local inner = coroutine.wrap(function(...) local a = {...} while true do a = {coroutine.yield(#a, unpack(a))} end end) show(inner(1, 2)) show(inner()) show(inner(nil, nil, 3))
local captured do local v = 1 captured = coroutine.wrap(function() while true do v = v + 1 coroutine.yield(v) end end) show(captured(), v) v = 10 show(captured(), v) end show(captured())
local rec rec = function(n) if n == 0 then return "bottom" end return coroutine.wrap(function() return rec(n - 1), n end)() end show(rec(5)) show(pcall(rec, 40))
local c8 = coroutine.create(function(...) local n = select("#", ...) local t = {} for i = 1, n do t[i] = function() n = n + 1 return n, i end end coroutine.yield(unpack(t)) return n end) local _, g1, g2 = coroutine.resume(c8, 1, 2, 3) show(g1()) show(g2()) show(coroutine.resume(c8)) show(g1())
show(again(function(a) return coroutine.wrap(function() return a, coroutine.yield(a) end)() end, 3)) show(inner(again(function() return 1, 2 end)))`},
	{name: "counts in the middle", src: `
local u = used() local function lap() local v = used() show(v - u) u = v end
lap() local x = 1 lap() for i = 1, 3 do lap() end local t = {1, 2, 3} lap() for k, v in pairs(t) do lap() end for i, v in ipairs(t) do lap() end
local function f(...) lap() return ... end f(1, 2) lap() local a, b = f(1, 2) lap() t = {f(1)} lap() local g = function() x = x + 1 lap() return x end g() lap() if x > 1 and a or b then lap() end local x2 = x == 2 lap() local m = setmetatable({}, {__index = function(t, k) lap() return k end, __add = function() lap() return 1 end, __lt = function() lap() return true end, __call = function() lap() end})
local _ = m.x, m + 1, m < m, m() lap() pcall(function() lap() error("x") end) lap() for c in coroutine.wrap(function() lap() coroutine.yield(1) lap() end) do lap() end table.sort({2, 1}, function(a, b) lap() return a < b end) lap() again(lap) lap() inner(lap) local s = "a" .. 1 .. "b" lap() s = ("x"):rep(1000) lap() s = s .. s lap() local p = 2 ^ 3 lap() t[#t + 1] = 1 lap() for i = 1, 50 do table.insert(t, 1, i) end lap() for i = 1, 50 do table.remove(t, 1) end lap() table.concat(t, ",") lap() local function tail(n) if n == 0 then return used() end return tail(n - 1) end show(tail(10) - u) lap()
local q = true if q then lap() end local r = not q lap() r = q and lap() or lap() local n = -x and nil lap() while q do q = false lap() end repeat lap() until true goto l ::l:: lap() do local z = 1 local zz = function() return z end zz() end lap() f(f(f())) lap() local v1, v2, v3 = 1, 2, 3 v1, v2, v3 = v3, v1, v2 lap() show(where())
local o = {m = function(self, k) lap() return self end} o:m(1):m(2):m(3) lap() show(v1, v2, v3, r, n, s:len(), p)`},
	{name: "swaps as one instruction", src: `
local function f(a, b, c, d) a, b = b, a c, d = d, c a, b, c, d = d, c, b, a local x, y, z = a, b, c x, y = y, x return a, b, c, d, x, y, z end show(f(1, 2, 3, 4))
local function g(n) local a, b = 0, 1 while n > 0 do a, b = b, a + b n = n - 1 end return a end show(g(10), g(0), g(70))
local function h(a, b, c) local x = a local y = b local z = c if a then x = b y = c z = a end while x do x = y y = z z = nil end return x, y, z end show(h(1, 2, 3)) show(h(nil, 2, 3)) show(h(false, nil, 1))
local function k(a, b) local c if a then c = a else c = b end local d = c local e = d local g = function() return d, e end d = e e = c return c, d, e, g() end show(k(1, 2)) show(k(nil, 2))
local function l(a, b) local x, y = a or b, b or a local p = x local q = y p = q q = x return x, y, p, q end show(l(1)) show(l(nil, 2)) show(l(3, 4))
local function m(a, b) local p, q = a, b for i = 1, 3 do p, q = q, p local r = p local s = q if r > s then goto c end p = s q = r ::c:: end return p, q end show(m(1, 2)) show(m(2, 1))`},
	{name: "many registers", src: func() string {
		src := "local function f("
		for i := range 100 {
			src += "p" + string(rune('a'+i/26)) + string(rune('a'+i%26)) + ","
		}
		src = src[:len(src)-1] + ")\n"
		for i := range 80 {
			n := string(rune('a'+i/26)) + string(rune('a'+i%26))
			src += "local q" + n + " = (p" + n + " or 0) * 2 + " + string(rune('0'+i%10)) + "\n"
		}
		src += "local g = function() qaa = qaa + 1 qdb = (qdb or 0) + (paa or 0) return qaa, qdb end\n"
		src += "return qaa + qab, qdb or 0, pdv, g(), {qaa, qab, qac, qad, qae, qaf, g()}, (g())\nend\n"
		src += "local t = {} for i = 1, 100 do t[i] = i end\nlocal function s(a, b, c, d, e, l, ...) if type(l) ~= \"table\" then l = {l} end show(a, b, c, d, e, #l, ...) end\ns(f()) s(f(1)) s(f(unpack(t))) s(f(unpack(t, 1, 60)))\nfor i = 1, 3 do s(f(i, unpack(t))) end\n"
		src += "local big = {" + func() (s string) {
			for i := range 300 {
				s += "\"c" + string(rune('a'+i/26)) + string(rune('a'+i%26)) + "\","
			}
			return
		}() + "}\nshow(#big, big[299]) local o = {} for i, k in ipairs(big) do o[k] = i end o.caa, o.zz = o.czz, o.clm show(o.clm, o.cln, o.caa, o.nope, o[\"cbb\"] + o.cbc) o.far1 = 1 o.far2 = o.far1 + 1 show(o.far1 + 10001, o.far2 * 20002, o.far1 < 30003, 40004 < o.far2, o.far1 == 50005, o.far2 .. \"far\") function o:farm(x) return self.far2, x end show(o:farm(60006)) o[70007] = 80008 show(o[70007], #o)\n"
		return src
	}()},
	{name: "methods", src: `
local A = {} A.__index = A function A.new(x) return setmetatable({x = x}, A) end function A:add(d) self.x = self.x + d return self end function A:get() return self.x end function A:va(...) return self.x, ... end
local B = setmetatable({}, {__index = A}) B.__index = B function B.new(x) local o = A.new(x) return setmetatable(o, B) end function B:get() return A.get(self) * 10 end
local a, b = A.new(1), B.new(2) show(a:add(2):add(3):get(), b:add(1):get(), a:va(1, 2), b:va()) show(a.get(b), A.get{x = 7}, b.add == a.add)
local n = nil try(function() n:m() end) try(function() a.none:m() end) try(function() a:none() end) try(function() return a.x:m() end) try(function() (5):m() end) local k = "get" show(a[k](a), b[k](b)) local s = {v = 1} function s.f(self, ...) self.v = self.v + select("#", ...) return self end show(s:f(1, 2):f():f(nil).v, s:f(unpack{1, 2, 3}).v) a = b:add(a:get()) show(a:get(), a == b) local x = {y = {z = function(self) return self.w end, w = 5}} show(x.y:z(), x.y.z(x.y), x["y"]:z())`},
	{name: "again and inner", src: `
local x = 0 local function f(n) x = x + 1 if n == 0 then return x, "end" end local a, b = again(f, n - 1) return a + n, b end show(f(5)) show(inner(f, 3)) try(again, function() error("E") end) try(inner, function() error({}) end) try(again, f) try(again, nil) try(inner, 5) show(again(function(...) return select("#", ...), ... end, 1, nil, 3)) show(pcall(again, again, again, again, error, "deep")) show(again(pcall, error, "p")) local fs = {} for i = 1, 3 do fs[i] = function(d) i = i + d return i end end show(again(fs[1], 1), inner(fs[1], 1), fs[1](1), again(fs[2], 5)) local t = setmetatable({}, {__call = function(self, a) return a, x end, __index = function(t, k) return again(f, 2) end}) show(again(t, 4), t.q, inner(t, 5)) show(again(function() for k, v in pairs{a = 1, b = 2} do again(function() for k2 in pairs{c = 1} do show(k, v, k2) end end) end return "ok" end)) for i, v in inner, function() x = x + 1 if x < 20 then return x, 1 end end do show(i, v) end
local function deep(n) if n == 0 then return where() end return (again(function() local r = deep(n - 1) return r end)) end show(deep(3)) local function down(n) if n > 0 then local a = again(down, n - 1) return a end error("bottom") end try(down, 3) for i = 1, 4 do try(function() again(function() inner(function() if i % 2 == 0 then error(i) end show(i) end) end) end) end show(pcall(function() local function r() again(r) end r() end))`},
	{name: "garbage collection in frames", src: `
local keep = {} local function f(n, ...) local a, b = {n}, "s" .. n local c = function() a[1] = a[1] + 1 return a[1] end gc() keep[n] = c if n > 0 then local x, y = f(n - 1, a, b, ...) gc() return x + c(), y end return gc(1), select("#", ...) end show(f(12)) for i = 0, 12 do show(keep[i]()) end for i = 1, 4 do local t = {i, {i}} for k, v in pairs(t) do gc() show(k, type(v) == "table" and v[1] or v) end end local function va(...) gc() local t = {...} gc() return #t, ... end show(va(1, {}, "x" .. 1, 2.5)) local big = {} for i = 1, 3000 do big[i] = i + 0.5 end show(select("#", va(unpack(big)))) show((select(2500, va(unpack(big)))))
local co = coroutine.wrap(function(a) local x = {a} while true do gc() x[#x + 1] = coroutine.yield(#x, function() gc() return x[#x] end) end end) local n, g = co(0.5) show(n, g()) n, g = co(1.5) show(n, g()) local m = setmetatable({}, {__index = function(t, k) gc() return {k} end, __add = function(a, b) gc() return {b} end}) show(m.x[1], (m + 1.5)[1], m[2.5][1])`},
	{name: "many values", src: `
local t = {} for i = 1, 7000 do t[i] = i end local function id(...) return ... end local function n(...) return select("#", ...) end
for i = 1, 5 do show(n(id(unpack(t))), n(1, id(unpack(t))), #{id(unpack(t))}, (id(unpack(t)))) end
local function caught(...) local a, b = ... local f = function() a = a + 1 return a, b end local c = n(...) return f, c, ... end local f, c = caught(unpack(t)) show(f()) show(f()) show(c, n(caught(unpack(t)))) local fs = {} for i = 1, 20 do local v = i local w = n(id(unpack(t, 1, i * 300))) fs[i] = function() v = v + w return v end end for i = 1, 20 do show(fs[i]()) end
local function rec(d, ...) if d == 0 then return ... end local x = d local g = function() x = x + 1 end g() return x, rec(d - 1, x, ...) end show(rec(20)) show(n(rec(30, unpack(t, 1, 200)))) show(pcall(rec, 5, unpack(t)))
for i = 1, 30 do local ok, e = pcall(function(...) local z = {...} local y = function() return z end if i % 3 == 0 then error(#z) end return n(unpack(y())) end, unpack(t, 1, i * 100)) show(ok, e) end
local function acc(k, ...) if k == 0 then return n(...), (select(n(...), ...)) end return acc(k - 1, ..., k) end show(acc(10, 1, 2)) show(string.char(unpack({72, 105}))) show(math.max(unpack(t)), math.min(unpack(t)), #table.concat({id(unpack(t, 1, 100))}))`},
	{name: "constructors as last arguments", src: `
local function f(...) local t = select(select("#", ...), ...) local out = {} for k, v in pairs(t) do out[#out + 1] = tostring(k) .. "=" .. (type(v) == "table" and "{" .. f(v) .. "}" or tostring(v)) end for i = 1, #t do out[#out + 1] = "i" .. tostring(t[i]) end return table.concat(out, ",") end
local function g(t) t.z = t.x t.x = nil t[#t + 1] = 5 return f(t) end
local a, b, n = 1, "s", nil
show(f({x = a, y = b}), (f{x = a, 2, y = {z = b, 3}, 4}), f(1, {x = n, y = 2}), (f{x = 1, x = 2}), (f{x = a and b, y = a or b, z = not a, w = a == 1}))
for i = 1, 3 do local r = f{x = i, y = {a = i, b = {c = i * 2, i}}, z = {}} show(r) local s = g{x = i, y = i} show(s, (g{x = s})) end
local t = f{x = f{y = f{z = a}, w = 2}, v = f(1, {u = 3})} show(t)
local r = f{x = a and {y = 1}, z = {a and 1, n or 2}, w = n and {} or 3} show(r)
local r2 = f{x = (function() return a end)(), y = function() return b end and 1, z = #b, w = -a, v = b .. b .. a} show(r2)
local function va(...) local q = f{x = 1, ...} local p = f{x = ..., y = (...)} return q, p, f{n = select("#", ...)} end show(va(1, 2, 3)) show(va())
local function tail(x) return f{x = x, y = {x}} end show(tail(1), tail(nil), (tail(2)))
local function deep(i) if i == 0 then return 0 end local r = f{x = i, y = deep(i - 1), z = {q = deep(0), w = i}} return r end show(deep(6), deep(100))
local c = {} for i = 1, 4 do local j = i local s = f{x = j, y = function() j = j + 1 return j end and j} c[i] = function() return j, s end end for i = 1, 4 do show(c[i]()) end
local cc = 5 local inc = function() cc = cc + 1 return cc end local s = f{x = cc, y = inc(), z = cc, w = {cc, inc()}} show(s, cc)
show(pcall(function() local r = f{x = 1, y = {z = n.q}} end), pcall(function() local r = n{x = 1} end), pcall(function() local r = f{x = 1, y = error({})} end), pcall(function() local r = b{x = 1} end), pcall(function() local r = b:nope{x = 1} end))
show(b:rep(2), string.format("%d", #f{x = 1, y = 2}), pcall(string.rep, {x = 1}), math.max(1, pcall(math.max, 1, {x = 1}) and 1 or 2))
local mt = setmetatable({v = 1}, {__index = function(t, k) return k end, __call = function(self, t) return f(t) end, __newindex = {x = 1}}) local s1 = mt{x = mt.q, y = mt.v} show(s1, setmetatable({}, {__index = {x = 3}}).x)
for k, v in pairs(setmetatable({x = 1, y = 2, 3}, {__mode = "k"})) do show(k, v) end
local v1, v2, v3, v4 = f{x = 1} show(v1, v2, v3, v4) local u1, u2 = select(2, 1, {x = 2}), 7 show(type(u1), u2)
if f{x = 1} == "x=1" then show("equal") end while f{x = a} ~= "x=3" do a = a + 1 end show(a)
local big = f{a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = {m = 12, n = 13, 14, 15, 16}} show(big)`},
	{name: "fields of tables that change shape", src: `
local function get(t) return t.x end
local function put(t, v) t.x = v end
local ts = {} for i = 1, 30 do local t = {} for j = 1, i do t["k" .. j] = j end if i % 3 > 0 then t.x = i end ts[i] = t end
for round = 1, 3 do for i = 1, 30 do show(i, get(ts[i])) put(ts[i], round * i) if i % 4 == 0 then put(ts[i], nil) end end end
local t = {x = 1, y = 2} for i = 1, 5 do show(get(t)) t.x = nil show(get(t)) t.z = i t.x = i for j = 1, i * 4 do t["a" .. j] = j end put(t, i * 3) show(get(t)) for j = 1, i * 4 do t["a" .. j] = nil end end
local C = {} C.__index = C function C:get() return self.v end function C:set(v) self.v = v end
local D = setmetatable({}, {__index = C}) D.__index = D function D:more() return self:get() + 1 end
local os = {} for i = 1, 20 do os[i] = setmetatable({v = i}, i % 2 == 0 and C or D) end
for round = 1, 3 do for i, o in ipairs(os) do o:set(o:get() + round) show(o:get(), o.more and o:more(), rawget(o, "get"), o.nope) if round == 2 then o.get = function(self) return -self.v end end if round == 3 then C["m" .. i] = i end end end
C.get = nil show(pcall(function() return setmetatable({}, C):get() end)) C.get = function() return "new" end show(setmetatable({}, D):get())
local e = {[""] = 1, x = 2} for i = 1, 3 do show(e[""], e.x, e.y) e[""] = e[""] + 1 end e[""] = nil show(e[""], e.x)
local s = "abc" for i = 1, 3 do show(s:upper(), s:len(), ("x"):rep(i)) end
for _, k in ipairs{"x", "y", "x", "z", ""} do show(t[k], e[k]) t[k] = k show(t[k]) end
for k, v in pairs(t) do if v then t[k] = nil end end show(next(t), get(t)) t.x = 9 show(get(t))`},
	{name: "formats", src: `
local vs = {0, -0, 1, -1, 2.5, 1e15, 1e300, 1/0, -1/0, 0/0, "x", "10", "", ("y"):rep(70), true, {}, print}
for _, f in ipairs{"%d", "%i", "%5d", "%-5d|", "%05d", "%+d", "%x", "%X", "%o", "%u", "%c", "%e", "%.3f", "%8.2f|", "%g", "%.0g", "%G", "%s", "%5s|", "%-5s|", "%.2s", "%q", "%%", "%", "%y", "%10.4f%%", "a%sb%dc", "%s %s", "%d%d", "%5.1f", "%123d", ("z"):rep(300), ("z"):rep(250) .. "%s"} do
  for _, v in ipairs(vs) do local ok, s = pcall(string.format, f, v, 7) show(f:sub(1, 9), ok, s) local ok, t = pcall(function() return string.format(f, v, 7) end) show(ok, t == s, t) local ok, u = pcall(function() return f:format(v) end) show(ok, u) end
  show(pcall(string.format, f), pcall(function() local s = string.format(f) return s end))
end
for _, v in ipairs(vs) do show(type(v) == "table" or type(v) == "function" or tostring(v), pcall(tostring)) local s = type(v) ~= "table" and type(v) ~= "function" and tostring(v) show(s) end
local ok, e = pcall(error, "caught") show(tostring(e), string.format("%s!", e), pcall(error, string.format("%s again", e)), pcall(error, tostring(e)))`},
}
