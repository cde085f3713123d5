package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// deepSource is a file with a loop in a function that is called so many calls deep: FROM at frame 1, and STEP more in each later frame.
const deepSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64" })
local function h(x) return x + 1 end
local function g(x) return h(x) * 2 end
local function f(x) return g(x) - 1 end
local function sum(n) if n == 0 then return 0 end return n + sum(n - 1) end
local function protected(x, n) if n == 0 then return x end local ok, y = pcall(protected, x, n - 1) return ok and y + 1 or -1 end
local O = setmetatable({}, { __index = function(t, k) return h(1) end, __call = function(t, x) return g(x) end })
local function loop(world) for e, p in world:each("P") do BODY end return 0 end
local function down(k, world) if k > 0 then return down(k - 1, world) + 1 end return loop(world) end
local function inside(n, world) if n > 0 then local ok, x = pcall(inside, n - 1, world) return x end return loop(world) end
local k = FROM
return { init = function(world) for i = 1, 60 do world:spawn{ P = { x = i } } end end, update = function(world, dt)
  k = k + STEP
  print(k, CALL)
  local x = 0 for e, p in world:each("P") do x = x + p.x end print(x)
end }`

// A loop that begins deep within calls does the same as the interpreter, where that has room for the calls of a row and where it has none.
func TestDeepLoops(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`p.x = p.x + 1`, `p.x = f(p.x)`, `p.x = p.x + math.max(f(1), h(p.x))`, `p.x = p.x + O.some`, `p.x = O(p.x)`, `p.x = p.x + sum(120)`, `p.x = p.x + sum(20)`,
		`p.x = protected(p.x, 3)`, `local ok, y = pcall(f, p.x) p.x = ok and y or -1`, `if p.x > 30 then p.x = f(p.x) end`,
	}
	for i, body := range bodies {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for _, from := range []struct{ from, step, call string }{
				{"182", "4", "pcall(down, k, world)"},
				{"186", "3", "pcall(down, k, world)"},
				{"55", "8", "pcall(down, k, world)"},
				{"30", "30", "coroutine.wrap(function() return down(k, world) end)()"},
				{"178", "2", "inside(k, world)"},
				{"180", "3", "inside(k, world)"},
			} {
				source := strings.NewReplacer("BODY", body, "FROM", from.from, "STEP", from.step, "CALL", from.call).Replace(deepSource)
				sameCompiled(t, source, body+" "+from.from+" "+from.call, func(Impl, loops.Tally) bool { return true })
			}
			for _, from := range []string{"985", "989", "830"} {
				source := strings.NewReplacer("BODY", body, "FROM", from, "STEP", "3", "CALL", "down(k, world)").Replace(deepSource)
				sameCompiled(t, source, body+" "+from, func(Impl, loops.Tally) bool { return true })
			}
		})
	}
}

// Deep calls that read and write fields of views, resources and the world end where they end for the interpreter of gopher-lua.
func TestDeepFields(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`p.x = p.x + 1`, `n = n + p.x`, `n = n + world.frame`, `world.resources.r = world.resources.r + 1`, `n = n + world.resources.r`, `local q = p["x"]`, `p["x"] = n`,
		`local c = world.commands`, `n = n + (p.x == p.x and 1 or 0)`, `local t = { x = n } n = t.x + 1`,
	} {
		source := strings.Replace(`local ecs = require("ecs")
ecs.component("P", { x = "f64" }) ecs.resource("r", { type = "f64" })
local n = 0
local function down(p, world) BODY return down(p, world) + 1 end
return { init = function(world) world:spawn{ P = { x = 1 } } end, update = function(world, dt)
  local e, p = world:first("P")
  p.x, n, world.resources.r = 0, 0, 0
  print(pcall(down, p, world))
  print(p.x, n, world.resources.r)
  p.x, n, world.resources.r = 0, 0, 0
  print(coroutine.resume(coroutine.create(down), p, world))
  print(p.x, n, world.resources.r)
end }`, "BODY", body, 1)
		sameCompiled(t, source, body, func(Impl, loops.Tally) bool { return true })
	}
}
