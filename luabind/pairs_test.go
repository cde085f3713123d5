package luabind

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// pairsSource is a file with tables of tables: a new one in each turn, one that stays, some that are full, and some that hold other things.
const pairsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", g = "i32", s = "string", w = "string", other = "entity" })
ecs.event("E", { n = "f64", k = "i32", s = "string", who = "entity" })
local kept = {}
local fixed = { [0] = { [0] = 7, 8 }, { 1, 2.5, [4] = 4, [-1] = 9 }, { [3] = 3, [0] = 0.5 }, {} }
local grid = { { 1, 2, 3, 4, 5 }, { 6, 7, 8, 9, 10 }, { 11, 12, 13, 14, 15 }, { 16, 17, 18, 19, 20 }, { 21, 22, 23, 24, 25 } }
local prices = { s0 = { w0 = 1, w1 = 2 }, s1 = { w2 = 3, n = 50 }, s2 = {}, s3 = { w0 = -1, w4 = 8 } }
local flags, words = { [0] = { true }, { false, true }, {}, { [0] = false } }, { [0] = { "a" }, { "b", "c" }, {}, { [0] = "" } }
local odd = { [0] = {}, setmetatable({ 5 }, { __index = function(t, k) return 100 end, __newindex = function(t, k, v) rawset(t, k, v * 2) end }), { 7 }, 9 }
local late, mixed, deep = { [0] = {}, {}, {}, {} }, { [0] = { 1 }, { 2, "a" }, { true }, { {} } }, { [0] = { {} }, { {} }, { {} }, { {} } }
local shared = { 3 }
local twice = { [0] = shared, {}, shared, {} }
local round = { [0] = {}, {}, {}, {} } round[2] = round
local state = { by = { [0] = {}, {}, {}, {} }, n = 0 }
local nick = state.by
LARGE
local function text(v) if v == 0 then return 1 / v > 0 and "0" or "-0" end return tostring(v) end
local function show(name, t)
  local list = {}
  for a, row in pairs(t) do
    list[#list + 1] = text(a) .. ":"
    if type(row) == "table" then
      for b, v in pairs(row) do list[#list + 1] = text(b) .. "=" .. (type(v) == "table" and "table" or text(v)) end
      list[#list + 1] = #row
    else
      list[#list + 1] = text(row)
    end
  end
  print(name, table.concat(list, " "))
end
local function count(row, b) row[b] = (row[b] or 0) + 1 end
local function countAt(t, a, b)
  local row = t[a]
  if not row then row = {} t[a] = row end
  row[b] = (row[b] or 0) + 1
  return row[b]
end
local function at(t, a, b) local row = t[a] if row then return row[b] end return nil end
local function half(x) if x > 50 then return x / 2 end return x end
return { init = function(world)
  local last = ecs.none
  for i = 1, 120 do last = world:spawn{ P = { x = i, k = i % 4, g = i * 7 % 5, s = "s" .. (i * 7) % 4, w = "w" .. i * 3 % 7, other = last } } end
end, update = function(world, dt)
  local t, u, sum, name = {}, {}, 0, "none"
  if world.frame == 3 then late[1][2] = "now" setmetatable(late[2], { __index = function() return 1 end }) end
  LOOP
  SHOW
  print(sum, name, state.n)
end }`

// pairLoop is the loop around a body of pairBodies.
const pairLoop = `for e, p in world:each("P") do BODY end`

// pairBodies use values at two keys.
var pairBodies = []string{
	// Counters.
	`fixed[p.k][p.g] = (fixed[p.k][p.g] or 0) + 1`,
	`local row = fixed[p.k] row[p.g] = p.x sum = sum + (row[p.g - 1] or 0.5)`,
	`grid[p.g + 1][p.k + 1] = grid[p.g + 1][p.k + 1] + 1`,
	`local row = grid[p.g + 1] row[p.k + 1], row[p.g + 1] = row[p.g + 1], row[p.k + 1]`,
	`local v = grid[p.k + 1][p.g + 1] sum = sum + v grid[p.g + 1][p.k + 1] = v - 1`,
	`prices[p.s][p.w] = (prices[p.s][p.w] or 100) * 0.5`,
	`local row = prices[p.s] if row[p.w] then row[p.w] = row[p.w] + p.x end`,
	`state.by[p.k][p.g] = (state.by[p.k][p.g] or 0) + 1`,
	`local by = state.by by[p.k][p.w] = (by[p.k][p.w] or 0) + 1 state.n = state.n + 1`,
	// Booleans.
	`flags[p.k][p.g] = not flags[p.k][p.g]`,
	`if flags[p.k][p.g] == nil then flags[p.k][p.g] = false sum = sum + 1 elseif flags[p.k][p.g] then sum = sum + 0.5 end`,
	// Strings.
	`words[p.k][p.g] = words[p.k][p.g] or p.w`,
	`if words[p.k][p.g] == nil then words[p.k][p.g] = "new" elseif words[p.k][p.g] == "new" then words[p.k][p.g] = "old" end`,
	`local v = words[p.k][p.g] if v then name = v if v == "" then sum = sum + 1 end end`,
	// Reads only.
	`local v = fixed[p.k][p.g] if v then sum = sum + v end`,
	`sum = sum + (fixed[p.k][p.g] or 0.5) + (fixed[p.k][p.g - 1] or 0.25) + (fixed[0][0] or 0.125)`,
	`local row = fixed[p.g - 1] if row then sum = sum + (row[p.k] or 0.5) end`,
	`local row = prices[p.s] sum = sum + (row[p.w] or 0.25)`,
	`if prices[p.s] and prices[p.s][p.w] then sum = sum + prices[p.s][p.w] end`,
	`local v = fixed[p.g] and fixed[p.g][p.k] if v then sum = sum + v end`,
	`sum = sum + (prices[p.w] and prices[p.w][p.s] or 0.5)`,
	`local v = at(fixed, p.g, p.k) if v then sum = sum + v end`,
	`sum = sum + (at(prices, p.s, p.w) or 0.5)`,
	`local row = fixed[p.g] or fixed[0] sum = sum + (row[p.k] or 0.5)`,
	// Functions.
	`count(fixed[p.k], p.g) count(fixed[p.k], p.k)`,
	// Tables and loops side by side.
	`for i = 1, 3 do fixed[p.k][i] = (fixed[p.k][i] or 0) + i end`,
	`for i = 1, 3 do for j = 1, 3 do sum = sum + (fixed[i][j] or 0) end end`,
	// Growth.
	// Large tables, which are asked for single keys first.
	`sum = sum + wide[p.x - 1][2] * 3 + (wide[p.x - 1][p.g] or 0.5)`,
	`wide[p.x - 1][p.g] = (wide[p.x - 1][p.g] or 0) + 1`,
	`wide[p.x * 7 % 120][p.g] = p.x sum = sum + (wide[p.x % 120][p.g] and 1 or 2)`,
	`for i = 0, 119, 3 do wide[i][p.g] = (wide[i][p.g] or 0) + 1 end`,
	`local row = wide[p.x % 40] row[p.x] = (row[p.x] or 0) + 1`,
	`if p.x < 20 then broad[p.x][p.g] = (broad[p.x][p.g] or 0) + 1 else sum = sum + broad[p.x % 10][2.5] end`,
	`for i = 1, 10 do local row = broad[(p.x * 3 + i) % 70] row[i * 0.5] = row[i * 0.5] + p.x end`,
	`local row = uneven[p.s] sum = sum + (row[p.w] or 0.5)`,
	`local row = uneven[p.s] row[p.x] = p.k sum = sum + (row[p.x - 4] or 0.5)`,
	`sum = sum + (tall[p.x - 1][p.w] or 0.5) + tall[p.x * 7 % 120].w3`,
	`tall[p.x * 7 % 120][p.w] = (tall[p.x - 1][p.w] or 0) + 1`,
	`for i = 0, 119, 7 do local row = tall[i] if row[p.w] then row[p.w] = row[p.w] + p.x else row[p.s] = i end end`,
	`exit for i = 1, 10 do local row = broad[(p.x + i) % 120] row[i * 0.5] = row[i * 0.5] + p.x end`,
	// Names beside keys.
	`local row = prices[p.s] if row.n then sum = sum + row.n end sum = sum + (row[p.w] or 0)`,
	`local row = prices[p.s] if row.n then sum = sum + row.n + (row[p.x == 9 and "n" or p.w] or 0.5) end`,
	`local row = fixed[p.k] row[p.g] = p.x if row.n then sum = sum + 1 end`,
	`slow local row = prices[p.s] row.n = (row.n or 0) + 1 row[p.w] = (row[p.w] or 0) + 1`,
	`slow local row = prices[p.s] local k = p.x % 2 == 0 and "n" or p.w row[k] = p.x sum = sum + (row.n or 0.5)`,
	`slow prices[p.s].n = p.x sum = sum + (prices[p.s][p.g == 1 and "n" or p.w] or 0.5)`,
	`slow fixed[p.k][p.w] = p.x fixed[p.k][p.x * 10] = p.x`,
	`fixed[p.k][p.w] = p.x sum = sum + (fixed[p.k][p.g] or 0)`,
	// Lists beside keys.
	`slow local row = fixed[p.k] row[p.g] = p.x sum = sum + #row`,
	`slow for i, v in ipairs(grid[p.g + 1]) do sum = sum + v end grid[p.g + 1][p.k + 1] = p.x`,
	`slow for k, v in pairs(fixed[p.k]) do sum = sum + v end fixed[p.k][p.g] = p.x`,
	// Keys of all kinds.
	`sum = sum + (fixed[-(p.k * 0)][-(p.g * 0)] or 0.5) + (fixed[-(p.k * 0)][p.k - p.k] or 0.25)`,
	`local z = -(p.g * 0) fixed[0][z] = fixed[0][z] + 1`,
	`exit if fixed[p.k][(p.x - 50) / (p.x - 50)] then sum = sum + 1 end`,
	`exit if fixed[(p.x - 50) / (p.x - 50)] then sum = sum + 1 end local v = fixed[p.k][p.g] if v then sum = sum + v end`,
	// Values that do not fit, and rows that are left.
	`none fixed[p.k][p.g] = p.x p.x = p.x + 1 sum = sum + fixed[p.g][p.k]`,
	`exit odd[p.k % 3][p.g] = p.x`,
	`exit if p.k ~= 1 then odd[p.k][p.g] = (odd[p.k][p.g] or 0) + 1 end`,
	`if p.k % 2 == 0 then odd[p.k][p.g] = (odd[p.k][p.g] or 0) + 1 end`,
	`exit if p.k < 3 then sum = sum + (odd[p.k][p.g] or 0.5) end`,
	`exit if p.k ~= 2 then late[p.k][p.g] = (late[p.k][p.g] or 0) + 1 end`,
	`exit late[p.k][p.g + 5] = (late[p.k][p.g + 5] or 0) + 1`,
	`exit local v = late[p.k][p.g] if v then sum = sum + 1 end`,
	`if mixed[p.k][p.g] then sum = sum + 1 end`,
	`exit local v = mixed[p.k][p.g] if v == 1 or v == "a" then sum = sum + 1 end mixed[p.k][5] = p.x`,
	`local v = deep[p.k][p.g] if v then sum = sum + (v[p.k] or 1) end`,
	`slow deep[p.k][1][p.g] = p.x sum = sum + (deep[p.k][1][p.g - 1] or 0)`,
	// One table under several keys or names.
	`exit twice[p.k][p.g] = (twice[p.k][p.g] or 0) + 1`,
	`exit if p.k ~= 2 then twice[p.k][p.g] = (twice[p.k][p.g] or 0) + 1 end sum = sum + (shared[p.g] or 0.5)`,
	`exit if p.k % 2 == 0 then twice[p.k][p.g] = p.x else sum = sum + (twice[0][p.g] or 0) + (twice[2][p.g + 1] or 0) end`,
	`slow shared[p.g] = p.x sum = sum + (twice[p.k][p.g] or 0) + (twice[2][p.g + 1] or 0)`,
	`exit round[p.k][p.g + 10] = p.x sum = sum + (round[p.k][p.g] and 1 or 2)`,
	`slow round[2][p.g + 10] = p.x if round[p.g + 10] then sum = sum + 1 end`,
	`slow state.by[p.k][p.g] = p.x sum = sum + (nick[p.k][p.g + 1] or 0.5)`,
	`slow nick[p.k][p.g] = (nick[p.k][p.g] or 0) + 1 state.by[p.k][p.g + 1] = p.x`,
	// Order of evaluation.
	`local row = fixed[p.k] local b = p.g row[b], b = b, b + 1 sum = sum + (row[b] or 0.5)`,
	`local row, n = fixed[p.k], p.k p.k = (p.k + 1) % 4 row[p.g] = (row[p.g] or 0) + n p.k = n`,
}

// pairTables are the tables of the file that bodies use, and the text that fills the large ones.
var pairTables = [][2]string{
	{"t", ""},
	{"u", ""},
	{"kept", ""},
	{"fixed", ""},
	{"grid", ""},
	{"prices", ""},
	{"flags", ""},
	{"words", ""},
	{"odd", ""},
	{"late", ""},
	{"mixed", ""},
	{"deep", ""},
	{"twice", ""},
	{"round", ""},
	{"nick", ""},
	{"wide", "local wide = {} for i = 0, 119 do wide[i] = { i, i + 0.5, [0] = -i } end"},
	{"broad", `local broad = {} for i = 0, 119 do broad[i] = {} for j = 1, 30 do broad[i][j * 0.5] = j end end broad[77][1.5] = "text"`},
	{"uneven", `local uneven = {} for i = 0, 119 do uneven["s" .. i] = {} for j = 1, i % 3 do uneven["s" .. i]["w" .. j] = i end end`},
	{"tall", `local tall = {} for i = 0, 119 do tall[i] = { ["w" .. i % 7] = i, w3 = -i } end`},
}

// pairFile returns the file with a body in its loop. It shows the tables that the body uses, and "nick" always.
func pairFile(loop, body string) string {
	var large, show strings.Builder
	for _, t := range pairTables {
		if t[0] == "nick" || regexp.MustCompile(`\b`+t[0]+`\b`).MatchString(body) {
			large.WriteString(t[1] + " ")
			fmt.Fprintf(&show, "show(%q, %s) ", t[0], t[0])
		}
	}
	return strings.NewReplacer("LARGE", large.String(), "SHOW", show.String(), "LOOP", strings.Replace(loop, "BODY", body, 1)).Replace(pairsSource)
}

// pairWant is what the beginning of a case says of its loop under auto: "slow" that it is no machine code, "exit" that some rows are left to the
// interpreter, "none" that all are, and otherwise that all rows are machine code.
func pairWant(body string, rows int) (text string, expected func(impl Impl, did loops.Tally) bool) {
	if text, ok := strings.CutPrefix(body, "slow "); ok {
		return text, func(impl Impl, did loops.Tally) bool { return impl != Auto || did.Machine == 0 }
	}
	if text, ok := strings.CutPrefix(body, "none "); ok {
		return text, func(impl Impl, did loops.Tally) bool { return did.Left > 0 && did.Machine+did.Closures == 0 }
	}
	if text, ok := strings.CutPrefix(body, "exit "); ok {
		return text, func(impl Impl, did loops.Tally) bool { return did.Left > 0 && (impl != Auto || did.Machine > 0) }
	}
	return body, func(impl Impl, did loops.Tally) bool {
		return did.Left == 0 && did.Machine+did.Closures >= rows && (impl != Auto || did.Closures == 0)
	}
}

// What rows store at two keys is there for the rows behind and for other code, in the order of pairs of the interpreter.
func TestPairs(t *testing.T) {
	t.Parallel()
	for _, body := range pairBodies {
		text, expected := pairWant(body, 390)
		sameCompiled(t, pairFile(pairLoop, text), body, expected)
	}
}

// pairEventLoop is a loop over events around a body of pairEventBodies. The loop in front of it sends them.
const pairEventLoop = `for e, p in world:each("P") do world:send("E", { n = p.x, k = p.k, s = p.s, who = e }) end for ev in world:drain("E") do BODY end`

// pairEventBodies use values at two keys in a loop over events.
var pairEventBodies = []string{
	`local row = fixed[ev.k] if row[ev.n] then sum = sum + row[ev.n] end row[ev.n] = ev.k`,
	`prices[ev.s][ev.s] = ev.n`,
	`local v = wide[ev.n % 120][ev.k] if v then sum = sum + v end`,
	`exit twice[ev.k][ev.n] = ev.n`,
}

func TestPairsOfEvents(t *testing.T) {
	t.Parallel()
	for _, body := range pairEventBodies {
		text, expected := pairWant(body, 900)
		sameCompiled(t, pairFile(pairEventLoop, text), body, expected)
	}
}

// What rows store at two keys, and the tables that they make, cost the same in all implementations.
func TestPairsArePaidFor(t *testing.T) {
	t.Parallel()
	for loop, bodies := range map[string][]string{pairLoop: pairBodies, pairEventLoop: pairEventBodies} {
		for i, body := range bodies {
			if !effort.Full() && i%2 > 0 || !effort.More() && i%6 > 0 { // half or a sixth of them
				continue
			}
			text, _ := pairWant(body, 0)
			want := bytesOfTurns(t, pairFile(loop, text), Lua)
			for _, impl := range []Impl{Closures, Auto} {
				if got := bytesOfTurns(t, pairFile(loop, text), impl); got != want {
					t.Errorf("%v: %s: left\n%sinterpreted\n%s", impl, body, got, want)
				}
			}
		}
	}
}

// pairLimitBodies take many instructions in some rows.
var pairLimitBodies = []string{
	`p.x = p.x + 1 for i = 1, p.x > 70 and 3000 or 30 do count(fixed[p.k], i) end`,
	`p.x = p.x + 1 for i = 1, p.x > 70 and 3000 or 3 do local row = broad[(i + p.x) % 70] row[i % 30 * 0.5] = p.x end`,
	`p.x = p.x + 1 while p.x > 100 do prices[p.s][p.w] = (prices[p.s][p.w] or 0) + 1 end`,
}

// Under a limit of instructions, closures and machine code end at the same row. The line in it may differ, as with one key.
func TestPairsUnderLimitsOfInstructions(t *testing.T) {
	t.Parallel()
	for _, body := range pairLimitBodies {
		source := pairFile(pairLoop, body)
		for _, n := range []uint64{30_000, 40_000, 70_000} {
			want, _ := exitTrace(t, source, Closures, Limits{Instructions: n})
			got, _ := exitTrace(t, source, Auto, Limits{Instructions: n})
			digests := regexp.MustCompile("(?m)^digest .*|more than .* instructions|^sum.*")
			if fmt.Sprint(digests.FindAllString(got, -1)) != fmt.Sprint(digests.FindAllString(want, -1)) || !strings.Contains(got, "more than") {
				t.Errorf("%d instructions: got\n%.3000s\nas closures\n%.3000s\n%s", n, got, want, body)
			}
		}
	}
}
