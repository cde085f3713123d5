package luabind

import (
	"context"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// sideExits are statements in branches that few rows reach, and that only closures can do: tables in fields, tables of the script, new strings, calls of
// functions of strings. Each row has a number n, an entity e, a component pos without and a component bag with a table and a string.
var sideExits = []string{
	`bag.items = {}`,
	`bag.items[#bag.items + 1] = { n = n } bag.at = #bag.items`,
	`local items = bag.items table.insert(items, n) bag.items = items pos.x = pos.x + #items`,
	`bag.kind = bag.kind .. n`,
	`bag.kind = string.format("%d", n):upper() sum = sum + #bag.kind`,
	`local t = { n, bag.kind } best = t sum = sum + #t`,
	`list[#list + 1] = { e, n }`,
	`local m = owned[n % 5] if not m then m = { n = 0, by = {} } owned[n % 5] = m end m.n = m.n + 1 m.by[bag.kind] = (m.by[bag.kind] or 0) + 1`,
	`local new = world.commands:spawn{ Pos = { x = n }, Bag = { n = -1 } } world.commands:tag(new, "made") world:send("Sent", { n = n })`,
	`print("row", n, pos.x)`,
	`bag.items = nil + n`,
	`sum = sum + total(n % 4)`,
	`local o = world:get(peer, "Bag") o.n = o.n + 1 o.items = { n } o.kind = "peer"`,
	`local o = world:get(peer, "Pos") o.x = o.x + n list[#list + 1] = o.x`,
	`world:tag(e, "seen") names[#names + 1] = bag.kind`,
	`bag.items.deep = { ecs.random(9) } sum = sum + ecs.random()`,
	`counts[n % 3] = (counts[n % 3] or 0) + 1 bag.items.last = counts[n % 3]`,
	`nums[n % 4 + 1] = nums[n % 4 + 1] + 1 bag.items.last = nums[1]`,
	`bag.items = { n } break`,
	`bag.items = { n } return n, bag.kind`,
	`for i = 1, n % 4 do bag.items[i] = i if i == 3 then bag.items = "x" and {} end end`,
	`error("row " .. n)`,
	`any = bag.kind else any = n`,
	`if n % 2 == 0 then any = n else any = bag.kind end`,
	`if type(bag.kind) == "string" then bag.kind = bag.kind:gsub("a", "b") end`,
	`for w in bag.kind:gmatch("%a") do bag.at = bag.at + #w end pos.x = pos.x + #ecs.name(e)`,
	`local t = { n, 70 } table.sort(t) pos.x = pos.x + t[1]`,
	`local v = n % 2 == 0 and n or "2" pos.x = pos.x + #tostring(v)`,
	`world.resources.stock.n = (world.resources.stock.n or 0) + n world.resources.stock[n] = bag.kind`,
	`for o, at in world:each("Pos", "ChildOf", e) do at.y = at.y + n end`,
}

// sideExitConditions are the conditions of these branches, from none to all rows.
var sideExitConditions = []string{
	`n % 31 == 5`, `n % 7 == 2 and pos.x > 3`, `n > 20 and #bag.items < 2`, `bag.kind == "b" and n % 11 < 2 or n == 149`, `not (n % 13 > 0)`, `n > 140`, `n < 0`, `n % 3 == 1`, `true`,
	`not world:tagged(e, "seen") and n % 10 == 4`,
}

// sideExitHeads are loops, with what stands in front of the branch. The one over events has no component pos and bag of its row.
var sideExitHeads = []string{
	`for e, pos, bag in world:each("Pos", "Bag") do local n = bag.n pos.x = pos.x + n * 0.5`,
	`for e, bag, pos in world:each("Bag", "Pos") do local n = bag.n bag.n = bag.n + 0 sum = sum + pos.x`,
	`for e, pos, bag in world:each(Q) do local n = bag.n pos.x = pos.x + ecs.random()`,
	`for ev in world:read("Old") do local e, n = ev.e, ev.n local pos, bag = world:get(e, "Pos"), world:get(e, "Bag") sum = sum + n pos.x = pos.x + 1`,
	`for e, pos, bag in world:each("Pos", "Bag") do local n = bag.n for i = 1, 3 do pos.x = pos.x + i * 0.25 end counts[n] = (counts[n] or 0) + 1 nums[2] = nums[2] + 1`,
}

// sideExitSource is a file with a loop over such rows.
func sideExitSource(head, condition, body string) string {
	return `local ecs = require("ecs")
ecs.component("Bag", { n = "f64", kind = "string", on = "bool", at = "i32", items = "table" })
ecs.component("Pos", { x = "f64", y = "f64" })
ecs.event("Sent", { n = "f64" }) ecs.event("Old", { e = "entity", n = "f64" })
ecs.tag("made") ecs.tag("seen") ecs.tag("half") ecs.resource("stock", "table")
local Q = ecs.query{ "Pos", "Bag", tagged = { "half" } }
local sum, best, owned, list, names, counts, nums, peer, any = 0, nil, {}, {}, {}, {}, { 1, 2, 3, 4 }, nil, 1
local function total(n) if n <= 0 then return 0 end return n + total(n - 1) end
local function show(t) if type(t) ~= "table" then return tostring(t) end local s = "" for k, v in pairs(t) do s = s .. tostring(k) .. "=" .. show(v) .. " " end return "{" .. s .. "}" end
return { init = function(world)
  for i = 1, 150 do
    local e = world:spawn{ Bag = { n = i, kind = ({ "a", "b", "z" })[i % 3 + 1], items = i % 3 == 0 and { i, gold = 2 } or {} }, Pos = { x = i % 5 } }
    if i % 2 == 0 then world:tag(e, "half") end
    if i == 60 then peer = e end
    if peer and i % 9 == 0 then world:relate(e, "ChildOf", peer) end
  end
end, update = function(world)
  print(sum)
  for e, bag in world:each("Bag") do world:send("Old", { e = e, n = bag.n }) end
  local function run()
    ` + head + `
      if ` + condition + ` then ` + strings.ReplaceAll(strings.ReplaceAll(body, " break", " if n > 90 then break end"), "return n, bag.kind", "if n > 90 then return n, bag.kind end") + ` end
      sum = sum + n
    end
  end
  print(pcall(run)) print(sum, world:count("Bag"), show(best), show(owned), show(list), show(names), show(counts), show(nums), any, show(world.resources.stock))
  for ev in world:drain("Sent") do print(ev.n) end
  for e, bag, pos in world:each("Bag", "Pos") do if bag.n % 10 < 4 then print(bag.n, bag.kind, bag.at, pos.x, show(bag.items)) end end
end }`
}

// Rows that closures do for machine code are as interpreted, and the other rows stay machine code.
func TestSideExitsAlike(t *testing.T) {
	t.Parallel()
	machine, closures := 0, 0
	for i, body := range sideExits {
		for j, condition := range sideExitConditions {
			if head := sideExitHeads[(i+j)%len(sideExitHeads)]; (i+j)%5 == 0 || effort.More() {
				did := exitsAlike(t, body, sideExitSource(head, condition, body))
				machine, closures = machine+did.Machine, closures+did.Closures
			}
		}
	}
	if t.Logf("%d rows of machine code, %d of closures", machine, closures); machine < closures/3 {
		t.Errorf("%d rows ran as machine code, %d as closures", machine, closures)
	}
}

// A budget of instructions ends at the same row, whether closures do all rows or only those of side exits.
func TestSideExitsUnderLimits(t *testing.T) {
	t.Parallel()
	ended := 0
	for i, body := range sideExits {
		source := sideExitSource(`for e, pos, bag in world:each("Pos", "Bag") do local n = bag.n for i = 1, 900 do pos.x = pos.x + i * 0.25 end`, sideExitConditions[i%3], body)
		for _, limit := range []uint64{20_000, 90_000, 350_000} {
			want, did := exitTrace(t, source, Closures, Limits{Instructions: limit})
			if did.Left > 0 { // the interpreter counts its own instructions, and when it takes over depends on the kernel
				continue
			}
			if strings.Contains(want, "instructions") {
				ended++
			}
			if got, _ := exitTrace(t, source, Auto, Limits{Instructions: limit}); got != want {
				t.Errorf("%s, limit %d: got\n%.2000s\nas closures\n%.2000s", body, limit, got, want)
			}
		}
	}
	if t.Logf("the budget ended in %d runs", ended); ended < len(sideExits)/2 {
		t.Errorf("the budget ended in %d runs", ended)
	}
}

// A branch that few rows reach leaves the other rows machine code, and explain says so.
func TestSideExitsAreMachineCode(t *testing.T) {
	t.Parallel()
	for _, body := range sideExits {
		if strings.Contains(body, " else ") {
			continue // all rows reach the other branch
		}
		source := sideExitSource(sideExitHeads[0], sideExitConditions[0], body)
		reports, runs := explained(t, source, 4)
		if l, run := reports[1], runs[1]; l.Reason+l.Closures != "" || run.Machine == 0 {
			t.Errorf("%s: %q %q, %d rows as machine code, %d as closures", body, l.Reason, l.Closures, run.Machine, run.Closures)
		}
	}
}

// explained runs a file for that many frames and returns what became of its loops.
func explained(t *testing.T, source string, frames int) ([]LoopReport, []LoopRun) {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": source})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua"})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for range frames {
		if err == nil {
			err = r.Frame(context.Background(), 0.5)
		}
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return r.Explain(), r.LoopRuns()
}
