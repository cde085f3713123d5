package luabind

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// cellsSource is a file whose system walks the cells of layers outside of any query loop.
const cellsSource = `local ecs = require("ecs")
ecs.component("P", { x = "i32", n = "f64" }) ecs.event("Hit", { n = "f64" }) ecs.resource("score", "f64") ecs.tag("red")
ecs.layer("ground", { type = "u8", width = 60, height = 40, default = 3 })
ecs.layer("heat", { type = "f64", width = 7, height = 5, wrap = true, default = 0.5 })
ecs.layer("wet", { type = "bool", width = 40, height = 30 }) ecs.layer("owner", { type = "entity", width = 9, height = 9, wrap = true })
ecs.layer("wide", { type = "i64", width = 6, height = 4, default = -5 })
local sum, last, list, who, held = 0, nil, {}, nil, nil
local function walk(layer, f) for x, y, v in layer:each() do sum = sum + v * x if f and v == f then return x, y end end end
return { init = function(world)
  who = world:spawn{ P = {} } held = world.layers.heat
  for i = 1, 30 do world.layers.ground:set(i, i, i) world.layers.wet:set(i, 29 - i % 7, true) end
  for i = 1, 30 do world:spawn{ P = { x = i, n = i }, "red" } end
end, update = function(world, dt)
  local ground, heat, wet, owner, wide = world.layers.ground, world.layers.heat, world.layers.wet, world.layers.owner, world.layers.wide
  local n = 0
  BODY
  print(sum, last, n, #list, list[#list], who, ecs.random(1000), world:count(), world.resources.score)
  print(ground:sum(), heat:sum(), wet:count(true), owner:count(ecs.none))
  if #list > 500 then list = {} end
end }`

// A cellsCase is a body, and what becomes of its cells in four frames: ran are done by a kernel of the walk, and left are left to the interpreter.
type cellsCase struct {
	name, body string
	ran, left  int
}

