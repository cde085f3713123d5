package luabind

import (
	"testing"
)

// madePartBodies give a part of a table that the row makes another kind of value (nil, a string, a table, a view or an entity), or read a
// part of one that no local holds.
var madePartBodies = []string{
	`local t = { x = 1, y = p.x } if p.k == 2 then t.y = nil end sum = sum + (t.y or 7)`,
	`local t = { p.x, 2, 3 } t[3] = nil table.insert(t, 1, p.x) t[p.k + 4] = 1 sum = sum + t[1] + #t`,
	`local t = { x = 1, s = "no" } if p.k == 2 then t.x = "two" end if t.x == 1 then sum = sum + 1 end text = t.s`,
	`local t = { on = false } if p.k == 2 then t.on = p.x end sum = sum + (t.on or 0)`,
	`local t = { a = { b = 1 } } if p.k == 2 then t.a.b = nil end sum = sum + (t.a.b or 0)`,
	`local t = { best = 1 } if p.k == 1 then t.best = { x = p.x } end if t.best ~= 1 then sum = sum + t.best.x end`,
	`local t = { v = p } if p.k == 3 then t.v = nil end if t.v then t.v.x = t.v.x + 1 end`,
	`local t = { { n = 1 }, { n = 2 } } t[1].n = nil if p.k == 2 then t[2] = nil end sum = sum + #t`,
	`local t = { x = p.x } local u = t u.x = nil sum = sum + (t.x or 1)`,
	`local function f(o) o.x = nil end local t = { x = p.x } if p.k > 1 then f(t) end sum = sum + (t.x or 1)`,
	`local t = { e = e, n = p.x } t.e, t.n = t.n, nil sum = sum + t.e + (t.n or 1)`,
	`local cost = ({ 5, 7, 9 })[p.k] or 1 sum = sum + cost`,
	`local n = ({ "x", "y", p.x })[p.k] if n == "y" then sum = sum + 1 elseif n ~= "x" then p.x = n end`,
	`local n = ({ x = 1, [2] = 2, [3] = p.x })[p.k] or 0 sum = sum + n + ({ x = p.x }).x + #({ 1, 2, p.k })`,
	`local z = p.k == 2 and p.x or nil local t = { x = z, y = p.x } sum = sum + (t.x or 7) + t.y`,
	`local z = p.k == 2 and p.x or nil local t = { x = z } if t.x then sum = sum + t.x end t.x = 3 sum = sum + t.x`,
	`local z = p.k > 1 and "a" or nil local t = { s = z, n = p.x } if t.s == "a" then sum = sum + t.n elseif not t.s then sum = sum - 1 end`,
	`local z = p.k == 2 and p.x or nil local t = { x = z, y = { z = z } } local u = t if u.y.z then sum = sum + u.y.z end z = 5 sum = sum + (t.x or 2)`,
	`local function f(o) return (o.x or 1) + (o.y or 2) end local z = p.k == 2 and p.x or nil sum = sum + f({ x = z }) + f({ y = z, x = p.k }) + f{ y = p.x }`,
	`local z = p.k ~= 2 and p.x or nil local t = { x = z } t.x = nil t.y = z sum = sum + (t.x or 1) + (t.y or 2)`,
	`local on = p.k == 1 or nil local t = { on = on, off = not on } if t.on then sum = sum + 1 end if t.off == nil then sum = sum + 9 end`,
	`local t = { 1, 2, 3 } t[#t] = nil t[2] = nil sum = sum + #t + (t[2] or 0) t[1] = "one" text = t[1]`,
}

// Such a row does the same with every implementation.
func TestPartsOfMadeTablesChangeKind(t *testing.T) {
	t.Parallel()
	for _, body := range madePartBodies {
		source := exitSource(`for e, p in world:each("P") do `+body+` end`, exitPatterns["none"], exitCalls[0])
		sameCompiled(t, source, body, byAny)
	}
}
