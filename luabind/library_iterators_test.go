package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
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
		{`if world.frame == 3 then O.each = function(self) return M.upto(2) end end for i in o:each() do sum = sum + i end`, false},
	} {
		source := iteratorHead + c.body + " end print(sum, up) end }"
		sameCompiled(t, source, c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0 && did.Machine+did.Closures >= 270
		})
	}
}
