package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// spreadCalls are calls whose last argument is one that gives several values, or none.
var spreadCalls = []string{
	`p.x = select("#", select(1, 7, 8))`, `p.x = select("#", select(1, two(p)))`, `p.x = select("#", select(2, pcall(two, p)))`, `p.x = select("#", select(2, 7))`, `p.x = select("#", print())`,
	`p.x = select("#", select(2, pcall(none, p)))`, `p.x = select("#", select(2, p.x, two(p)))`, `print(select(1, two(p)))`, `print(select(2, 7))`, `print(select(2, 7, 8, 9))`, `print(type(select(2, 1)))`,
	`print(tostring(select(2, 1)))`, `print(tonumber(select(2, 1)))`, `print(type(print()))`, `print(("%s"):format(select(2, 1)))`, `print(tonumber(select(1, "11", 2)))`, `print(string.char(select(1, 65, 66)))`,
	`print(unpack(select(1, list, 2)))`, `print(table.concat(list, select(1, "z", 2)))`, `print(p.s:find(select(1, "s", 2)))`, `print(va(print()))`, `local function r() return print() end print(select("#", r()))`,
	`local function r(...) return select("#", select(2, ...)) end print(r(1), r(1, 2), r(1, 2, 3))`, `local function r(...) print(select(2, ...)) end r(1) r(1, 2) r(1, 2, 3)`, `p.x = select("#", (select(1, 7, 8)))`,
	`p.x = select("#", select(-1, 7, 8))`, `p.x = select("#", select(p.n, 7, 8, 9))`, `p.x = math.max(select(2, 1, 5, 9))`, `local t = { select(2, 1, 5, 9) } p.x = #t`, `local a, b = select(2, 1, 5, 9) p.x = a + b`,
	`print(select("#", print(p.x)), select("#", two(p)))`, `local t = { print() } p.x = #t`, `local z = print() p.x = z and 1 or 2`, `print((print()))`, `p.x = p.n == 2 and select("#", select(2, 7)) or 9`,
	`print(select(1, select(2, 7, 8, 9)))`, `print(select("#", select(1, select(2, 7, 8, 9))))`, `local s = tostring(select(1, p.n, 2)) .. "!" print(s)`, `print(va(select(2, two(p))), va(select(3, two(p))))`,
}

// A call at the end of arguments gives all its values, or none, to functions of the libraries, too.
func TestSpreadValues(t *testing.T) {
	t.Parallel()
	for _, body := range spreadCalls {
		source := `local ecs = require("ecs")
ecs.component("P", { x = "f64", n = "i32", s = "string" })
local list = { 4, 5, 6 }
local function two(p) return p.n, p.n + 1 end
local function none(p) p.x = p.x + 1 end
local function va(...) return select("#", ...) end
return { init = function(world) for i = 1, 12 do world:spawn{ P = { x = i, n = i % 3 + 1, s = "ass" } } end end, update = function(world, dt)
  for e, p in world:each("P") do ` + body + ` end
  local sum = 0 for e, p in world:each("P") do sum = sum * 3 % 1000 + p.x end print(sum)
end }`
		sameCompiled(t, source, body, func(Impl, loops.Tally) bool { return true })
	}
}
