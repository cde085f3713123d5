package luabind

import "testing"

// functionResults are loops with functions whose values differ from return to return, that call themselves, or that are iterators.
var functionResults = []rowsCase{
	{name: "a number or nothing", body: `local function f(a) if a > 50 then return a end return nums[a] end for e, p in world:each("P") do local v = f(p.x) if v then sum = sum + v else up = up + 1 end end`, ran: 600, machine: true},
	{name: "a number, then what may be nil", body: `local function f(a, t) if a > 50 then return a end return t end for e, p in world:each("P") do local t if p.k < 3 then t = p.x end local v = f(p.x, t) if v then sum = sum + v else up = up + 1 end end`, ran: 600, machine: true},
	{name: "nil, then values of any kind", body: `local vals = { 5, "s", false } for e, p in world:each("P") do local function f(x, v) if x > 50 and x < 60 then return nil end return v end local v = f(p.x, vals[p.k]) flag = flag or v text = tostring(v) if v == nil then sum = sum + 1 end end`, ran: 600},
	{name: "values of any kind, then nil", body: `local vals = { 5, "s", false } for e, p in world:each("P") do local function f(x, v) if x > 50 and x < 60 then return v end return nil end local v = f(p.x, vals[p.k]) flag = flag or v text = tostring(v) if v == nil then sum = sum + 1 end end`, ran: 600},
	{name: "several types", body: `local function f(a) if a > 50 then return a end if a > 20 then return "s" end return nil end for e, p in world:each("P") do local v = f(p.x) last = v sum = sum + (type(v) == "number" and v or 0) end`, ran: 584, left: 16},
	{name: "a call of itself", body: `local function f(x) local s = x for i = 1, x do s = s + f(i - 1) end return s end for e, p in world:each("P") do sum = sum + f(p.k) end`, ran: 600},
	{name: "a call of itself behind a condition", body: `local function f(x) if x > 1 then return f(x - 1) end return x end for e, p in world:each("P") do sum = sum + f(p.k) end`, ran: 450, left: 6},
	{name: "a call of itself with a number for an entity", body: `local function f(e, n) if n == 0 then return e end return f(e + 1, n - 1) end for e, p in world:each("P") do sum = sum + f(e, 3) end`, ran: 450, left: 6},
	{name: "a call of itself with a number and an entity", body: `local function f(o, n) if n == 0 then return o end if n > 2 then return f(n, n - 1) end return f(o, n - 1) end for e, p in world:each("P") do sum = sum + f(e, p.k) end`, ran: 450, left: 6},
	{name: "a call of itself with an entity", body: `local function f(o, n) if n == 0 then return world:has(o, "R") end return f(o, n - 1) end for e, p in world:each("P") do if f(e, p.k) then sum = sum + 1 end end`, ran: 450, left: 6},
	{name: "a call of itself that gives a string", body: `local function f(x) if x > 1 then return f(x - 1) end return "s" .. x end for e, p in world:each("P") do text = f(p.k) end`, ran: 450, left: 6},
	{name: "a call of itself that gives a boolean", body: `local function f(x) if x > 1 then return f(x - 1) end return x == 1 end for e, p in world:each("P") do flag = f(p.k) end`, ran: 450, left: 6},
	{name: "an iterator whose variable the body changes", body: `local n = 0 for e, p in world:each("P") do n = 0 for a, b in function() n = n + 1 if n < 4 then return n, n * 2 end end do n = n + 1 sum = sum + a + b end end`, ran: 600, machine: true},
	{name: "an iterator whose argument the body changes", body: `for e, p in world:each("P") do local n, m = 3, 5 for a in function(s, c) c = (c or 0) + 1 if c <= s then return c end end, n do n = n + 1 sum = sum + a end end`, ran: 600},
	{name: "an iterator that gives records", body: `local by = {} for e, p in world:each("P") do local i = 0 local function it() i = i + 1 if i > 3 then return end local r = by[p.k + i] or { n = 0 } by[p.k + i] = r return r end for r in it do r.n = r.n + 1 sum = sum + r.n end end`, ran: 600},
	{name: "an iterator that gives views", body: `for e, p in world:each("P") do local i = 0 local function it() i = i + 1 if i < 3 then return i, world:get(e, "Q") end end for k, q in it do i = i + 1 if q then q.y = q.y + k end sum = sum + i end end`, ran: 600, machine: true},
	{name: "no arguments where one is assigned", body: `local function many(...) local t, u t, u = ... return t, u end for e, p in world:each("P") do local a, b = many(p.x) sum = sum + a last = b local c = many() flag = c end`, ran: 600},
	{name: "a function with a name in one with any number of arguments", body: `local function many(...) function conf.f(...) return ... end return ... end for e, p in world:each("P") do sum = sum + many(p.x, 2) end`},
	{name: "globals in a function with any number of arguments", body: `local function many(...) flag = nope == nil return nope or ... end for e, p in world:each("P") do if p.x < 3 then sum = sum + many(p.x, 2) end end`, left: 4},
	{name: "a call with several values under a name", body: `local function two(x) return x, 2 end for e, p in world:each("P") do local t = { 5, x = two(p.x) } sum = sum + t.x + t[1] end`, ran: 600, machine: true},
	{name: "a call with some number of values under a name", body: `local function maybe(x) if x > 3 then return x, 2 end return x end for e, p in world:each("P") do local t = { 5, x = maybe(p.x) } sum = sum + t.x + #t end`, ran: 600},
	{name: "a call with some number of values at the end of a list", body: `local function maybe(x) if x > 3 then return x, 2 end return x end for e, p in world:each("P") do local t = { 5, maybe(p.x) } sum = sum + t[1] + #t end`},
}

// The values of functions are the same in kernels, and the rows that kernels leave are those that they must leave.
func TestFunctionResults(t *testing.T) { sameRows(t, functionResults) }