var cellsCases = []cellsCase{
	{"each", `for x, y, v in ground:each() do n = n + v * x - y end`, 9600, 0},
	{"of one variable", `for x in wide:each() do n = n + x end`, 96, 0},
	{"of five variables", `for x, y, v, more, most in ground:each() do if more or most then n = -1 else n = n + y end end`, 9600, 0},
	{"around", `for x, y, v in ground:around(3, 1, 2) do n = n + v * x - y end`, 4 * 19, 0},
	{"around in a diamond", `for x, y, v in heat:around(-3, 100, 3, "neumann") do n = n + v * x - y end`, 88, 0},
	{"around more than there is", `for x, y, v in heat:around(2, 2, 30) do n = n * 1.5 + v * x - y end`, 4 * 34, 0},
	{"around a few", `for x, y, v in ground:around(3, 3, 1) do n = n + v end local r = 2 for x, y, v in ground:around(3, 3, r, "neumann") do n = n + v end for x, y in ground:around(3, 3) do end`, 0, 0},
	{"around nothing", `for x, y, v in heat:around(2, 2, 0) do n = -1 end`, 0, 0},
	{"a layer in a variable", `for x, y, v in held:each() do n = n + v * x end`, 140, 0},
	{"a layer that is given", `walk(heat) n = walk(ground, 9)`, 140 + 4*(9*60+10), 0},
	{"a layer by a computed name", `for x, y, v in world.layers["gro" .. "und"]:each() do n = n + v end`, 9600, 0},
	{"calls as arguments", `for x, y, v in ground:around(math.floor(3.5), #"ab", (tonumber("2"))) do n = n + v * x - y end`, 4 * 24, 0},
	{"writes to what is walked", `for x, y, v in ground:each() do if v < 90 then ground:set((x + 1) % 60, y, (v + 1) % 200) end sum = sum + v end`, 9600, 0},
	{"writes behind and before", `for x, y, v in heat:each() do heat:add(x - 1, y, 0.25) heat:add(x, y + 1, v) n = n + v end`, 140, 0},
	{"writes to others", `for x, y, v in wet:each() do if v then ground:add(x, y, 1) heat:set(x, y, x) end wet:set(x, y, x % 3 == y % 2) end`, 4800, 0},
	{"entities", `for x, y, e in owner:each() do if e == ecs.none then owner:set(x, y, who) else n = n + world:get(e, "P").x owner:set(y, x, nil) end end`, 324, 0},
	{"integers", `for x, y, v in wide:each() do wide:set(x, y, v + x * 2 ^ 40) n = n + v end`, 96, 0},
	{"break", `for x, y, v in ground:each() do n = n + 1 last = x if v == 9 then break end end`, 4 * (9*60 + 10), 0},
	{"break at once", `for x, y, v in ground:each() do break end`, 4, 0},
	{"return", `local function f() for x, y, v in ground:each() do if v == 7 then return x, y, v end end end print(f())`, 4 * (7*60 + 8), 0},
	{"goto", `for x, y, v in ground:each() do if v < 5 then goto continue end n = n + v ::continue:: end`, 9600, 0},
	{"assigned variables", `for x, y, v in ground:each() do x = x + 1 v = v * x n = n + v + x end`, 9600, 0},
	{"nested around", `for x, y, v in heat:each() do local m = 0 for _, _, o in heat:around(x, y, 1) do m = m + o end heat:set(x, y, m % 7) n = n + m end`, 140, 0},
	{"nested each", `for x, y, v in heat:each() do for a, b, o in wide:each() do n = n + o * a - v if a == 3 then break end end end`, 140, 0},
	{"nested in counts", `for i = 1, 20 do for x, y, v in ground:around(i, i, 3) do n = n + v end end`, 3692, 0},
	{"rows within", `for x, y, v in heat:each() do for e, p in world:each("P") do p.n = p.n + v n = n + p.n end end`, 140, 0},
	{"within rows", `for e, p in world:each("P") do for x, y, v in heat:around(p.x, 1, 1) do p.n = p.n + v end end`, 4 * 31, 0},
	{"spawn", `for x, y, v in heat:each() do if x == 3 then who = world:spawn{ P = { x = y } } end n = n + world:count("P") end`, 63, 11},
	{"despawn", `for x, y, v in heat:each() do if x == 6 and y == world.frame then local e = world:first("P") world:despawn(e) end n = n + v end`, 140, 0},
	{"add and tag", `for x, y, v in heat:each() do if x == 3 then world:remove(who, "P") world:tag(who, "red") elseif x == 5 then world:add(who, "P") world:untag(who, "red") end end`, 140, 0},
	{"commands and events", `for x, y, v in heat:each() do if x == 3 then world.commands:spawn{ P = { x = y } } world:send("Hit", { n = v }) end end for h in world:read("Hit") do n = n + h.n end`, 160, 0},
	{"random numbers", `for x, y, v in ground:each() do if v > 9 then ground:set(x, y, ecs.random(10, 40)) n = n + ecs.random() end end`, 9600, 0},
	{"resources", `for x, y, v in heat:each() do world.resources.score = world.resources.score * 0.5 + v end`, 140, 0},
	{"a table", `for x, y, v in heat:each() do list[#list + 1] = v * x end`, 140, 0},
	{"texts", `local s = "" for x, y, v in heat:each() do s = s .. x end print(s)`, 140, 0},
	{"an error half way", `for x, y, v in ground:each() do ground:set(x, y, v + 1) if x == 30 and y == 20 then ground:set(60, y, 1) end n = n + 1 end`, 4 * 1230, 4},
	{"an error that is caught", `print(pcall(function() for x, y, v in ground:each() do ground:set(x, y, (v + 100) % 400) sum = sum + 1 end end))`, 4800, 2},
	{"an error of the type", `for x, y, v in heat:each() do heat:set(x, y, v + 1) ground:set(x, y, x * 50) end`, 24, 4},
	{"an integer that Lua does not hold", `if world.frame == 2 then wide:set(4, 1, 2 ^ 53) wide:add(4, 1, 1) end for x in wide:each() do n = n + x end`, 3*24 + 10, 1},
	{"an integer within that Lua does not hold", `wide:set(4, 1, 2 ^ 53) if world.frame == 2 then wide:add(4, 1, 1) end for x, y in heat:each() do for x in wide:each() do n = n + x end end`, 3*35 + 10, 2},
	{"rows that are left", `for x, y, v in heat:each() do if x == y then last = tostring(world) .. select("#", pcall(error)) end n = n + x end`, 60, 11},
	{"rows that are left at the end", `for x, y, v in heat:each() do if x == 6 and y == 4 then last = tostring(world) break end n = n + x end`, 4 * 34, 4},
	{"rows that are left of around", `for x, y, v in ground:around(20, 20, 9) do if x == 21 then last = tostring(world) end n = n * 0.5 + v end`, 4 * 341, 4 * 19},
	{"in a coroutine", `local co = coroutine.wrap(function() for x, y, v in heat:each() do if x == 6 then coroutine.yield(y) end n = n + v end return "end" end) for i = 1, 9 do last = co() if last == "end" then break end end`, 66, 11},
	{"wrong arguments", `print(pcall(function() for x in ground:around(1, 1.5, 2) do end end)) print(pcall(function() for x in ground:around(60, 1, 2) do end end)) print(pcall(function() for x in ground:around(1, 1, -2, "moore") do end end)) for x in ground:around(1, 1, 2, "round") do end`, 0, 0},
	{"no layer", `print(pcall(walk, world)) print(pcall(walk, {})) print(pcall(walk, { each = function() return next, {} end })) print(pcall(walk, nil)) for x in world.layers.grnd:each() do end`, 0, 0},
	{"kept for later", `last = last or ground:each() local x, y, v = last() n = x + y * 60`, 0, 0},
}

