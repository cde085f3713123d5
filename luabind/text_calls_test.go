package luabind

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// textSource is a file with a loop over entities that have strings.
const textSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string", name = "string", ok = "bool", other = "entity" })
ecs.event("E", { n = "f64", s = "string" }) ecs.event("Said", { text = "string" })
local n, groups, lines, best, kept = {}, {}, {}, "", "start"
local words = { ash = 1, brim = 2, ["ash/1"] = 3, ["3"] = 4 }
local function key(a, b) if a < b then return a .. "|" .. b end return b .. "|" .. a end
local function tag(s, ...) return string.format("%s(%s)", s, ...) end
local U = { first = function(s) return s:sub(1, 1) end }
return { init = function(world)
  local last = ecs.none
  local kinds = { "ash", "brim", "crow", "", "e\0f\255" }
  for i = 1, 120 do last = world:spawn{ P = { x = i % 9 / 2, k = i % 4, s = kinds[i % 5 + 1], name = "n" .. i % 30, ok = i % 3 == 0, other = last } } end
end, update = function(world, dt)
  local sum, list = 0, {}
  LOOP
  for k, v in pairs(n) do print(k, v) end
  for k, l in pairs(groups) do print(k, #l, l[1]) end
  for i = 1, #lines do print(lines[i]) end
  for ev in world:read("Said") do print("said", ev.text) end
  print(sum, best, kept, #list)
  n, groups, lines = {}, {}, {}
end }`

// textBodies make strings, or look at some, in a loop over P. "exit" in front of one says that some rows are left to the interpreter.
var textBodies = []string{
	// Joins, as keys and values.
	`local k = p.s .. "/" .. p.k n[k] = (n[k] or 0) + 1`,
	`local k = p.s .. p.x n[k] = p.k`,
	`local k = key(p.s, p.name) n[k] = (n[k] or 0) + 1`,
	`best = p.name .. best:sub(1, 3)`,
	`p.s = p.s .. p.k if #p.s > 20 then p.s = "ash" end`,
	`sum = sum + (words[p.s .. "/" .. p.k] or words["" .. p.k] or 0)`,
	`kept = -p.x * 0 .. ":" .. p.x / 0 .. ":" .. 1e15 + p.k .. ":" .. p.k / 3`,
	`n[p.x - p.x .. "" .. p.s] = 1 n[-(p.x - p.x) .. "" .. p.s] = 2`,
	`local k = (p.s .. p.k) .. (p.name .. p.x) n[k] = #k`,
	`n[p.s .. p.k .. p.name .. p.x .. p.s .. "-" .. p.k] = 1`,
	`for i = 1, 3 do local k = p.s .. i n[k] = (n[k] or 0) + i end`,
	`if p.k == 2 then world:send("Said", { text = p.name .. "!" }) end`,
	`local q = world:get(p.other, "P") if q and q.s .. "" == p.s then sum = sum + 1 end`,
	// Library functions.
	`local s = string.format("%s:%d %.2f %5s|%-5s|%x", p.name, p.k, p.x, p.s, p.s, p.k) sum = sum + #s kept = s`,
	`local s = ("%s is %s"):format(p.name, p.ok) n[s] = 1`,
	`local s = tag(p.s, p.k) n[s] = (n[s] or 0) + 1`,
	`if p.name:find("1", 1, true) then sum = sum + 1 end`,
	`local a, b = p.name:find("%d+") if a then sum = sum + a * 10 + b end`,
	`local d = p.name:match("n(%d)$") if d then sum = sum + tonumber(d) end`,
	`local a, b = p.name:match("(n)(%d)") if b == "2" and a then sum = sum + 1 end`,
	`local v = tonumber(p.k == 1 and "0" or p.s) n[tostring(v)] = (n[tostring(v)] or 0) + 1`,
	`local v = tonumber(p.name:sub(2)) if v and v > 9 then sum = sum + v end`,
	`if tonumber(p.s) == nil then sum = sum + 1 end`,
	`local b = p.s:byte(1) if b then sum = sum + b end`,
	`local a, b, c = p.s:byte(1, 3) if c then sum = sum + a + b * 2 + c * 3 end`,
	`local u = p.s:upper() .. p.s:reverse() .. U.first(p.name) n[u] = #u`,
	`local s = string.char(65 + p.k, 66) n[s] = (n[s] or 0) + 1`,
	`kept = ("ab"):rep(p.k) .. tostring(p.ok) .. tostring(p.k > 2) .. tostring(nil)`,
	`n[tostring(p.x)] = 1 n[tostring(-p.x)] = 2`,
	`if tostring(p.ok) == "true" then sum = sum + 1 end`,
	`local s = p.ok and p.s:upper() or p.s:lower() n[s] = (n[s] or 0) + 1`,
	`sum = sum + #p.s + #p.name + #(p.s .. "ab")`,
	// Order.
	`if p.s < "b" then sum = sum + 1 elseif p.s >= "c" then sum = sum + 100 end`,
	`if not kept or p.name > kept then kept = p.name end`,
	`if p.s <= p.name and not (p.name > "n2") then sum = sum + p.k end`,
	// What is printed.
	`print(p.name, p.x, p.ok, nil, e)`,
	`if p.k == 1 then print(p.s .. "!") end`,
	`if p.k == 1 then print() print("") print(-p.x, 1e300 * p.x) end`,
	`if p.k == 3 then print("a", p.name) world:send("Said", { text = p.s }) print("b") end`,
	`for i = 1, p.k do print(i, p.name) end`,
	// Rows that fail.
	`exit sum = sum + #p.s print(p.name) if p.x == 4 and world.frame == 2 then error("four") end`,
	`exit local s = p.s .. p.k n[s] = 1 if p.x == 4 and p.k == 2 then sum = sum + words[s] end`,
	`exit local s = p.name .. ("x"):rep(p.k == 3 and p.x == 4 and 300 or 2) n[s] = #s`,
	`exit local s = string.format("%d", p.k == 3 and p.name or 5) n[s] = 1`,
	`exit local s = p.s .. (p.k == 3 and p.x == 4 and {} or "t") n[s] = 1`,
}

func textFile(body string) string {
	return strings.Replace(textSource, "LOOP", `for e, p in world:each("P") do `+body+` end`, 1)
}

// bytesOfTurns runs a file for four frames, and returns how many bytes of the limit of allocations were left at the end of each turn, and
// the errors.
func bytesOfTurns(t *testing.T, source string, impl Impl) string {
	t.Helper()
	var out, printed bytes.Buffer
	r, err := New(Options{
		World: ecs.NewWorld(ecs.Options{Memory: restlessMemory()}), Stdout: &printed, Limits: Limits{OnError: Skip, Allocations: 1 << 40},
		Report:  func(err *ScriptError) { fmt.Fprintln(&out, err) },
		Scripts: files(map[string]string{"a": source}),
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
	for frame := 0; frame < 4 && err == nil; frame++ {
		err = r.Frame(context.Background(), 1)
		fmt.Fprintln(&out, r.state.Budget().AllocationsLeft())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return out.String()
}

// Machine code makes the same strings as the interpreter, prints the same lines, and pays for the same bytes.
func TestTextCalls(t *testing.T) {
	t.Parallel()
	for _, body := range textBodies {
		text, exits := strings.CutPrefix(body, "exit ")
		source := textFile(text)
		sameCompiled(t, source, body, func(impl Impl, did loops.Tally) bool {
			return (did.Left > 0) == exits && (impl != Auto || did.Machine >= 300 || exits)
		})
		want := bytesOfTurns(t, source, Lua)
		for _, impl := range []Impl{Closures, Auto} {
			if got := bytesOfTurns(t, source, impl); got != want {
				t.Errorf("%v: %s: left\n%sinterpreted\n%s", impl, body, got, want)
			}
		}
	}
}

// A turn that makes more bytes of strings than its limit ends at the same line in all implementations.
func TestTextCallsUnderLimits(t *testing.T) {
	t.Parallel()
	ended := 0
	for i, body := range textBodies {
		if i%3 > 0 && !effort.More() {
			continue
		}
		source := strings.Replace(textSource, "LOOP", `for round = 1, 20 do for e, p in world:each("P") do `+strings.TrimPrefix(body, "exit ")+` end end`, 1)
		for _, bytes := range []uint64{60_000, 100_000, 5 << 20} {
			want, _ := exitTrace(t, source, Lua, Limits{Allocations: bytes})
			if got, _ := exitTrace(t, source, Auto, Limits{Allocations: bytes}); got != want {
				t.Errorf("%d bytes: got\n%.1500s\ninterpreted\n%.1500s\n%s", bytes, got, want, body)
			}
			ended += min(1, strings.Count(want, "more than"))
		}
	}
	if ended < 5 {
		t.Errorf("only %d runs are ended", ended)
	}
}

// More strings than the host keeps, and more than caches hold, in each turn others.
func TestManyTexts(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`for i = 1, 100 do local k = p.name .. i * world.frame + p.x n[k] = (n[k] or 0) + i sum = sum + #k end`,
		`for i = 1, 100 do local s = string.format("%s-%d", p.s, i * (e % 1000) + world.frame) if s > kept then kept = s end end`,
		`for i = 1, 60 do local a, b = p.name .. i, p.s .. (i * 7 % 61) if a:sub(2) == b or #a == #b then sum = sum + 1 end end`,
	} {
		sameCompiled(t, textFile(body), body, func(impl Impl, did loops.Tally) bool { return did.Left == 0 && did.Machine+did.Closures > 0 })
	}
}

// sideExitBodies assign at strings in tables, in a loop of which closures do some rows.
var sideExitBodies = []string{
	`n[p.s] = (n[p.s] or 0) + 1`,
	`local k = string.format("%s%d", p.s, ecs.random(1)) n[k] = (n[k] or 0) + 1`,
	`local o = world:get(p.other, "P") if o then n[o.s] = (n[o.s] or 0) + 1 end`,
}

// What rows have assigned at strings is kept when closures do a row in between, and so are rows, strings and answers that code has met before.
func TestTextsAfterSideExits(t *testing.T) {
	t.Parallel()
	for _, body := range sideExitBodies {
		sameCompiled(t, strings.Replace(`local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string", items = "table", other = "entity" })
return { init = function(world)
  local last = ecs.none
  for i = 1, 1500 do last = world:spawn{ P = { x = i, s = i % 2 == 0 and "a" or "b", other = last } } end
end, update = function(world)
  local n, rec, two, lists = {}, {}, {}, {}
  for e, p in world:each("P") do
    BODY
    if p.x % 400 == 100 then p.items = { 1 } end
  end
  for k, v in pairs(n) do print(k, v) end
  for k, r in pairs(rec) do print(k, r.n) end
  for k, row in pairs(two) do for l, v in pairs(row) do print(k, l, v) end end
  for k, l in pairs(lists) do print(k, #l, l[1], l[#l]) end
end }`, "BODY", body, 1), body, func(impl Impl, did loops.Tally) bool {
			return did.Left == 0 && (impl != Auto || did.Machine > 5000 && did.Closures > 0)
		})
	}
}

// Calls that cost instructions: rows do not all cost the same.
func TestCallsThatCost(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ab ", 100) // the self-check tries the strings of a body
	body := `if p.k > 1 then
		if p.s == "` + long + `" then sum = sum + 1 end
		local at = p.s:find("zz", 1, true) if at then sum = sum + at end
	end`
	sameCompiled(t, textFile(body), body, byMachine)
}
