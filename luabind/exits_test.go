package luabind

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// exitsHead is the file around the loops of these tests. Rows whose k is above 3 leave a kernel at nums[p.k], which is no error.
const exitsHead = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", u = "u8" }) ecs.component("Q", { y = "f64" }) ecs.component("R", { z = "f64" })
ecs.tag("red") ecs.event("Hit", { n = "f64", k = "i32", e = "entity" }) ecs.event("Out", { n = "f64" }) ecs.resource("total", { type = "f64" }) ecs.resource("steps", { type = "i32" })
local nums, up, conf, list, bests = { 10, 20, 30 }, 0, { n = 0 }, { 1, 2, 3 }, { { x = 1 }, { x = 2 } }
local some = ecs.query{ "P", "Q", optional = { "R" } }
local moved = ecs.query{ "P", changed = { "P" } }
local reds = ecs.query{ "P", untagged = { "red" } }
local LEAVES = function(i) return %s end
local function init(world)
  for i = 1, %d do
    local e = world:spawn{ P = { x = i, k = LEAVES(i) and 9 or i %% 3 + 1, u = 250 }, Q = { y = -i } }
    if i %% 3 == 0 then world:add(e, "R") end
    if i %% 4 == 0 then world:tag(e, "red") end
  end
end
local function run(world, dt, deep)
  local sum, last, flag, text, res = 0, nil, false, "", world.resources
  %s
  print(sum, last, flag, text, up, conf.n, list[1], list[2], list[3], bests[1].x, bests[2].x, res.total, res.steps, ecs.random(1000))
  return sum