// Walks over cells outside of query loops do the same compiled and interpreted, and are compiled.
func TestCells(t *testing.T) {
	t.Parallel()
	for _, c := range cellsCases {
		t.Run(c.name, func(t *testing.T) {
			sameCompiled(t, strings.Replace(cellsSource, "BODY", c.body, 1), c.body, func(impl Impl, did loops.Tally) bool {
				return did.Machine+did.Closures == c.ran && did.Left == c.left && (impl != Auto || c.ran == 0 || did.Machine > 0)
			})
		})
	}
}

// Reports say what becomes of loops over cells, before they have begun and afterwards.
func TestCellsAreReported(t *testing.T) {
	const source = `local ecs = require("ecs") ecs.layer("a", { type = "u8", width = 9, height = 9 })
local function over(layer) for x, y, v in layer:each() do layer:set(x, y, 1) end end
return function(world)
  for x, y, v in world.layers.a:each() do world.layers.a:set(x, y, v % 7) end
  local layers = world.layers local a = layers.a
  for x, y, v in a:around(1, 1, 2) do for h in world:read("Hit") do a:set(x, y, h.amount) end end
  if world.frame == 0 then for x, y, v in layers.b:each() do end end
  for e in world:each() do for x, y, v in a:each() do a:set(x, y, v % 5) end end
  over(a)
end`
	before := []string{
		"4: one core: it is a loop over cells", "6: has a for … in over something else than world:each, world:near, world:sources or a list", "6: the event …",
		`7: there is no layer "b"`, "8: one core: rows write a layer", "8: one core: rows write a layer",
	}
	r, err := run(t, Options{Scripts: files(map[string]string{"a": source})}, 0, System{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	check := func(want []string) {
		t.Helper()
		for i, l := range r.Explain() {
			got := strconv.Itoa(l.Line) + ": " + l.Reason
			if l.Reason == "" {
				got += "one core: " + l.OneCore
			}
			if i >= len(want) || got != want[i] && !strings.HasSuffix(want[i], "…") {
				t.Errorf("got %q", got)
			}
		}
	}
	check(before)
	if err := r.Frame(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	check(append([]string{"2: one core: it is a loop over cells"}, before...))
}
