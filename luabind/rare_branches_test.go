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
		`if type(p.x) == "number" then p.y = p.y + 1 end`, `name.text = name.text:gsub("b", "c")`, `for w in name.text:gmatch("%a") do p.y = p.y + #w end`, `p.y = p.y + #ecs.name(e)`,
		`local v = p.k > 4 and p.k or "2" p.y = p.y + #tostring(v)`, `local o = world:related(e, "Owner") if o then p.y = p.y + 1 end`, `for o in world:sources("Owner", e) do world:get(o, "P").a = p.x end`,
		`for o, q in world:each("P", "Owner", e) do q.a = p.x end`, `for o in world:targets(e, "Owner") do p.y = p.y + 1 end`, `world.resources.stock.n = (world.resources.stock.n or 0) + p.k`,
	}
)

const rareSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", vx = "f64", vy = "f64", a = "f64", b = "f64", k = "f64", i = "i32", on = "bool" })
ecs.component("Name", { text = "string" }) ecs.event("Fell", { who = "entity", x = "f64" }) ecs.resource("score", "f64") ecs.resource("stock", "table") ecs.relation("Owner")
local hits, list, words, gain, other, seed = {}, {}, "", 0.5, nil, 1
local function draw() seed = seed * 16807 % 2147483647 return seed end
return { init = function(world)
  world:spawn_many(ROWS, { P = {}, Name = { text = "abc" } }, function() return { P = { x = draw() % 900 / 4, y = draw() % 30 - 8, vx = draw() % 7 - 3, vy = 1, k = draw() % 100 } } end)
  other = world:first("P")
  local last
  for e in world:each("P") do
    if last and last % 3 > 0 then world.commands:relate(e, "Owner", last) end
    last = e
  end
end, update = function(world, dt)
  local n, last, step = 0, 0, 0.125
  for e, p, name in world:each("P", "Name") do
    BEFORE
    if TEST then RARE end
    AFTER
  end
  print(n, last, gain, words, #list, world.resources.score, world.resources.stock.n)
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

// calledInBranches are statements that machine code or closures run in each row, with what explain says of a loop with such a row: "" if it is
// machine code.
var calledInBranches = map[string]string{
	`local o = world:related(e, "Owner") if o then p.x = p.x + 1 end`: "",
	`for o in world:sources("Owner", e) do p.x = p.x + 1 end`:         "",
	`for o in world:targets(e, "Owner") do p.x = p.x + 1 end`:         "",
	`for o, q in world:each("P", "Owner", e) do p.x = p.x + 1 end`:    "walks the sources of an entity",
	`if type(p.x) == "number" then p.x = p.x + 1 end`:                 "calls type",
	`s.text = s.text:gsub("a", "b")`:                                  "calls string.gsub",
	`for w in s.text:gmatch("%a") do p.x = p.x + #w end`:              "walks matches with gmatch",
	`p.x = p.x + #ecs.name(e)`:                                        "calls ecs.name",
	`local v = p.k > 4 and 1 or "2" p.x = p.x + #tostring(v)`:         "uses a variable that holds values of several kinds",
	`world.resources.stock.n = p.x`:                                   "uses a resource of type table",
	`local t = world.resources.stock p.x = p.x + (t.n or 0)`:          "uses a resource of type table",
	`local t = { p.x, p.k } table.sort(t) p.x = p.x + t[1]`:           "makes a table",
}

// A statement under an if runs in the form that it has without the if: as machine code, or as closures, in the rows that reach it. It does not matter
// how many rows that are, nor where they stand.
func TestBranchesAreCompiled(t *testing.T) {
	t.Parallel()
	const source = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "f64" }) ecs.component("S", { text = "string" }) ecs.relation("Owner") ecs.resource("stock", "table")
return { init = function(world)
  local last
  for i = 1, 2000 do
    local e = world:spawn{ P = { k = i }, S = { text = "abc" } }
    if last then world:relate(e, "Owner", last) end
    last = e
  end
end, update = function(world)
  for e, p, s in world:each("P", "S") do
    p.x = p.x + 1
    TEST STATEMENT END
  end
end }`
	for statement, text := range calledInBranches {
		for test, part := range map[string]int{"": 2000, "if p.k > 0 then": 2000, "if p.k % 40 == 0 then": 50, "if p.k <= 50 then": 50, "if p.k > 1950 then": 50} {
			end := "end"
			if test == "" {
				end = ""
			}
			reports, runs := explained(t, strings.NewReplacer("TEST", test, "STATEMENT", statement, "END", end).Replace(source), 4)
			got, run := reports[0], runs[0]
			closures := 0
			if text != "" {
				closures = 4 * part
			}
			way := got.Closures
			if part < 2000 {
				way = got.ByClosures
			}
			if got.Reason != "" || run.Left != 0 || run.Closures != closures || run.Machine != 4*2000-closures || !strings.Contains(way, text) {
				t.Errorf("%s %s: %q, closures %q and %q; %d rows as machine code, %d as closures, want %d, %d left", test, statement, got.Reason, got.Closures, got.ByClosures, run.Machine, run.Closures, closures, run.Left)
			}
		}
	}
}
