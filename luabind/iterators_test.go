package luabind

import "testing"

// iteratorsHead declares iterators.
const iteratorsHead = `local function iter(l) local i = 0 return function() i = i + 1 return l[i] end end
local function both(l) local i = 0 return function() i = i + 1 if l[i] then return i, l[i] end end end
local function range(a, b, s) s = s or 1 local i = a - s return function() i = i + s if i <= b then return i end end end
local function rev(l) return function(l, i) i = i - 1 if i > 0 then return i, l[i] end end, l, #l + 1 end
local function step(l, i) i = i + 1 if l[i] then return i, l[i] end end
local function named(l) local i, last = 0, nil local function go() i = i + 1 last = l[i] total = total + (last or 0) return last end return go end
local function filter(l, f) local i = 0 return function() repeat i = i + 1 until not l[i] or f(l[i]) return l[i] end end
local function mixed(l) local i = 0 return function() i = i + 1 if i == 1 then return "first" elseif i < 4 then return i end end end
local function chars(s) local i = 0 return function() i = i + 1 if i <= #s then return s:sub(i, i), i end end end
local function fails(l) local i = 0 return function() i = i + 1 if i > 2 then error("past the end") end return l[i] end end
local function links(node) return function(_, n) if n == nil then return node end return n.next end end
local first = { v = 1, next = { v = 2, next = { v = 3 } } }
local function forever() return function() return 1 end end
local from, range0 = 0, { from = 1 }`

// iteratorCases are bodies with loops over iterators of the script, over matches of patterns, and with next.
var iteratorCases = []cellCase{
	{body: `for v in iter(A) do sum = sum + v end`},
	{body: `for i, v in both(B) do sum = sum + v * i if v == 4 then break end end`},
	{body: `for i in range(1, 5, 2) do sum = sum + i end for i in range(c.k, 3) do sum = sum + i end`},
	{body: `for i, v in rev(B) do sum = sum + v * i * c.x end`},
	{body: `for i, v in step, B, 0 do sum = sum + v * i end for i, v in step, A, c.k % 2 do sum = sum + v end`},
	{body: `for i, v in step, B, from do sum = sum + v * i end`},
	{body: `for i, v in step, B, range0.from do sum = sum + v * i end`},
	{body: `for v in named(A) do sum = sum + v end`, some: true},
	{body: `for a in iter(A) do for b in iter(B) do sum = sum + a * b end end`},
	{body: `for a in iter(A) do for b in iter(A) do if b > a then break end sum = sum + a * b end end`},
	{body: `for v in filter(B, function(x) return x > c.k + 1 end) do sum = sum + v end`},
	{body: `for ch, i in chars(c.s) do if ch == "n" then sum = sum + i end end`},
	{body: `for v in iter(A) do v = v + 1 sum = sum + v end for i, v in rev(A) do i = i * 10 sum = sum + i end`},
	{body: `for v in iter(A) do if v == 2 then found = e end if c.k == 3 and v == 2 then goto on end sum = sum + v end ::on::`},
	{body: `if c.b then for v in iter(B) do sum = sum + v end end`},
	{body: `for v in iter({}) do sum = sum + v end for i, v in step, {}, 0 do sum = sum + v end`},
	{body: `for v in fails(B) do sum = sum + v end`, some: true},
	{body: `if c.k == 3 then for v in iter(nil) do sum = sum + v end end sum = sum + 1`, some: true},
	{body: `for i, v in step, A, c.k == 3 and "x" or 0 do sum = sum + v end`, some: true},
	{body: `for v in forever() do total = total + v if total % 7 == 0 then return end end`, some: true},
	// next
	// matches
	{body: `for w in ("a b " .. c.s):gmatch("%a+") do word = w sum = sum + #w end`},
	{body: `for k, v in string.gmatch("a=1, b=" .. c.k, "(%w+)=(%w+)") do word = k sum = sum + tonumber(v) end`},
	{body: `for k, v in ("x=1;y=2"):gmatch("(%a)=(%d)") do t[k] = (t[k] or 0) + v * 1 end`, some: true},
	{body: `for w in c.s:gmatch("") do sum = sum + 1 end for w in c.s:gmatch("x*") do sum = sum + #w end`},
	{body: `for w in c.s:gmatch("%u") do if w == "W" then break end sum = sum + 1 end`},
	{body: `for w in c.s:gmatch("^%a") do sum = sum + 1 end for w in c.s:gmatch(c.tag) do sum = sum + 1 end`},
	{body: `local p = c.k == 3 and "%" or "." for w in c.s:gmatch(p) do sum = sum + 1 end`, some: true},
	{body: `for w in (c.k == 3 and t or c.s):gmatch(".") do sum = sum + 1 end`, some: true},
}

// Loops over iterators do the same with every implementation, and are compiled.
func TestIterators(t *testing.T) {
	t.Parallel()
	for i := range iteratorCases {
		iteratorCases[i].head = iteratorsHead
	}
	testCells(t, iteratorCases)
}
