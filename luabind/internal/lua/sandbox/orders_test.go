package sandbox

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// Orders of table.sort: package interp does not call functions that only compare what they find in the two items. The results, the
// errors and the count of instructions must be those of calls.

// orderHead makes lists of records, and shows a list after a sort.
const orderHead = show + `
local rank, info, limit, none, flag = { a = 3, b = 1, c = 2, d = 3 }, { a = { n = 1, s = "x" }, b = { n = 0, s = "z" }, c = { n = 1, s = "y" }, d = { n = 5, s = "x" } }, 2, nil, true
local function seen(t)
  local out = {}
  for i, v in ipairs(t) do out[i] = type(v) == "table" and (v.id or v[1]) or tostring(v) end
  return table.concat(out, " ")
end
local function sort(t, f)
  local ok, err = pcall(function() table.sort(t, f) end) -- pcall(table.sort, t, f) would call f in any case
  show(seen(t), ok, err, used())
end
`

// orderLists are lists of items: the argument of the function is the number of items.
var orderLists = []string{
	`local t = {} for i = 1, N do t[i] = { id = i, n = (i * 7) % 5, m = (i * 3) % 7 - 3, s = ("abcd"):sub(i % 4 + 1, i % 4 + 1), f = i % 3 == 0, i % 4, (i * 5) % 9 } end`,
	`local t = {} for i = 1, N do t[i] = { id = i, n = i % 2 == 0 and 0 / 0 or i % 3, m = i % 5 == 0 and -0 or 0, s = i % 2 == 0 and "" or "a\0b", f = true, i, -i } end`,
	`local t = {} for i = 1, N do t[i] = { id = i, n = i % 3, m = i == N and "x" or 1, s = "a", f = i % 2 == 0, 1, 2 } end`,
	`local t = {} for i = 1, N do t[i] = { id = i, n = i % 3, m = i, f = false, 1, 2 } t[i].s = i < N and "b" or nil end`,
	`local t = {} for i = 1, N do t[i] = setmetatable({ id = i, n = i % 4, f = i % 2 == 0, i % 3, i }, { __index = { m = 2, s = "d" }, __lt = function(a, b) return a.id > b.id end, __eq = function() return true end }) end`,
	`local t = {} for i = 1, N do t[i] = ("abcd"):sub(i % 4 + 1, i % 4 + 1) end`,
	`local t = {} for i = 1, N do t[i] = (i * 7) % 5 end`,
	`local t = {} for i = 1, N do t[i] = i % 2 == 0 and i or "a" end`,
	`local one = { id = 1, n = 2, m = 1, s = "a", f = true, 1, 2 } local t = {} for i = 1, N do t[i] = i % 2 == 0 and one or { id = i, n = 2, m = i, s = "b", f = false, 1, 3 } end`,
}

// orderFunctions are bodies of functions of two items, a and b.
var orderFunctions = []string{
	`return a.n < b.n`, `return a.n > b.n`, `return a.n <= b.n`, `return a.n >= b.n`, `return a[2] < b[2]`, `return a < b`, `return a > b`,
	`if a.n ~= b.n then return a.n > b.n end return a.id < b.id`,
	`if a.n == b.n then return a.s < b.s end return a.n < b.n`,
	`return a.s < b.s or a.s == b.s and a.id > b.id`,
	`if a.f ~= b.f then return a.f end return a.m < b.m`,
	`return a.f and not b.f`, `return not a.f and b.f`, `return a.f == true and b.f == false`,
	`local x, y = a.n, b.n if x == y then x, y = a.id, b.id end return x < y`,
	`return rank[a] < rank[b]`, `return (rank[a.s] < rank[b.s])`, `return info[a.s].n > info[b.s].n or info[a.s].n == info[b.s].n and info[a.s].s < info[b.s].s`,
	`if a.n < limit and b.n >= limit then return true end return false`, `if a.n > 2 then return false end return b.n > 2`,
	`if a == b then return false end return a.m > b.m`, `return a.n < b.m`, `return a.n < a.m`, `if flag then return a.n < b.n else return a.n > b.n end`,
	`if none then return true end return a.id > b.id`, `if a.missing == nil then return a.n < b.n end`, `if a.n == none then return true end return a.n < b.n`,
	`if a.n == "x" then return true end return a.s > b.s`, `return a.n`, `return a.f`, `return`, `return nil`, `return 1`, `return false, true`, `return none`,
	`return a.n < b.n, 1`, `while true do return a.n < b.n end`, `return a.n + 1 < b.n`, `return (a.n < b.n) == true`, `return a.s .. "x" < b.s`, `return rank[a.s] == rank[b.s] and a.id < b.id or rank[a.s] < rank[b.s]`,
	`return a.x.y < b.x.y`, `return tostring(a) < tostring(b)`, `local n = a.n return n < b.n`, `return a.n < (b.n or 0)`, `return (a.m or 0) < (b.m or 0)`, `a = b return a.n < b.n`, `a.n = 1 return a.id < b.id`,
	`do local a, b = b, a return a.n < b.n end`, `if a.n < b.n then return true elseif a.n > b.n then return false elseif a.m < b.m then return true end return a.id < b.id`,
	`repeat until a.n ~= -5 return a.n < b.n`, `return a.id % 2 < b.id % 2`, `return not (a.n < b.n)`, `return a.f or b.f`, `return limit < a.n`, `return "b" < b.s`,
}

