package sandbox

import "testing"

// A table with __call works as a metamethod wherever Lua 5.1 calls one. The results are those of lua5.1.
func TestCallableMetamethods(t *testing.T) {
	const head = `
local f = setmetatable({}, { __call = function(_, a, b) return type(a) .. type(b) end })
local M = {}
for _, event in ipairs{ "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__concat", "__lt", "__le", "__eq" } do M[event] = f end
local a, b = setmetatable({}, M), setmetatable({}, M)
local plain, other = {}, setmetatable({}, { __eq = function() return true end, __lt = function() return true end })
`
	for source, want := range map[string]string{
		`a + b, a - 1, 2 * b, a / "x", a % b`:                   "tabletable tablenumber numbertable tablestring tabletable",
		`a ^ b, -a, a .. b, "x" .. a, a .. 1`:                   "tabletable tabletable tabletable stringtable tablenumber",
		`a < b, a <= b, a > b, a >= b, a == b, a ~= b`:          "true true true true true false",
		`a == a, a == plain, a == 1, a ~= other, rawequal(a,b)`: "true false false true false",
		`pcall(function() return a < other end)`:                "false x.lua:7: attempt to compare two table values",
		`pcall(function() return a < 1 end)`:                    "false x.lua:7: attempt to compare table with number",
		`pcall(function() return plain + 1 end)`:                `false x.lua:7: attempt to perform arithmetic on a table value (local "plain")`,
		`(function() local M = { __lt = setmetatable({}, { __call = function(_, x, y) return x.n < y.n end }) }
			local x, y = setmetatable({ n = 1 }, M), setmetatable({ n = 2 }, M) local list = { y, x } table.sort(list)
			return tostring(x < y) .. tostring(y < x) .. tostring(x <= y) .. tostring(y <= x) .. list[1].n end)()`: "truefalsetruefalse1",
		`tostring(setmetatable({}, { __tostring = setmetatable({}, { __call = function() return "text" end }) }))`: "text",
		`setmetatable({}, { __index = setmetatable({ k = 4 }, { __call = f }) }).k`:                                "4",
		`pcall(setmetatable({}, { __call = f }), 1)`:                                                               "",
		`(function() local n = 0 local M = { __add = setmetatable({}, { __call = function() n = n + 1 return n end }) } local x = setmetatable({}, M) for i = 1, 5 do n = x + i end return n end)()`: "5",
	} {
		t.Run(source, func(t *testing.T) {
			plain, fast := results(t, head+"return "+source, true), results(t, head+"return "+source, false)
			if got := fast[:min(len(fast), len(want))]; got != want || plain != fast {
				t.Errorf("%s; gopher-lua %s; want %s", fast, plain, want)
			}
		})
	}
}
