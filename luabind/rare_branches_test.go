package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// What most rows do, with numbers that are the same in all rows or that few rows change, and what few rows do, from calls of the host to
// breaks.
var (
	commonWork = []string{
		"p.x = p.x + p.vx * dt p.y = p.y + p.vy * dt",
		"p.x = p.x * 0.5 + 3 * dt p.y = p.y * 0.5 + 3 * dt if p.x > 4 then p.x = p.x - step end if p.y > 4 then p.y = p.y - step end",
		"p.x = p.x + 0.25 p.y = p.y + 0.5 n = n + p.x",
		"p.a = p.a + p.x * step p.b = p.b + p.y * step last = p.a",
		"p.on = p.k % 2 == 0 p.x = p.x + dt",
		"p.x = p.x + gain p.y = p.y + gain",
		"if p.k % 9 ~= 0 then p.x = p.x + 1 else p.y = p.y - 1 end",
		"p.i = (p.i + 1) % 100 p.x = p.x + p.i",
		"",
	}
	rareWork = []string{
		`print("low", e, p.x)`, `name.text = name.text:sub(1, 5) .. p.k`, `name.text = "low"`, `world:send("Fell", { who = e, x = p.x })`, `world.commands:despawn(e)`,
		`p.x = ecs.random()`, `p.i = 3 p.y = p.y + gain gain = gain + 0.125`, `local o = world:get(other, "P") if o then p.y = p.y + o.x end`,
		`break`, `world.resources.score = world.resources.score + p.x`, `hits[p.k] = (hits[p.k] or 0) + 1`, `list[#list + 1] = p.x if #list > 50 then list = {} end`,
		`for i = 1, 3 do p.x = p.x + i end`, `p.x = math.sin(p.y)`, `local t = { p.x, p.y } table.sort(t) p.y = t[1]`, `words = words .. "a" if #words > 20 then words = "" end`,
	}
)

const rareSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", vx = "f64", vy = "f64", a = "f64", b = "f64", k = "f64", i = "i32", on = "bool" })
ecs.component("Name", { text = "string" }) ecs.event("Fell", { who = "entity", x = "f64" }) ecs.resource("score", "f64")
local hits, list, words, gain, other, seed = {}, {}, "", 0.5, nil, 1
local function draw() seed = seed * 16807 % 2147483647 return seed end
return { init = function(world)
  world:spawn_many(ROWS, { P = {}, Name = { text = "abc" } }, function() return { P = { x = draw() % 900 / 4, y = draw() % 30 - 8, vx = draw() % 7 - 3, vy = 1, k = draw() % 100 } } end)
  other = world:first("P")
end, update = function(world, dt)
  local n, last, step = 0, 0, 0.125
  for e, p, name in world:each("P", "Name") do
    BEFORE
    if TEST then RARE end
    AFTER
  end
  print(n, last, gain, words, #list, world.resources.score)
end }`

// What rows do in a rare branch, and what they do beside it, is the same in all implementations, wherever it stands and however rare it is.
func TestRareBranches(t *testing.T) {
	t.Parallel()
	tests := []string{"p.k < %d", "p.k < %d and p.x > -1e9", "p.vx < 9 and (p.k < %d or p.y > 1e9)", "math.floor(p.k) %% 100 < %d", `p.k < %d and name.text ~= ""`, "p.k < %d and ecs.random() < 0.7"}
	all := len(commonWork) * len(rareWork) * 12
	of, i := effort.Of(480), 0
	if effort.Full() {
		of = all
	}
	for c, common := range commonWork {
		for r, rare := range rareWork {
			for k, percent := range []int{0, 1, 3, 10, 35, 90} {
				for _, first := range []bool{true, false} {
					if i++; i*of/all == (i-1)*of/all {
						continue
					}
					before, after := common, ""
					if first {
						before, after = "", common
					}
					rows := []string{"37", "300", "1500"}[(c+r+k)%3]
					source := strings.NewReplacer("ROWS", rows, "BEFORE", before, "AFTER", after, "TEST", fmt.Sprintf(tests[(i+c)%len(tests)], percent), "RARE", rare).Replace(rareSource)
					sameCompiled(t, source, fmt.Sprintf("%s | %s | %d %% of %s rows, first %v", common, rare, percent, rows, first), byAny)
				}
			}
		}
	}
}
