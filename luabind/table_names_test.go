package luabind

import (
	"context"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// tableNamesSource is a file with a loop that stores in a table under one name, and reads it under another one.
const tableNamesSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", k = "i32", s = "string", on = "bool" })
HEAD
return { init = function(world)
  for i = 1, 120 do world:spawn{ P = { x = i, y = 200 + i, k = i % 7, s = "s" .. i % 6, on = i % 3 == 0 } } end
end, update = function(world, dt)
  local sum = 0
  for e, p in world:each("P") do BODY end
  print(sum)
end }`

// tableNames are heads and bodies of such files.
var tableNames = [][2]string{
	{`local A = { s1 = 5 } local M = { a = A }`, `A[p.s] = (A[p.s] or 0) + 1 sum = sum + M.a.s1`},
	{`local M = { a = { s1 = 5 } } local A = M.a`, `A[p.s] = (A[p.s] or 0) + 1 sum = sum + M.a.s1`},
	{`local A = {} local B = A`, `A[p.s] = (A[p.s] or 0) + 1 sum = sum + (B.s1 or 0)`},
	{`local t = { s1 = 1 } local u = t`, `t[p.s] = (t[p.s] or 0) + 1 sum = sum + (u.s4 or 0.5)`},
	{`local t = {} local u = t`, `if not t[p.s] then t[p.s] = true end if u.s1 then sum = sum + 1 end`},
	{`local A = { s1 = true } local B = { a = A }`, `A[p.s] = not A[p.s] if B.a.s1 then sum = sum + 1 end`},
	{`local A = { s1 = "a" } local B = { a = A }`, `A[p.s] = (A[p.s] or "b") == "a" and "b" or "a" if B.a.s1 == "a" then sum = sum + 1 end`},
	{`local A = { s1 = 1, s2 = 1 } local B = { a = A }`, `local k = p.on and "s1" or "s2" A[k] = A[k] + 1 sum = sum + B.a.s1`},
	{`local q = { s1 = 1 } local by = { a = q, b = { s1 = 5 } }`, `q[p.s] = (q[p.s] or 0) + 1 local r = by[p.on and "a" or "b"] sum = sum + r.s1`},
	{`local q = {} local by = { s1 = q, s2 = {} }`, `q[p.s] = (q[p.s] or 0) + 1 local r = by[p.s] if r and r.s1 then sum = sum + r.s1 end`},
	{`local q = { s1 = 1 } local ls = { q, { s1 = 2 } }`, `q[p.s] = (q[p.s] or 0) + 1 sum = sum + ls[1].s1 + ls[p.k % 2 + 1].s1`},
	{`local t = { 4, 5, 6 } local ls = { t, { 1 } }`, `t[p.k] = (t[p.k] or 0) + 1 sum = sum + #ls[1]`},
	{`local t = { 4, 5, 6 } local ls = { t, { 1 } }`, `t[p.k] = (t[p.k] or 0) + 1 local l = ls[p.k % 2 + 1] sum = sum + #l`},
	{`local t = { 4, 5, 6 } local ls = { t, { 1 } }`, `if t[p.k] then sum = sum + 1 else t[p.k] = p.x end sum = sum + #ls[1]`},
	{`local t = { 4, 5, 6 } local ls = { t, { 1 } }`, `t[p.k] = p.x sum = sum + (t[p.k + 1] or 0) + #ls[1]`},
	{`local q = {} local by = { {}, q }`, `if not q[p.y] then q[p.y] = true end sum = sum + #by[2]`},
	{`local grid = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } } local row = grid[2]`, `row[p.k + 1] = (row[p.k + 1] or 0) + 1 sum = sum % 1000 * 1.01 + #grid[2]`},
	{`local row = { 1, 2 } local rows = { row, row }`, `row[p.k + 1] = (row[p.k + 1] or 0) + 1 sum = sum % 1000 * 1.01 + #rows[2]`},
	{`local t = { 4, 5, 6 } local ls = { t, { 1 } } local by = { s1 = t, s2 = {} }`, `t[p.k + 1] = (t[p.k + 1] or 0) + 1 local l = by[p.s] if l then sum = sum + #l end`},
	{`local t = { 4, 5, 6 } local ls = { t, { 1 } } local u = t`, `t[p.k] = p.x local v = t[#ls[1]] sum = sum + (v or 0.5)`},
	{`local t = { 4, 5, 6 } local ls = { t, { 1 } } local function g() return t end`, `t[#t + 1] = p.x sum = sum + (g()[#ls[1]] or 0)`},
	{`local C = { n = 1 } C.__index = C local a = setmetatable({}, C)`, `C.n = C.n + 1 sum = sum + a.n`},
	{`local C = { n = 1 } C.__index = C local a = setmetatable({}, C) function C:inc() C.n = C.n + 1 return self.n end`, `sum = sum + a:inc()`},
	{`local C = { n = 1 } C.__index = C local a = setmetatable({}, C)`, `C.k = p.x sum = sum + (a.k or 0)`},
	{`local C = { n = 1 } C.__index = C local a = setmetatable({}, C)`, `C[p.s] = p.x sum = sum + (a.s1 or 0)`},
	{`local C = { n = 1 } C.__index = C local a = setmetatable({}, C) local function f() C.n = C.n + 1 end`, `if p.x > 90 then f() end sum = sum + a.n`},
	{`local t = { s1 = 1 } local inv = setmetatable({}, { __index = t }) local ls = { t, { s1 = 2 } }`, `local l = ls[p.k % 2 + 1] l.s1 = l.s1 + 1 sum = sum + inv.s1`},
	{`local t = { s1 = 1 } local inv = setmetatable({}, { __index = t }) local ls = { s0 = t, s1 = { s1 = 2 } }`, `local l = ls[p.s] if l then l.s1 = l.s1 + 1 end sum = sum + inv.s1`},
	{`local C = { n = 1 } C.__index = C local D = setmetatable({}, C) D.__index = D local d = setmetatable({}, D)`, `C.n = C.n + 1 sum = sum + d.n`},
	{`local C = { n = 1 } C.__index = C local a = setmetatable({}, C) local M = { c = C }`, `M.c.n = M.c.n + 1 sum = sum + a.n`},
	{`local t = { s1 = 1 } local Mi = { i = setmetatable({}, { __index = t }) }`, `t[p.s] = p.x sum = sum + Mi.i.s1`},
	{`local t = { s1 = 1 } local Mi = { i = setmetatable({}, { __index = t }) }`, `t.s1 = t.s1 + 1 sum = sum + Mi.i.s1`},
	{`local t = { s1 = 1 } local Mi = { i = setmetatable({}, { __index = t }) }`, `t[p.s] = (t[p.s] or 0) + 1 sum = sum + Mi.i.s1`},
	{`local t = { s1 = 1 } local Mi = { s1 = setmetatable({}, { __index = t }), s2 = { s1 = 4 } }`, `t[p.s] = (t[p.s] or 0) + 1 local m = Mi[p.s] if m then sum = sum + m.s1 end`},
	{`local a = { x = 1 } local list = { a } for i = 1, 80 do list[i + 1] = { x = i } end local by = { s1 = a }`, `local r = by[p.s] if r then r.x = r.x + 1 end for i = 1, #list do sum = sum + list[i].x end`},
	{`local a = { x = 1 } local list = { a } for i = 1, 80 do list[i + 1] = { x = i } end local by = { s1 = a }`, `local r = by[p.s] if r then sum = sum + r.x end list[p.k + 1].x = p.x`},
	{`local A = { s1 = 5 } local by = { x = A, y = { s1 = 1 } }`, `A.s1 = p.x sum = sum + by[p.on and "x" or "y"].s1`},
	{`local A = { s1 = 5 } local by = { x = A, y = { s1 = 1 } }`, `if p.x > 90 then A.s1 = p.x end sum = sum + by[p.on and "x" or "y"].s1`},
	{`local M = { s1 = 4, s2 = 5, floor = math.floor }`, `local t = { p.x, p.s } sum = sum + #t + M.floor(p.x) M[p.s] = p.x sum = sum + M.s1`},
	{`local M = { s1 = 4, s2 = 5, floor = math.floor }`, `local t = { p.x, p.s } sum = sum + #t + M.floor(p.x) M[p.s] = p.x M.s1 = sum`},
	{`local M, n = { s1 = 4, s2 = 5, floor = math.floor }, {}`, `n[p.s] = { p.x, p.y } for i, v in pairs(n[p.s]) do sum = sum + v end sum = sum + M.floor(p.x) M[p.s] = p.x sum = sum + M.s1`},
	{`local M, n = { s1 = 4, s2 = "a", floor = math.floor }, {}`, `n[p.s] = { p.x, p.y } for i, v in pairs(n[p.s]) do sum = sum + v end sum = sum + M.floor(p.x) M.s1 = M.s1 + 1 local v = M[p.s] if v and v ~= "a" then sum = sum + v end`},
	{`local M, n = { s1 = 4, s2 = 5, floor = math.floor }, {}`, `n[p.s] = { p.x, p.y } for i, v in pairs(n[p.s]) do sum = sum + v end M[p.s] = p.on and p.x or p.s sum = sum + M.floor(p.x) if M.s1 == "s1" then sum = sum + 0.5 end`},
}

// What a loop stores in a table is seen under each name of the table, and by objects that inherit from it.
func TestTableNames(t *testing.T) {
	t.Parallel()
	for _, c := range tableNames {
		source := strings.NewReplacer("HEAD", c[0], "BODY", c[1]).Replace(tableNamesSource)
		sameCompiled(t, source, c[0]+"\n"+c[1], func(Impl, loops.Tally) bool { return true })
	}
}

// Explain says what has become of each of these loops.
func TestExplainTableNames(t *testing.T) {
	t.Parallel()
	for _, c := range tableNames {
		source := strings.NewReplacer("HEAD", c[0], "BODY", c[1]).Replace(tableNamesSource)
		r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{Memory: restlessMemory()}), Scripts: files(map[string]string{"a": source})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua"})
		}
		if err == nil {
			err = r.Load()
		}
		if err == nil {
			err = r.Start(context.Background())
		}
		for range 3 {
			if err == nil {
				err = r.Frame(context.Background(), 1)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if list := r.Explain(); len(list) != 1 {
			t.Errorf("%d loops: %v", len(list), list)
		}
	}
}