end
return { init = init, update = function(world, dt)
  for i = 1, %d do world:send("Hit", { n = i, k = LEAVES(i) and 9 or i %% 3 + 1, e = 0 }) end
  %s
  for out in world:drain("Out") do coroutine.wrap(print)("out", out.n) end
  for hit in world:read("Hit") do coroutine.wrap(print)("unread", hit.n) break end
end }`

// exitCalls are ways to run the loop.
var exitCalls = []string{
	"print(run(world, dt))",
	"print(pcall(run, world, dt)) print(pcall(run, world, dt))",
	"print(coroutine.wrap(run)(world, dt))",
}

// exitPatterns say which rows leave.
var exitPatterns = map[string]string{
	"none": "false", "the first": "i == 1", "one in the middle": "i == 70", "the last": "i == 150", "each": "true", "few": "i % 31 == 5", "neighbours": "i == 64 or i == 65 or i == 66", "many": "i % 4 == 1", "the first half": "i < 75",
}

// exitBodies are loops whose rows leave in the middle of what they do.
var exitBodies = []string{
	`for e, p in world:each("P") do sum = sum + p.x if nums[p.k] then sum = sum + nums[p.k] else up = up + 1 end p.x = p.x + sum end`,
	`for e, p in world:each("P") do local r = ecs.random() world:send("Out", { n = r }) if nums[p.k] then sum = sum + r else last = r end p.x = r end`,
	`for e, p in world:each("P") do p.u = p.u - 1 if not nums[p.k] and p.x > 60 then break end sum = sum + 1 end`,
	`for e, p in world:each("P") do p.x = p.x + 1 if not nums[p.k] and p.x > 60 then return p.x, e end sum = sum + 1 end`,
	`for e, p in world:each("P") do sum = sum + 1 if not nums[p.k] then goto continue end p.x = p.x * 2 sum = sum + p.x ::continue:: end`,
	`for e, p in world:each("P") do world:tag(e, "red") world.commands:set(e, "Q", { y = p.x }) if nums[p.k] then world:untag(e, "red") else res.total = res.total + 1 end end`,
	`for e, p in world:each("P") do res.steps = res.steps + 1 sum = sum + nums[p.k] p.x = sum end`,
	`for e, p in world:each("P") do list[2] = list[2] + 1 bests[1].x = bests[1].x + 1 conf.n = conf.n + 1 if nums[p.k] then list[3] = p.x bests[2].x = conf.n else list[1] = list[1] + list[2] end end`,
	`for e, p, q, r in world:each(some) do if r then r.z = r.z + 1 end if nums[p.k] then q.y = q.y + sum else sum = sum + 1 end end`,
	`for e, p in world:each(moved) do if nums[p.k] then p.x = p.x + 1 else up = up + 1 end end`,
	`for e, p in world:each(reds) do if nums[p.k] then world:tag(e, "red") end sum = sum + p.x end`,
	`for e, p in world:each("P") do for f, q in world:each("Q", "R") do if nums[p.k] then q.y = q.y + 1 end end sum = sum + p.k end`,
	`for e, q in world:each("Q") do sum = sum + q.y for f, p in world:each("P", "R") do if not nums[p.k] then up = up + 1 end end end`,
	`for e, p in world:each("P") do if last then sum = sum + last end if not nums[p.k] then last = p.x end end`,
	`for e, p in world:each("P") do if not nums[p.k] then nums[4] = 5 end p.x = p.x + 1 end nums[4] = nil`,
	`for hit in world:read("Hit") do if nums[hit.k] then sum = sum + hit.n else up = up + 1 end end`,
	`for hit in world:peek("Hit") do world:send("Out", { n = hit.n }) if not nums[hit.k] and hit.n > 80 then break end sum = sum + 1 end`,
	`for hit in world:drain("Hit") do world:send("Hit", { n = 1000 + hit.n, k = 1 }) if nums[hit.k] then sum = sum + hit.n else flag = not flag end end`,
	`for hit in world:read("Hit") do if not nums[hit.k] and hit.n > 60 then return hit.n end sum = sum + 1 end`,
	`for e, p in world:each("P") do if p.k > 3 and p.x > 20 then flag = nums[p.k] end p.x = p.x + 1 end`,
	`for e, p in world:each("P") do local q = world:get(e, "Q") q.y = q.y + 1 if nums[p.k] then q.y = q.y * 2 end sum = sum + q.y end`,
}

// exitStatements are loops with statements that no kernel can do, where not each row comes.
var exitStatements = []string{
	`for e, p in world:each("P") do if p.k > 3 then print("far", e, coroutine.running() == nil) end p.x = p.x + 1 sum = sum + p.x end`,
	`for e, p in world:each("P") do p.x = p.x + 1 if p.k < 4 then goto continue end print(e) text = text .. p.x ::continue:: end`,
	`for e, p in world:each("P") do sum = sum + ecs.random() world:send("Out", { n = sum }) if p.k > 3 then up = up + 1 last = ("%d"):format(p.x) conf.n = conf.n + 1 end sum = sum + up + conf.n end`,
	`for e, p in world:each("P") do p.x = p.x + 1 if p.k > 3 then if p.x > 60 then error("too far: " .. p.x) end sum = sum + 1 else p.u = p.u - 1 end end`,
	`for e, p in world:each("P") do if p.k > 3 then list[#list + 1] = e local t = { p.x, e } sum = sum + #t bests[1] = { x = p.x } end sum = sum + bests[1].x end while #list > 3 do list[#list] = nil end`,
	`for e, p in world:each("P") do if p.k > 3 then if p.x > 90 then print("over") break end text = text .. "," .. p.k elseif p.x < 0 then return text end sum = sum + p.x end`,
	`for e, p in world:each("P") do if p.k > 3 and not deep then sum = sum + run(world, dt, true) end p.x = p.x + 1 end`,
	`for e, p in world:each("P") do if p.k > 3 then for i, name in ipairs({ "a", "b" }) do text = text .. name end for f, q in world:each("Q") do q.y = q.y + 1 end end sum = sum + 1 end`,
	`for e, p in world:each("P") do if p.k > 3 then local f = function() return p.x + sum end last = f() p.x = last end sum = sum + 1 end`,
	`local function go(deep) local n = 0 for e, p in world:each("P") do if p.k > 3 and not deep then n = n + go(true) end p.x = p.x + 1 end return n end sum = go()`,
	`local walk local function again(n) return walk(n - 1) + 1 end walk = function(n) local s = 0 for e, p in world:each("P") do if p.x % 50 == 2 and n > 0 then s = s + again(n) end p.x = p.x + 1 end return s end sum = walk(3)`,
	`for e, p in world:each("P") do for i = 1, 3 do if p.k > 3 and i == 2 then print(e, i) end sum = sum + i end end`,
	`for e, p in world:each("P") do repeat local far = p.k > 3 if far then print(e) far = tostring(e) end sum = sum + 1 until true end`,
	`local function note(e, x) if x > 60 and x < 70 then print("note", e) return "noted" end return 1 end for e, p in world:each("P") do if note(e, p.x) == 1 then p.x = p.x + 1 end end`,
	`local function name(e) return "e" .. e end for e, p in world:each("P") do if p.k > 3 then text = name(e) end sum = sum + p.x end`,
	`local seen for e, p in world:each("P") do if p.k > 3 then seen = { e } end if seen then sum = sum + #seen end p.x = p.x + 1 end`,
	`for e, p in world:each("P") do local kind = 1 if p.k > 3 then kind = "far" end if kind == 1 then sum = sum + 1 else last = kind end end`,
	`for e, p in world:each("P") do if p.k > 3 then world:tag(e, "red") world.commands:spawn{ P = { x = -1, k = 1 } } print(world:tagged(e, "red"), pcall(error, "x")) end sum = sum + 1 end`,
	`for e, p in world:each(moved) do p.x = p.x + 1 if p.k > 3 then print(p.x, p) end end`,
	`for e, p, q, r in world:each(some) do if not r then sum = sum + 1 elseif p.k > 3 then print(r.z) r.z = r.z + 1 end q.y = q.y + 1 end`,
	`for hit in world:read("Hit") do if hit.k > 3 then print(hit) world:send("Hit", { n = -hit.n, k = 1 }) end sum = sum + hit.n end`,
	`for hit in world:peek("Hit") do if hit.k > 3 then for h in world:drain("Hit") do last = h.n break end text = tostring(hit.n) end sum = sum + hit.n end`,
	`for hit in world:drain("Hit") do if hit.k > 3 then last = coroutine.wrap(function() return hit.n end)() text = text .. hit.n end sum = sum + hit.n end`,
	`for hit in world:read("Hit") do if hit.k > 3 then if hit.n > 80 then return tostring(hit) end flag = {} ~= nil end sum = sum + hit.n end`,
	`local co = coroutine.wrap(function() for e, p in world:each("P") do if p.k > 3 then coroutine.yield(e) end p.x = p.x + 1 up = up + 1 end return "end" end) for i = 1, 5 do last = co() if last == "end" then break end end`,
	`for e, p in world:each("P") do local ok = p.k < 4 or select("#", e, p) sum = sum + (ok and 1 or 2) p.u = (p.u + 3) % 250 end`,
	`for e, p in world:each("P") do while p.x > 1000 do p.x = p.x / 2 if p.k > 3 then print("large") end end p.x = p.x * 3 end`,
	`local function rank(v) if v == 1 then return v end local k = v < 2 return k end for e, p in world:each("P") do p.x = p.x + 1 if p.k > 3 then last = rank("far") end sum = sum + 1 end`,
}