// TestOrders sorts lists of each kind with each function, with budgets of many sizes.
func TestOrders(t *testing.T) {
	t.Parallel()
	for i, list := range orderLists {
		var src strings.Builder
		src.WriteString(orderHead)
		for _, body := range orderFunctions {
			for _, n := range []int{5, 6, 23} {
				fmt.Fprintf(&src, "do local N = %d %s sort(t, function(a, b) %s end) end\n", n, list, body)
			}
		}
		for _, f := range []string{"rawequal", "math.max", "5", "nil"} { // functions of the library, and none
			fmt.Fprintf(&src, "do local N = 23 %s sort(t, %s) end\n", list, f)
		}
		fmt.Fprintf(&src, "do local N = 23 %s coroutine.wrap(function() sort(t, function(a, b) return a.id > b.id end) end)() end\n", list)
		o := compareEngines(t, src.String(), effort.Of(30))
		if o.err != "" {
			t.Errorf("list %d: %s", i, o.err)
		}
		if t.Failed() {
			return
		}
	}
}

// orderBody writes a random function of two items.
func orderBody(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	value := func(of string) string {
		return strings.ReplaceAll(pick("X.n", "X.n", "X.m", "X.id", "X.s", "X.f", "X[1]", "X[2]", "rank[X.s]", "info[X.s].n", "info[X.s].s", "X", "limit", "2", "none", "flag", `"b"`, "X.missing"), "X", of)
	}
	var test func(deep int) string
	test = func(deep int) string {
		switch r.IntN(8) {
		case 0:
			return value(pick("a", "b"))
		case 1:
			if deep > 0 {
				return "not (" + test(deep-1) + ")"
			}
		case 2, 3:
			if deep > 0 {
				return "(" + test(deep-1) + pick(" and ", " or ") + test(deep-1) + ")"
			}
		}
		x := pick("X.n", "X.m", "X.id", "X[1]", "X.s", "rank[X.s]", "info[X.s].s")
		left, right := pick("a", "b"), pick("a", "b")
		if r.IntN(4) == 0 {
			return value(left) + pick(" < ", " <= ", " == ", " ~= ", " > ") + value(right)
		}
		return strings.ReplaceAll(x, "X", left) + pick(" < ", " <= ", " == ", " ~= ", " > ", " >= ") + strings.ReplaceAll(x, "X", right)
	}
	var out strings.Builder
	for range r.IntN(3) {
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&out, "if %s then return %s else return %s end ", test(1), test(1), test(1))
			return out.String()
		case 1:
			fmt.Fprintf(&out, "local a, b = %s ", pick("b, a", "a, b", "a, a"))
		default:
			fmt.Fprintf(&out, "if %s then return %s end ", test(1), test(1))
		}
	}
	return out.String() + "return " + test(2)
}

// TestRandomOrders is TestOrders with random functions.
func TestRandomOrders(t *testing.T) {
	t.Parallel()
	for seed := range uint64(effort.Of(120)) {
		r := rand.New(rand.NewPCG(seed, 9))
		var src strings.Builder
		src.WriteString(orderHead)
		for range 6 {
			fmt.Fprintf(&src, "do local N = %d %s sort(t, function(a, b) %s end) end\n", 4+r.IntN(30), orderLists[r.IntN(len(orderLists))], orderBody(r))
		}
		compareEngines(t, src.String(), effort.Of(8))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
