package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// iteratorHead declares iterators that are members of tables and objects.
const iteratorHead = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", s = "string" })
local N4 = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }
local up = 0
local M = { n = 3 }
function M.around(x, y) local i = 0 return function() i = i + 1 if N4[i] then return x + N4[i][1], y + N4[i][2] end end end
function M.upto(n) local i = 0 return function() i = i + 1 up = up + 1 if i <= n then return i end end end
function M.none() return nil end
function M.stateless(list, i) i = i + 1 if list[i] then return i, list[i] end end
function M.range(n) return M.stateless, { 4, 5, 6 }, n end
local O = {} O.__index = O
function O:each() local i = 0 return function() i = i + 1 if i <= self.n then return i, self.n - i end end end
function O:total() local s = 0 for i, n in self:each() do s = s + i * n end return s end
local all = {}
local o = setmetatable({ n = 4 }, O)
local D = setmetatable({}, { __index = O }) D.__index = D
local d = setmetatable({ n = 2 }, D)
return { init = function(world) for i = 1, 90 do world:spawn{ P = { x = i, y = i % 7, s = "s" .. i % 3 } } end end, update = function(world, dt)
  local sum = 0
  for e, p in world:each("P") do `

// Loops over what members of tables and methods of objects return are compiled when the loop begins, and do what they do interpreted.
func TestIteratorsOfMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`for x, y in M.around(p.x, p.y) do sum = sum + x * y end`, true},
		{`for x in M.around(p.x, p.y) do if x > 50 then break end sum = sum + x end`, true},
		{`for i in M.upto(M.n) do p.x = p.x + i end sum = sum + up`, false}, // up is used in two ways
		{`for i in M.upto(M.n) do p.x = p.x + i end`, true},
		{`for i in M.upto(p.y) do if i == 2 then goto done end sum = sum + i end ::done::`, true},
		{`for i in M.upto(2) do for x, y in M.around(i, p.y) do sum = sum + x - y end end`, true},
		{`for i, n in o:each() do sum = sum + i * n end`, true},
		{`for i, n in d:each() do sum = sum + i * n end`, true},
		{`for i, v in M.stateless, { 4, 5 }, 0 do sum = sum + i * v end`, false},
		{`for i, v in M.range(0) do sum = sum + i * v end`, false},
		{`for i, v in M.range(1) do sum = sum + i * v end p.x = p.x + 1`, false},
		{`if p.x > 80 then for x, y in M.around(p.x, p.y) do sum = sum + x * y end end p.y = p.y + 1`, true},
		{`if p.x > 80 then M.around = M.upto end for x in M.around(3, 4) do sum = sum + x end`, false},
		{`if p.x > 80 and world.frame == 2 then for x in M.none() do sum = sum + 1 end end sum = sum + 1`, false},
		{`local it = M.upto(2) for i in it do sum = sum + i end for i in it do sum = sum + 100 end`, false},
		{`local x = p.x > 30 and o or { each = function() return M.upto(2) end } for i, n in x:each() do sum = sum + i end`, false},
		{`if world.frame == 3 then O.each = function(self) return M.upto(2) end end for i in o:each() do sum = sum + i end`, false},
	} {
		source := iteratorHead + c.body + " end print(sum, up) end }"
		sameCompiled(t, source, c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0 && did.Machine+did.Closures >= 270
		})
	}
}

// resultHead declares functions that return what loops walk.
const resultHead = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", s = "string", bag = "table" })
local names, cost = { "ash", "birch", "cedar" }, { ash = 2, birch = 3, oak = 5 }
local M, calls = { names = names, cost = cost, lists = { { 1, 2 }, { 3 } } }, 0
function M.each() return ipairs(M.names) end
function M.local_each() return ipairs(names) end
function M.costs() return pairs(cost) end
function M.nexts(t) return next, t end
function M.nexts3(t) return next, t, nil end
function M.from(t, k) return next, t, k end
function M.sorted(t) local keys = {} for k in pairs(t) do keys[#keys + 1] = k end table.sort(keys) return ipairs(keys) end
function M.counted(t) calls = calls + 1 return ipairs(t) end
function M.maybe(t) if not t then return ipairs({}) end return ipairs(t) end
function M.spread(...) return ipairs({ ... }) end
function M.row(i) return ipairs(M.lists[i]) end
function M:mine() return ipairs(self.names) end
local function entries(t) return pairs(t) end
local function once() return (ipairs(names)) end
local Cls, other = {}, 0
Cls.__index = Cls
function Cls:all() return ipairs(names) end
function Cls:own() return pairs(self.t) end
local objects = { setmetatable({ t = cost }, Cls), setmetatable({ t = { x = 1 } }, Cls) }
local function counting() other = other + 1 return ipairs({ "a" }) end
local function shadowed(t) local function ipairs(l) return function() end end return ipairs(t) end
return { init = function(world) for i = 1, 90 do world:spawn{ P = { x = i, y = i % 7, s = "s" .. i % 3, bag = { ash = i, oak = i % 4 } } } end end, update = function(world, dt)
  local sum, text = 0, ""
  for e, p in world:each("P") do `

// A loop over what a function returns, ipairs(list), pairs(table) or next, is compiled as one over that list.
func TestLoopsOverReturnedPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`for i, n in M.each() do sum = sum + i * #n end`, true},
		{`for i, n in M.each() do if n == "birch" then break end p.x = p.x + cost[n] end`, true},
		{`for i, n in M.each() do if i == 2 then goto done end p.x = p.x + i end ::done::`, true},
		{`for i, n in M.local_each() do for j, m in M.each() do sum = sum + i * #m - j * #n end end`, true},
		{`for k, v in M.nexts3(p.bag) do sum = sum * 0.5 + v + #k end`, true},
		{`for k, v in M.from(cost, nil) do sum = sum * 0.5 + v + #k end`, false},
		{`for k, v in M.from(cost, "ash") do sum = sum * 0.5 + v + #k end`, false},
		{`for i, k in M.sorted(p.bag) do sum = sum * 0.5 + i + p.bag[k] end`, true},
		{`for i, n in M.counted(M.names) do sum = sum + calls end`, false}, // calls is used in two ways
		{`for i, n in M.maybe(p.x > 40 and names) do sum = sum + i end`, false},
		{`for i, n in M.spread(p.x, p.y, 3) do sum = sum + i * n end`, true},
		{`for i, n in M:mine() do sum = sum + i * #n end`, true},
		{`for i, n in shadowed(names) do sum = sum + 1 end p.x = p.x + 1`, false},
		{`if p.x > 80 then M.each = M.costs end for i, n in M.each() do sum = sum + 1 end`, false},
		{`if world.frame == 3 and p.x == 7 then M.names = nil end for i, n in M.each() do sum = sum + 1 end`, false},
		{`for i, n in M.row(p.x > 60 and 3 or 1) do sum = sum + i * n end`, false},
		{`for i, n in (M.each()) do sum = sum + 1 end`, false},
		{`for i, n in (ipairs(names)) do sum = sum + 1 end`, false},
		{`for i, n in once() do sum = sum + 1 end`, false},
		{`if world.frame == 2 and p.x == 1 then Cls.all = counting end for i, n in objects[p.x % 2 + 1]:all() do sum = sum + i + other end`, false},
		{`if world.frame == 3 and p.x == 9 then objects[1] = { all = counting } end for i, n in objects[p.x % 2 + 1]:all() do sum = sum + i + other end`, false},
		{`if world.frame == 3 and p.x == 9 then objects[2].all = counting end for i, n in objects[p.x % 2 + 1]:all() do sum = sum + i + other end`, false},
		{`for i in M.each() do p.y = p.y + i end for _, n in M.each() do p.s = n end`, true},
	} {
		source := resultHead + c.body + " end print(sum, text, calls) end }"
		sameCompiled(t, source, c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0 && did.Machine+did.Closures >= 270
		})
	}
}