// exitTrace runs a loop for some frames, and tells all that can be seen, with what kernels did.
func exitTrace(t *testing.T, source string, impl Impl, limits Limits) (seen string, did loops.Tally) {
	t.Helper()
	var out bytes.Buffer
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	limits.OnError = Skip
	r, err := New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Limits: limits, Scripts: files(map[string]string{"a": source}),
		Report: func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	for range 4 {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		h := fnv.New64a()
		for _, table := range w.Tables() {
			for _, id := range table.Components() {
				for row := range table.Len() {
					fmt.Fprintln(h, table.Column(id).Changed(row), table.Column(id).Added(row))
				}
			}
		}
		fmt.Fprintf(&out, "digest %v stamps %x locked %v check %v\n", w.Digest(), h.Sum64(), w.Locked(), w.Check())
	}
	for _, p := range r.runners() {
		for _, l := range p.Loops {
			n := p.Tally(l)
			did.Machine, did.Closures, did.Left = did.Machine+n.Machine, did.Closures+n.Closures, did.Left+n.Left
		}
	}
	return out.String(), did
}

// exitSource is a file with a loop in it.
func exitSource(body, pattern, call string) string {
	const rows = 150
	return fmt.Sprintf(exitsHead, pattern, rows, body, rows, call)
}

// A row that leaves its kernel is run by the interpreter, and the kernel goes on behind it. Nobody can tell, whichever rows these are.
func TestExitsAlike(t *testing.T) {
	t.Parallel()
	machine, left := 0, 0
	for i, body := range slices.Concat(exitBodies, exitStatements) {
		did := patternsAlike(t, i, body, exitSource)
		machine, left = machine+did.Machine, left+did.Left
	}
	if machine < 100_000*patternsTried()/len(patternNames)*3/4 || left < 2000*patternsTried()/len(patternNames)*3/4 {
		t.Errorf("the test tests little: %d rows ran as machine code, %d were left", machine, left)
	}
}

