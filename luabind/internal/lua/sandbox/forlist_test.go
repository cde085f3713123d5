package sandbox

import (
	"strings"
	"testing"
)

// forHead declares what the loops of these tests use.
const forHead = `local function it(s, c)
  print(type(s), type(s) == "table" and "" or type(s) == "function" and "" or s, type(c) == "function" and "" or c)
  return nil
end
local q, w = 7, 8
local function two() return it, 5 end
local function three() return it, 5, 6 end
do local a, b, c, d, e = 11, 12, 13, 14, 15 end
`

// forLists are loops with lists of all lengths behind in, and what Lua 5.1 prints.
var forLists = []struct{ source, want string }{
	{`for v in it do end`, "nil\tnil\tnil"},
	{`for v in it, 5 do end`, "number\t5\tnil"},
	{`for v in it, 5, 6 do end`, "number\t5\t6"},
	{`for v, w in it do end`, "nil\tnil\tnil"},
	{`for v, w in it, 5 do end`, "number\t5\tnil"},
	{`for v, w in it, 5, 6 do end`, "number\t5\t6"},
	{`for v, w, x in it do end`, "nil\tnil\tnil"},
	{`for v, w, x in it, 5 do end`, "number\t5\tnil"},
	{`for v, w, x in it, 5, 6 do end`, "number\t5\t6"},
	{`for v, w, x, y in it, 5 do end`, "number\t5\tnil"},
	{`for v, w, x, y in it, 5, 6 do end`, "number\t5\t6"},
	{`for v, w, x, y in it do end`, "nil\tnil\tnil"},
	{`for v in it, 5, 6, 7 do end`, "number\t5\t6"},
	{`for v in (it) do end`, "nil\tnil\tnil"},
	{`for v in two() do end`, "number\t5\tnil"},
	{`for v, w in two() do end`, "number\t5\tnil"},
	{`for v, w, x, y in two() do end`, "number\t5\tnil"},
	{`for v in (two()) do end`, "nil\tnil\tnil"},
	{`for v in it, two() do end`, "function\t\t5"},
	{`for v, w in it, 5, two() do end`, "number\t5"},
	{`for v, w in it, 5, 6, two() do end`, "number\t5\t6"},
	{`for v in it, print("e"), print("f") do end`, "e\nf\nnil\tnil\tnil"},
	{`for v, w, x, y in three() do end`, "number\t5\t6"},
	{`for v in it, q, w do end`, "number\t7\t8"},
	{`for v in it, q + 1, w .. "" do end`, "number\t8\t8"},
	{`for v in it, not q, q == w do end`, "boolean\tfalse\tfalse"},
	{`for v in it, {}, q and w do end`, "table\t\t8"},
	{`for v in it, q and w, q or w do end`, "number\t8\t7"},
	{`for v in it, nil, nil do end`, "nil\tnil\tnil"},
	{`for v in it, nil do end`, "nil\tnil\tnil"},
	{`for v, w in it, nil do end`, "nil\tnil\tnil"},
	{`for v in it, -q, #"abc" do end`, "number\t-7\t3"},
	{`for v in it, function() end, true do end`, "function\t\ttrue"},
	{`for v in it, math.pi, math.huge do end`, "number\t3.1415926535898\tinf"},
	{`local function f(...) for v in it, ... do end end f(it, 3, 4)`, "function\t\t3"},
	{`local function f(...) for v in ... do end end f(it, 3, 4)`, "number\t3\t4"},
	{`local function f(...) for v, w in it, 5, ... do end end f(it, 3, 4)`, "number\t5"},
	{`local function f(...) for v, w in it, (...) do end end f(it, 3, 4)`, "function\t\tnil"},
	{`local function f(...) for v in it, ... do end end f()`, "nil\tnil\tnil"},
	{`local function f(...) for v in ... do end end f(it)`, "nil\tnil\tnil"},
	{`local function f(...) for v, w in it, (...) do end end f()`, "nil\tnil\tnil"},
	{`local s = 0 for i, v in next, { 5, 6, 7 } do s = s + v end print(s)`, "18"},
	{`local s = 0 for k in next, { a = 1 } do s = s + 1 end print(s)`, "1"},
	{`local s = "" for k, v in next, { 5, 6 }, 1 do s = s .. k .. v end print(s)`, "26"},
	{`for i, v in next, { 5, 6, 7 } do if i == 2 then break end local function g() return i end print(g()) end`, "1"},
	{`local t = {} for i, v in next, { 5, 6, 7 } do t[i] = function() return i + v end end print(t[1](), t[2](), t[3]())`, "6\t8\t10"},
	{`for a, b, c, d in it, 1, 2, print("x"), print("y") do end print("end")`, "x\ny\nnumber\t1\t2\nend"},
	{`for i, v in next, { 5, 6, 7 }, nil, two() do if v == 6 then goto out end print(i) end ::out:: print("out")`, "1\nout"},
}

// A generic for adjusts the list behind in to a function, a state and a control value, however many variables it has.
func TestListsOfFor(t *testing.T) {
	for _, c := range forLists {
		if o := compareEngines(t, forHead+c.source, 3); strings.TrimSpace(o.out) != c.want || o.err != "" {
			t.Errorf("%s\ngot %q %s, want %q", c.source, o.out, o.err, c.want)
		}
	}
}
