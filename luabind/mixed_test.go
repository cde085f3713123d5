package luabind

import (
	"fmt"
	"strings"
	"testing"
)

// cellsHead is the file around the loops of the tests of single constructs: entities with some of three components and
// tags, lists, maps, and variables that are printed behind the loop. %s stand for declarations and for the loop.
const cellsHead = `local ecs = require("ecs")
ecs.component("Cell", { x = "f64", y = "f64", v = "f64", k = "i32", s = "string", tag = "string", b = "bool", who = "entity" })
ecs.component("Burning", { v = "f64" }) ecs.component("Frozen", { v = "f64" }) ecs.component("Wet", { v = "f64", w = "i32" }) ecs.component("Bag", { items = "table" })
ecs.tag("red") ecs.tag("blue") ecs.relation("Owner") ecs.resource("n", { type = "f64" })
ecs.event("Out", { n = "f64", s = "string", e = "entity" }) ecs.event("Ping", { n = "f64", s = "string" })
local A, B = { 1, 2 }, { 3, 4, 5 }
local NAMES, KINDS, TAGS = { "Burning", "Frozen", "Wet" }, { "Frozen", "Burning", "Wet" }, { "red", "blue" }
local t, map, log = {}, {}, {}
local found, flag, last, total = nil, nil, nil, 0
local function show(t, depth)
  if type(t) ~= "table" then return tostring(t) end
  local parts = {}
  for k, v in pairs(t) do if #parts < 60 then parts[#parts + 1] = tostring(k) .. "=" .. (depth < 3 and show(v, depth + 1) or type(v)) end end
  return "{" .. table.concat(parts, " ") .. "}"
end
local function init(world)
  local last
  for i = 1, 60 do
    local e = world:spawn{ Cell = { x = i %% 7, y = i %% 3, k = i %% 4, s = KINDS[i %% 3 + 1], tag = TAGS[i %% 2 + 1], b = i %% 2 == 0, who = last }, Bag = { items = { n = i, on = i %% 2 == 0 } } }
    if i %% 3 == 0 then world:set(e, "Burning", { v = i }) end
    if i %% 4 == 0 then world:set(e, "Wet", { v = i, w = i }) end
    if i %% 5 == 0 then world:tag(e, "red") end
    if last and i %% 2 == 0 then world:relate(e, "Owner", last) end
    last = e
  end
end
%s
local function run(world, dt)
  local sum, word = 0, ""
  %s
  print(sum, word, show(found, 0), show(flag, 0), show(last, 0), total)
  return sum
end
return { init = init, update = function(world, dt)
  for i = 1, 3 do world:send("Ping", { n = i, s = KINDS[i] }) end
  print(pcall(run, world, dt))
  print(show(t, 0), show(map, 0), show(log, 0), show(A, 0), show(B, 0), ecs.random(1000), world.resources.n, world:count("Burning"), world:count("Wet"))
  for out in world:drain("Out") do print("out", out.n, out.s, out.e) end
  for p in world:read("Ping") do print("unread", p.n) break end
end }`

// A cellCase is a loop body, or a whole loop, with what is declared in front of the function around it. With some, many rows
// raise errors or are left to the interpreter; otherwise kernels have to run most rows.
type cellCase struct {
	body, head string
	some       bool
}

// source returns the file with the loop.
func (c *cellCase) source() string {
	body := c.body
	if !strings.HasPrefix(body, "for ") || !strings.Contains(body, "world:each") {
		head := `for e, c in world:each("Cell") do `
		if strings.Contains(body, "bag.") {
			head = `for e, c, bag in world:each("Cell", "Bag") do `
		}
		body = head + body + ` end`
	}
	return fmt.Sprintf(cellsHead, c.head, body)
}

// sameCells runs each case with every implementation.
func sameCells(t *testing.T, cases []cellCase) {
	t.Helper()
	for i := range cases {
		sameCompiled(t, cases[i].source(), cases[i].body, byAny)
	}
}

// testCells runs each case with every implementation, and requires that kernels run the rows.
func testCells(t *testing.T, cases []cellCase) {
	t.Helper()
	for i := range cases {
		c := &cases[i]
		source := c.source()
		want, _ := exitTrace(t, source, Lua, Limits{})
		for _, impl := range []Impl{Closures, Auto} {
			got, did := exitTrace(t, source, impl, Limits{})
			if got != want {
				t.Errorf("%v: got\n%.3000s\ninterpreted\n%.3000s\n%s", impl, got, want, c.body)
			}
			const rows = 4 * 60
			if ran := did.Closures + did.Machine; ran == 0 || !c.some && ran < rows/2 {
				t.Errorf("%v: kernels ran %d rows of\n%s\n%.2000s", impl, ran, c.body, want)
			}
		}
	}
}

