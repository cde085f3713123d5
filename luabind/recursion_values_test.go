package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// manyValuesSource is a file with functions that call themselves, and return more values the deeper they do, or none.
const manyValuesSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32" })
local function count(...) return select("#", ...) end
local function add(...) local a, b, c = ... return (a or 1) + (b or 10) + (c or 100) end
local function all(...) return ... end
local function grow(n) if n > 0 then return n, grow(n - 1) end return 5 end
local function rest(n) if n > 0 then return select(2, n, n, rest(n - 1)) end return 5, 6 end
local function tail(n) if n > 0 then return tail(n - 1) end return 1, 2 end
local function none(n) if n > 0 then return none(n - 1) end return end
local function safe(n) if n > 0 then return pcall(safe, n - 1) end return 3 end
local one, two
function one(n) if n > 0 then return n, two(n - 1) end return 7 end
function two(n) if n > 0 then return one(n - 1) end return 8 end
return { init = function(world) for i = 1, 40 do world:spawn{ P = { x = i, k = i % 5 } } end end, update = function(world, dt)
  local sum, last = 0, nil
  for e, p in world:each("P") do USE end
  print(sum, last)
end }`

// Loops that call such functions are compiled or not, and do what they do in the interpreter. Finding out ends.
func TestFunctionsThatReturnMoreTheDeeperTheyCall(t *testing.T) {
	t.Parallel()
	for _, f := range []string{"grow", "rest", "tail", "none", "safe", "one"} {
		for _, use := range []string{
			`sum = sum + count(F(p.k))`,
			`sum = sum + add(F(p.k))`,
			`sum = sum + select("#", F(p.k))`,
			`local a, b, c = F(p.k) last = a if b then sum = sum + 1 end if c then sum = sum + 2 end`,
			`last = F(p.k)`,
			`last = (F(p.k))`,
			`F(p.k) sum = sum + 1`,
			`local t = { F(p.k) } sum = sum + #t`,
			`sum = sum + count(all(F(p.k)))`,
			`if p.x == 20 then last = add(1, F(p.k)) end sum = sum + p.x`,
		} {
			use = strings.ReplaceAll(use, "F(", f+"(")
			sameCompiled(t, strings.Replace(manyValuesSource, "USE", use, 1), use, func(Impl, loops.Tally) bool { return true })
		}
	}
}
