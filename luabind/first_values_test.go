package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// firstSource is a file with functions that return all values of functions of the libraries.
const firstSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string", bag = "table" })
local function any(t) return next(t) end
local function find(s, what) return s:find(what, 1, true) end
local function first(t) return unpack(t) end
local function both(t, k) return k, next(t) end
local function through(t) return any(t) end
local function count(...) return select("#", ...) end
local function maybe(t, x) if x > 40 then return next(t) end return "none" end
local picks = { function(t) return unpack(t) end, function(t) return t[1] end, function(t) return t[1], unpack(t, 2) end }
local function captures(s) return s:match("(%a)(%d+)") end
local function think(t) local out = {} for i = 1, #t do out[i] = t[i] * 2 end if out[1] == 8 then return 9 end return unpack(out) end
local function second(a, b) return select(2, pcall(first, { a, b })) end
local function guarded(f, ...) return pcall(f, ...) end
local function sel(n, ...) return select(n, ...) end
local function whole(...) return ... end
local function late(x) if x == 1 then return 7 end return sel(2, 7, 5, 6) end
local function walk(t, n) if n == 0 then return unpack(t) end return walk(t, n - 1) end
local function replaced(s) return s:gsub("a", "b") end
return { init = function(world) for i = 1, 90 do world:spawn{ P = { x = i, s = "a" .. i, bag = i % 3 == 0 and {} or { ["k" .. i % 4] = i } } } end end, update = function(world, dt)
  local sum, text = 0, ""
  for e, p in world:each("P") do BODY end
  print(sum, text)
end }`

// A call at the end of a return gives its first value where the caller uses no other one, and all of them where it does.
func TestFirstValuesOfReturns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`local k = any(p.bag) if k then sum = sum + #k + p.bag[k] end`, true},
		{`if not any(p.bag) then sum = sum + 1 end`, true},
		{`any(p.bag) sum = sum + 1`, true},
		{`local k, v = any(p.bag) if k then sum = sum + v end`, true},
		{`local k = (any(p.bag)) if k then sum = sum + 1 end`, false},
		{`sum = sum + count(any(p.bag))`, false},
		{`local t = { any(p.bag) } sum = sum + #t`, false},
		{`local k = through(p.bag) if k then sum = sum + #k end`, false},
		{`local a, b = both(p.bag, 3) sum = sum + a + (b and 1 or 0)`, true},
		{`local a, b, c = both(p.bag, 3) sum = sum + a + (c or 0)`, true},
		{`local at = find(p.s, "5") if at then sum = sum + at end`, true},
		{`local from, to = find(p.s, "5") if to then sum = sum + to end`, true},
		{`local n = first({ p.x, 2 }) sum = sum + n`, false},
		{`local s = maybe(p.bag, p.x) if s then text = s sum = sum + #s end`, false},
		{`local r, n = replaced(p.s) sum = sum + n`, true},
		{`local a, b = first({ p.x, p.x + 1, 7 }) sum = sum + a * b`, true},
		{`local a, b, c, d = first({ p.x, p.x + 1 }) sum = sum + a * b + (c and 1 or 2) + (d and 3 or 4)`, true},
		{`local a, b = through(p.bag) if a then sum = sum + b end`, false},
		{`p.x, sum = first({ p.x + 1, sum + 1 })`, false},
		{`local l = p.x % 2 == 0 and { 1, 2 } or { 3 } local a, b = first(l) sum = sum + a + (b or 9)`, true},
		{`local a, b = picks[p.x % 3 + 1]({ p.x, 5 }) sum = sum + a + (b or 0)`, false},
		{`local a, b, c = picks[p.x % 3 + 1]({ p.x, 5, 6 }) sum = sum + a + (b or 0) + (c or 100)`, false},
		{`local t = { first({ p.x, 2 }) } sum = sum + #t`, false},
		{`sum = sum + count(first({ 1, 2, 3 }))`, false},
		{`local a, b = captures(p.s) if a then sum = sum + #a + tonumber(b) end`, true},
		{`local ok, a, b = pcall(first, { p.x, 3 }) sum = sum + (ok and a + b or 0)`, false},
		{`local a, b = walk({ p.x, 2 }, 3) sum = sum + a + (b or 0)`, false},
		{`local a, b = think({ p.x, 5 }) sum = sum + a * (b or 50)`, false},
		{`local a, b, c = think({ p.x, 5 }) sum = sum + a * (b or 50) + (c or 7)`, false},
		{`sum = sum + count(think({ p.x, 5 }))`, false},
		{`local ok = (pcall(first, { p.x, 2 })) if ok then sum = sum + 1 end`, false},
		{`local ok = (pcall(second, p.x, 2)) sum = sum + (ok and 1 or 0) + (select("#", (pcall(first, { 1, 2 }))))`, false},
		{`local f = p.x > 5 and math.abs or math.floor sum = sum + (f(p.x / 2)) + (f((first({ p.x, 2 }))))`, false},
		{`sum = sum + count(pcall(first, { 1, 2 }))`, false},
		{`local t = { pcall(first, { 1, 2 }) } sum = sum + #t`, false},
		{`local t = { pcall(any, { 5 }) } sum = sum + #t`, false},
		{`local t = { pcall(captures, p.s) } sum = sum + #t`, false},
		{`sum = sum + count(pcall(function() return unpack({ 1, 2, 3 }) end))`, false},
		{`sum = sum + count(xpcall(function() return unpack({ 1, 2, 3 }) end, error))`, false},
		{`local a, b = second(p.x, 3) sum = sum + (a or 0) + (b or 100)`, false},
		{`local ok, a, b = pcall(second, p.x, 3) sum = sum + (ok and (a or 0) + (b or 100) or 0)`, false},
		{`sum = sum + count(second(p.x, 3))`, false},
		{`local ok, a, b = guarded(first, { p.x, 3 }) sum = sum + (ok and a + b or 0)`, false},
		{`sum = sum + count(guarded(first, { p.x, 3 }))`, false},
		{`local t = { sel(2, 7, 5, 6) } sum = sum + #t`, false},
		{`sum = sum + count(sel(2, p.x, 5, 6))`, false},
		{`sum = sum + math.max(sel(2, 7, 5, 6))`, false},
		{`local a, b = late(p.x) sum = sum + a + (b or 50)`, false},
		{`local a, b = sel(2, p.x, 5, 6) sum = sum + a + b`, false},
		{`sum = sum + count(whole(sel(2, 7, 5, 6)))`, false},
		{`print(any(p.bag) and 1) if p.x == 3 then print(any(p.bag)) print("a", any(p.bag)) end`, false},
	} {
		source := strings.Replace(firstSource, "BODY", c.body, 1)
		sameCompiled(t, source, c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0 && did.Machine+did.Closures >= 300
		})
	}
}