// The kernel goes on behind a row that it has left: only that row is interpreted.
func TestAKernelGoesOnBehindARow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern            string
		kernel, left, most int // rows that kernels run in four frames, and that they leave
	}{
		{"false", 600, 0, 0},
		{"i == 1", 596, 4, 4},
		{"i == 70", 596, 4, 4},
		{"i == 150", 596, 4, 4},
		{"i % 31 == 5", 580, 20, 20},
		{"true", 0, 1, 17}, // it is not worth going on
		{"i % 3 == 1", 1, 4, 60},
	} {
		for _, impl := range []Impl{Closures, Auto} {
			for _, body := range []string{exitStatements[0], exitStatements[22]} {
				_, did := exitTrace(t, exitSource(body, c.pattern, exitCalls[0]), impl, Limits{})
				if ran := did.Machine + did.Closures; ran < c.kernel || did.Left < c.left || did.Left > c.most || ran+did.Left > 600 || (did.Machine > 0) != (impl == Auto && ran > 0) {
					t.Errorf("%s, %v: %+v, want %d rows or more, and %d to %d left\n%s", c.pattern, impl, did, c.kernel, c.left, c.most, body)
				}
			}
		}
	}
}

// A budget ends at the same row whatever the kernel is, and wherever rows leave it.
func TestExitsWithinABudget(t *testing.T) {
	t.Parallel()
	stopped := 0
	for i, body := range slices.Concat(exitBodies[:4], exitStatements[:6]) {
		for _, pattern := range []string{"i % 31 == 5", "true"} {
			for _, n := range []uint64{8000, 40_000} {
				source := exitSource(strings.Replace(body, " do ", " do for i = 1, 1500 do local x = i * 2 end ", 1), pattern, exitCalls[i%2])
				closures, _ := exitTrace(t, source, Closures, Limits{Instructions: n})
				code, _ := exitTrace(t, source, Auto, Limits{Instructions: n})
				if closures != code {
					t.Errorf("%s, %d instructions: got\n%.3000s\nclosures\n%.3000s\n%s", pattern, n, code, closures, body)
				}
				stopped += strings.Count(code, "instructions")
			}
		}
	}
	if stopped < 50 {
		t.Errorf("%d turns ended by the budget: the test tests little", stopped)
	}
}
