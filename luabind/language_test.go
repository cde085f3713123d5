package luabind

import (
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// languageHead is the file around the loops of these tests. First comes what a case declares, then its body.
const languageHead = `local ecs = require("ecs")
ecs.component("Cell", { x = "f64", y = "f64", k = "i32", s = "string", b = "bool" }) ecs.component("Bag", { items = "table" })
local WORDS = { "apple", "bread", "sword", "", "a=1,b=22", "x y  z" }
local total, word, kept, list, map = 0, "", nil, {}, {}
local function show(t, depth)
  if type(t) ~= "table" then return tostring(t) end
  local parts = {}
  for k, v in pairs(t) do if #parts < 60 then parts[#parts + 1] = tostring(k) .. "=" .. (type(v) == "function" and "f" or depth < 4 and show(v, depth + 1) or type(v)) end end
  return #t .. "{" .. table.concat(parts, " ") .. "}"
end
local function init(world)
  for i = 1, 40 do
    world:spawn{ Cell = { x = i * 7 %% 11 / 2, y = i %% 3, k = i %% 5, s = WORDS[i %% 6 + 1], b = i %% 2 == 0 }, Bag = { items = { i * 5 %% 7, i * 3 %% 4, { n = i } } } }
  end
end
%s
local function run(world, dt)
  local sum, mine = 0, {}
  for e, c, bag in world:each("Cell", "Bag") do
    %s
  end
  print(sum, show(mine, 0))
  return sum
end
return { init = init, update = function(world, dt)
  %s
  print(total, word, show(kept, 0), show(list, 0), show(map, 0), ecs.random(1000))
  local all = {} -- what shows the cells is no loop of the test
  for e in world:each("Cell", "Bag") do all[#all + 1] = e end
  for _, e in ipairs(all) do
    local c = world:get(e, "Cell")
    print(c.x, c.y, c.k, c.s, c.b, show(world:get(e, "Bag").items, 0))
  end
end }`

// A languageCase is a loop body, with what is declared around it.
type languageCase struct {
	declares, body string

	// left says that some rows of the body are left to the interpreter, because of errors or of values of other kinds.
	left bool
}

// sameLanguage runs loops in all implementations, and demands that they do the same, and are compiled.
func sameLanguage(t *testing.T, cases []languageCase) {
	t.Helper()
	calls := []string{"print(run(world, dt))", "print(pcall(run, world, dt)) print(pcall(run, world, dt))", "print(coroutine.wrap(run)(world, dt))"}
	for i, x := range cases {
		for j := range effort.Of(len(calls)) {
			source := fmt.Sprintf(languageHead, x.declares, x.body, calls[(i+j)%len(calls)])
			want, _ := exitTrace(t, source, Lua, Limits{})
			for _, impl := range []Impl{Closures, Auto} {
				got, did := exitTrace(t, source, impl, Limits{})
				if got != want {
					t.Errorf("%v: got\n%.3000s\ninterpreted\n%.3000s\n%s\n%s", impl, got, want, x.declares, x.body)
				}
				if did.Closures+did.Machine == 0 || did.Left > 0 && !x.left {
					t.Errorf("%v: kernels ran %d rows, and left %d\n%s\n%s", impl, did.Closures+did.Machine, did.Left, x.declares, x.body)
				}
			}
		}
		source := fmt.Sprintf(languageHead, x.declares, x.body, "print(pcall(run, world, dt))")
		for _, limit := range []uint64{3000, 9000} {
			want, _ := exitTrace(t, source, Closures, Limits{Instructions: limit})
			if got, _ := exitTrace(t, source, Auto, Limits{Instructions: limit}); got != want {
				t.Errorf("limit %d: auto\n%.2000s\nclosures\n%.2000s\n%s\n%s", limit, got, want, x.declares, x.body)
			}
		}
	}
}

// Lists are sorted as the interpreter sorts them, with and without a function, also one that is no order, changes
// variables, or fails.
func TestSortAlike(t *testing.T) {
	t.Parallel()
	sameLanguage(t, []languageCase{
		{body: `local l = { { k = 1, v = c.x }, { k = 2, v = c.y }, { k = 3, v = c.k } } table.sort(l, function(a, b) return a.v > b.v end) sum = sum + l[1].k * 10 + l[3].k`},
		{body: `local l = { c.x, c.y, c.k, 2, 2.5, 1 } table.sort(l) c.x = l[3] c.y = l[6]`},
		{body: `local l = { c.s, "m", "b" .. c.k, "" } table.sort(l) c.s = l[2] word = l[4]`},
		{
			declares: `local function by(a, b) if a.v ~= b.v then return a.v > b.v end return a.s < b.s end`,
			body:     `list[#list + 1] = { v = c.k, s = c.s, e = e } table.sort(list, by) if #list > 8 then table.remove(list) end word = list[1].s`,
		},
		{
			declares: "local U = {} function U.sorted(t, by) local out = {} for i, v in ipairs(t) do out[i] = v end table.sort(out, by) return out end",
			body:     `local l = U.sorted({ c.x, c.y, c.k }, function(a, b) return a > b end) c.x = l[1] local m = U.sorted({ 3, c.k, 1 }) sum = sum + m[2]`,
		},
		{
			declares: `local sort, n = table.sort, 0 local function less(a, b) n = n + 1 total = n return a < b end`,
			body:     `local l = { 5, c.x, 3, c.y, 9, c.k, 7 } sort(l, less) sum = sum + l[4] + n`,
		},
		{body: `table.sort(mine) mine[#mine + 1] = c.x mine[#mine + 1] = c.k / 2 table.sort(mine, function(a, b) return a > b end) if #mine > 20 then mine = {} end`},
		{body: `local items = bag.items table.remove(items) table.sort(items) sum = sum + items[1] items[#items + 1] = { n = 1 } bag.items = items`},
		{body: `bag.items = { { n = c.k }, { n = 2 }, { n = c.y } } table.sort(bag.items, function(a, b) return a.n < b.n end) sum = sum + bag.items[1].n`},
		{body: `bag.items = { 4, c.k, c.y } table.sort(bag.items, function(a, b) bag.items[1] = 100 return a < b end)`},
		{body: `local l = { 4, c.k, c.y, 8 } table.sort(l, function(a, b) l[#l] = nil l[2] = 5 return a < b end) sum = sum + #l list = l`},
		{body: `if c.k > 1 then table.sort(list, function(a, b) return a < b end) list[#list + 1] = c.x if #list > 9 then list = {} end end`},
		{body: `local l = { 3, 1, 2, c.k } table.sort(l, function(a, b) if c.b then return a < b end return b < a end) table.sort(l, nil) sum = sum + l[1]`},
		{body: `local l = { { 2, { 5, 1, c.k } }, { 1, { 3, c.k, 2 } } } table.sort(l, function(a, b) table.sort(a[2]) return a[2][1] < b[2][1] end) kept = l`},
		{body: `local t = {} for o, d in world:each("Cell") do if d.k == c.k then t[#t + 1] = { o = o, d = math.abs(d.x - c.x) } end end table.sort(t, function(a, b) if a.d == b.d then return a.o < b.o end return a.d < b.d end) c.y = t[2].d`},
		// what is left to the interpreter: items of several kinds, a function that is no order, errors in it
		{left: true, body: `local l = { 3, 5, 1 } if c.k == 4 then l[2] = c.s end c.x = c.x + 1 table.sort(l) sum = sum + l[1]`},
		{left: true, body: `local l = { 1, 2, 3, 4, 5, c.k } table.sort(l, function(a, b) return c.k == 4 or a < b end) sum = sum + l[1]`},
		{left: true, body: `local l = { 1, c.k, 3 } table.sort(l, function(a, b) if a == 4 then error("four") end return a < b end) sum = sum + l[1]`},
		{left: true, body: `local l = { { 1 }, { c.k } } table.sort(l, function(a, b) if c.k == 3 then return a.x.y end return a[1] > b[1] end) sum = sum + l[1][1]`},
		{left: true, declares: "local odd = { print, 1 }", body: `local l = { 2, 1 } if c.k == 4 then l = odd end table.sort(l, function(a, b) return a < b end) sum = sum + 1`},
		{left: true, body: `local l = setmetatable({ 3, 1 }, {}) if c.k > 0 then l = { 2, 1 } end table.sort(l) sum = sum + l[1]`},
	})
}

// A goto jumps to labels anywhere: forward, back, out of loops, in repeat.
func TestGotoAlike(t *testing.T) {
	t.Parallel()
	sameLanguage(t, []languageCase{
		{body: `if c.k > 2 then goto skip end c.x = c.x + 1 ::skip:: c.y = c.y + 1`},
		{body: `if c.k > 2 then goto a elseif c.b then goto b end c.x = c.x + 1 ::a:: c.y = c.y + 1 if c.y > 3 then goto b end sum = sum + 1 ::b:: sum = sum + 10 total = sum`},
		{body: `for i = 1, 3 do for j = 1, 3 do if i * j == c.k then goto done end sum = sum + i * j end end ::done:: c.x = sum`},
		{body: `local i = 1 ::again:: sum = sum + i i = i + 1 if i < c.k then goto again end c.x = i`},
		{body: `local i = 0 ::again:: i = i + 1 do local j = i * 2 if j == 4 then goto again end sum = sum + j end if i < 5 then goto again end if i > c.k then goto out end sum = sum + 100 ::out:: c.y = i`},
		{body: `local n = c.k repeat n = n - 1 if n == 2 then goto continue end sum = sum + n ::continue:: until n <= 0`},
		{body: `for i = 1, 4 do if i == c.k then goto continue end local v = i * 2 sum = sum + v ::continue:: end for _, w in ipairs(bag.items) do if type(w) ~= "number" then goto next end sum = sum + w ::next:: end`},
		{body: `for i = 1, 4 do ::top:: c.x = c.x + 1 if c.x < i then goto top end if i == 3 then goto out end end ::out:: sum = sum + c.x`},
		{body: `::top:: if c.y < 3 then c.y = c.y + 1 sum = sum + 1 goto top end if c.k == 4 then break end`, left: true},
		{
			declares: "local function find(n) local i = 0 ::top:: i = i + 1 if i * i < n then goto top end return i end local function skip(n) if n > 2 then goto out end do return n end ::out:: return n * 2 end",
			body:     `sum = sum + find(c.x * 5) + skip(c.k) c.y = find(c.k)`,
		},
		{body: `local m = map[c.s] do if not m then goto out end m = m + 1 ::out:: end map[c.s] = c.k if m then sum = sum + m end`},
		{
			declares: "local function maybe(n) if n > 2 then return n end end",
			body:     `local m = maybe(c.k) do if not m then goto out end sum = sum + m ::out:: end local n = m or 7 c.x = n if m ~= nil then c.y = m end`,
		},
		{declares: "local function maybe(n) if n > 2 then return n end end", body: `local m = maybe(c.k) if not m then goto out end sum = sum + m ::out:: c.b = m == nil c.x = m and m + 1 or 0`},
		{body: `if false then for i = 1, 2 do sum = sum .. nothing end end for _, v in ipairs({ 1, 2, 3 }) do if v == 2 then break end sum = sum + v end c.x = sum`},
		{body: `if c.k == 1 then goto odd end if c.k > 3 then c.x = c.x / 0 list[#list + 1] = coroutine.create(print) and 1 end ::odd:: c.y = c.y + 1`, left: true},
		{body: `while true do c.x = c.x - 1 if c.x < 0 then break end if c.x > 3 then goto on end do break end ::on:: end for x = 1, 0, -0.25 do sum = sum + x end`},
		{body: `local a, b = 0, 0 ::one:: a = a + 1 ::two:: b = b + 1 if b < c.k then goto two end sum = sum + a + b`},
		{body: `local a, b = 0, 0 ::one:: a = a + 1 if a < 2 then goto one end ::two:: b = b + 1 if b < c.k then goto two end sum = sum + a + b`},
		{body: `table.sort(mine, function(a, b) if a == b then goto same end do return a < b end ::same:: return false end) mine[#mine + 1] = c.x if #mine > 9 then mine = {} end`},
	})
}