// mixedCases are bodies with values that are now of one type, now of another.
var mixedCases = []cellCase{
	// and, or
	{body: `local v = c.k == 1 and "x" or 1 word = word:sub(1, 20) .. v`},
	{body: `local v = c.k == 1 and "x" or c.x if v == "x" then sum = sum + 1 end if v ~= 3 then sum = sum + 10 end`},
	{body: `local v = c.b and c.s or c.b word = tostring(v)`},
	{body: `local v = c.x > 2 and true or c.x if v == true then sum = sum + 1 else sum = sum + v end`},
	{body: `local v = c.b and c.x word = tostring(v) if v then sum = sum + v end`},
	{body: `local v = c.b or c.s word = tostring(v) if v ~= true then t[v] = (t[v] or 0) + 1 end`},
	{body: `local o = world:related(e, "Owner") local v = o and c.s or c.b word = tostring(v)`},
	{body: `local o = world:related(e, "Owner") or "none" if o == "none" then sum = sum + 1 else sum = sum + o end`},
	{body: `local w = world:get(e, "Wet") local v = w and c.b word = tostring(v)`},
	{body: `local v = c.k > 1 and (c.k > 2 and "x" or true) or c.x word = type(v)`},
	{body: `local v = c.k == 1 and nil or c.k == 2 and c.b or c.s word = tostring(v)`},
	{body: `local l = c.k == 1 and A or B sum = sum + l[1] + #l`},
	{body: `local l = c.k == 1 and A or "none" if l == "none" then sum = sum + 1 else sum = sum + #l end`},
	{body: `local p = c.k == 1 and { x = 1 } or c.k == 2 and 5 if type(p) == "table" then sum = sum + p.x elseif p then sum = sum + p end`},
	{body: `local v = bag.items.on and c.x local w = bag and bag.items.on word = tostring(v) .. tostring(w)`},
	{body: `local w = world:get(e, "Wet") local v = w and bag.items.on word = word:sub(1, 30) .. tostring(v)`},
	{body: `local v = c.k > 1 and nil or bag.items.on word = word:sub(1, 30) .. tostring(v)`},
	{body: `t[c.k] = c.b and c.s or c.x`},
	{body: `world:send("Out", { n = c.k == 1 and 2 or c.x, s = c.b and c.s or "none" })`},
	// locals
	{body: `local v = 1 if c.k == 2 then v = "x" end word = word:sub(1, 20) .. v`},
	{body: `local v if c.k == 2 then v = "x" elseif c.k == 1 then v = 2 end if v then word = tostring(v) end`},
	{body: `local v = "a" if c.k == 2 then v = c.x end if v == 3 then sum = sum + v end`},
	{body: `local v = 0 if c.k == 2 then v = false end if v then sum = sum + v end`},
	{body: `local v = false if c.k >= 2 then v = c.x end if v then sum = sum + v end`},
	{body: `local v = 0 if c.k == 2 then v = { c.x } end if type(v) == "table" then sum = sum + v[1] end`},
	{body: `local v = { c.x } if c.k == 2 then v = 4 end if type(v) == "table" then sum = sum + v[1] else sum = sum + v end`},
	{body: `local v = A if c.k == 2 then v = c.s elseif c.k == 1 then v = nil end word = type(v)`},
	{body: `local l if c.k == 1 then l = A else l = B end for i, v in ipairs(l) do sum = sum + v end`},
	{body: `local s = c.s s = tonumber(s) or 0 sum = sum + s`},
	{body: `local n = c.x n = tostring(n) word = word:sub(1, 20) .. n`},
	{body: `local n = c.x n = n .. "!" n = #n sum = sum + n`},
	{body: `local v = c.x for i = 1, 3 do if v == 2 then v = "two" elseif v == "two" then v = true end end word = tostring(v)`},
	// booleans, entities that may be nil
	{body: `flag = not flag if flag then sum = sum + 1 end`},
	{body: `local on = c.b on = not on c.b = on`},
	{body: `local f = world:related(e, "Owner") found = f`},
	{body: `local f = c.k == 1 and e or nil found = f if found then sum = sum + 1 end`},
	{body: `local f for i = 1, 3 do if c.k == i then f = e end end found = f or found`},
	{body: `local f = c.who if world:alive(f) and c.k > 1 then found = f else found = nil end`},
	// variables from around the loop
	{body: `last = c.k == 1 and "x" or c.x`},
	{body: `if c.k == 1 then last = c.s else last = c.x end`},
	{body: `if c.k == 1 then last = e elseif c.k == 2 then last = nil else last = true end`, some: true},
	{body: `if last == c.s then sum = sum + 1 end last = c.b and c.s or c.k`},
	{body: `if c.k == 3 then last = { c.x } elseif c.k == 1 then last = c.x end if type(last) == "table" then sum = sum + last[1] end`},
	// functions
	{body: `local v = f(c) word = tostring(v)`, head: `local function f(c) if c.k == 1 then return "x" end return c.x end`},
	{body: `local v = f(c) if v then sum = sum + v end`, head: `local function f(c) if c.k == 1 then return false end return c.x end`},
	{body: `local ok, v = f(c) if ok then sum = sum + v else word = v end`, head: `local function f(c) if c.k == 1 then return false, "bad" end return true, c.x end`},
	{body: `g(c.k == 1 and "x" or c.x)`, head: `local function g(v) if type(v) == "number" then t.n = v else t.s = v end end`},
	{body: `g("x") g(c.x) g(c.b)`, head: `local function g(v) if type(v) == "number" then t.n = v else t.s = v end end`},
	// errors
	{body: `local v = c.k == 1 and "x" or c.x sum = sum + v`, some: true},
	{body: `local v = c.k == 3 and true or c.s word = v .. "!"`, some: true},
	{body: `local v = 1 if c.k == 2 then v = "5" end c.x = v`, some: true},
	{body: `local v = c.x if c.k == 3 then v = nil elseif c.k == 2 then v = "10" end sum = sum + v * 2`, some: true},
	{body: `local v = c.b and c.s or 7 t[c.k] = v.x`, some: true},
}

// Values that are now of one type, now of another do the same with every implementation.
func TestMixedTypes(t *testing.T) {
	t.Parallel()
	sameCells(t, mixedCases)
}
