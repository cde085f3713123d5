package luabind

import "testing"

// orderHead has lists of numbers, of strings and of objects with an order in a table.
const orderHead = `local bag = { names = { "pear", "apple", "fig", "apple" }, nums = { 3, -1, 0 / 0, 2, 2 }, size = 2 }
local Rank = {}
Rank.__index, Rank.__lt, Rank.__le = Rank, function(a, b) return a.n < b.n end, function(a, b) return a.n <= b.n end
bag.objects = { setmetatable({ n = 1 }, Rank), setmetatable({ n = 2 }, Rank) }
bag.recs = { { k = "pear", n = 2 }, { k = "apple", n = 3 }, { k = "pear", n = 3 } }
local s = ""
`

// orderBodies compare values whose types are not known before the loop, and variables that have no value yet. left is the
// number of rows that a kernel leaves, 150 rows in each of four frames.
var orderBodies = []struct {
	body string
	left int
}{
	{`for _, a in ipairs(bag.names) do for _, b in ipairs(bag.names) do sum = sum * 2 + (a < b and 1 or 0) + (a <= b and 5 or 0) + (a > b and 7 or 0) + (a >= b and 11 or 0) end end`, 0},
	{`for _, a in ipairs(bag.nums) do for _, b in ipairs(bag.nums) do sum = sum * 2 + (a < b and 1 or 0) + (a <= b and 5 or 0) + (a > b and 7 or 0) + (a >= b and 11 or 0) end end`, 0},
	{`local best for _, name in ipairs(bag.names) do if not best or name < best then best = name end end s = best or "none"`, 0},
	{`local best for _, n in ipairs(bag.nums) do if best == nil or n >= best then best = n end end s = "is " .. best`, 0},
	{`local best, at for i, name in ipairs(bag.names) do if not at or i < at or (i == at and name < best) then best, at = name, i end end s = best .. at`, 0},
	{`local last for i = 1, 3 do if last and last < "m" then s = last end last = i == 1 and "apple" or "pear" end`, 0},
	{`local was for i = 1, 3 do if was == (i == 2) then s = "as before" end was = i == 1 end`, 0},
	{`local top = bag.names[1] if top < bag.names[2] then top = bag.names[2] end s = top`, 0},
	{`bag.names[6] = nil for _, a in ipairs(bag.names) do for _, b in ipairs(bag.names) do sum = sum * 2 + (a < b and 1 or 0) + (a <= b and 5 or 0) + (a > b and 7 or 0) + (a >= b and 11 or 0) end end`, 0},
	{`bag.nums[6] = nil for _, a in ipairs(bag.nums) do for _, b in ipairs(bag.nums) do sum = sum * 2 + (a < b and 1 or 0) + (a <= b and 5 or 0) + (a > b and 7 or 0) + (a >= b and 11 or 0) end end`, 0},
	{`bag.names[6] = nil local best for _, name in ipairs(bag.names) do if not best or name < best then best = name end end s = best or "none"`, 0},
	{`bag.row = p.x local a, b = bag.objects[1], bag.objects[2] if a < b then sum = sum + 1 end if b <= a then sum = sum + 2 end a, b = a.n, b.n if a < b then sum = sum + 4 end if a >= b then sum = sum + 8 end a, b = bag.names[1], bag.names[2] if a < b then sum = sum + 16 end if a >= b then sum = sum + 32 end`, 0},
	{`for _, a in ipairs(bag.recs) do a.row = { p.x } for _, b in ipairs(bag.recs) do sum = sum * 2 + (a.k < b.k and 1 or 0) + (a.k <= b.k and 5 or 0) + (a.n > b.n and 7 or 0) + (a.n >= b.n and 11 or 0) end end`, 0},
	{`if p.x > 9000 and bag.size < bag.names[1] then s = "never" end`, 0},
	{`if p.x == 3 and bag.size < bag.names[1] then s = "never" end`, 1},
	{`if p.x == 3 and bag.names < bag.nums then s = "never" end`, 1},
	{`if p.x == 3 and not bag.none and bag.none <= bag.size then s = "never" end`, 1},
}

// Values of any kind are ordered as in Lua, by kernels: numbers, strings, and errors for all else.
func TestOrderOfValuesOfAnyKind(t *testing.T) {
	t.Parallel()
	for _, c := range orderBodies {
		source := exitSource(orderHead+`for i = 1, 1 do s, sum = "", 0 for e, p in world:each("P") do `+c.body+` end end print(s, sum)`, exitPatterns["none"], exitCalls[0])
		want, _ := exitTrace(t, source, Lua, Limits{})
		for _, impl := range []Impl{Closures, Auto} {
			got, _ := exitTrace(t, source, impl, Limits{})
			if got != want {
				t.Errorf("%v: got\n%.3000s\ninterpreted\n%.3000s\n%s", impl, got, want, c.body)
			}
		}
	}
}
