package luabind

import "testing"

// insertedSource is a file with a field that holds tables.
const insertedSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", t = "table" })
local held, other, any = { n = 1 }, { n = 2 }, { 5, "s", { 3 } }
return { init = function(world) for i = 1, 150 do world:spawn{ P = { x = i, k = i % 3 + 1, t = { 1, { 5, i }, "s" } } } end end,
update = function(world, dt)
  local l, n = { 1, 2 }, 0
  BODY
  for i, v in ipairs(l) do n = n + (type(v) == "table" and v[2] or type(v) == "number" and v or 7) end
  print(#l, n, held.n, type(any))
end }`

// insertedValues are loops that put values of any kind into lists, and assign to views that a table has kept.
var insertedValues = []rowsCase{
	{name: "insert parts of a field", source: insertedSource, body: `for e, p in world:each("P") do table.insert(l, 1, p.t[p.k]) end`, ran: 600},
	{name: "append parts of a field", source: insertedSource, body: `for e, p in world:each("P") do table.insert(l, p.t[p.k]) end`, ran: 600},
	{name: "store parts of a field", source: insertedSource, body: `for e, p in world:each("P") do l[#l + 1] = p.t[p.k] end`, ran: 600},
	{name: "insert tables of a field and change them", source: insertedSource, body: `for e, p in world:each("P") do local q = p.t[2] l[#l + 1] = q table.insert(l, q) table.insert(l, 2, q) q[2] = q[2] + 1 end`, ran: 600},
	{name: "insert views", body: `local l = { 1, 2 } for e, p in world:each("P") do table.insert(l, 1, p) end print(#l, l[1].x, l[#l])`, ran: 600},
	{name: "insert tables that are changed", body: `local l = { 1, 2 } for e, p in world:each("P") do local t = { x = 1 } table.insert(l, 1, t) t.x = 2 end print(#l, l[1].x)`, ran: 600},
	{name: "insert nil and values of several types", body: `local l = { 1, 2 } for e, p in world:each("P") do last = p.k > 1 and "s" or 1 table.insert(l, 1, last) table.insert(l, 1, nil) end print(#l, l[1], l[2])`, ran: 600},
	{name: "assign a field that a kept view does not have", body: `local held = {} for e, p in world:each("P") do held[e] = p last = held[e] if p.x == 60 then last.nope = 3 end last.x = last.x + 1 end`, ran: 476, left: 4},
	{name: "assign a field that no kept view has", body: `local held = {} for e, p in world:each("P") do held[e] = p last = held[e] last.nope = 3 end`, left: 4},
	{name: "assign a field of one of two kept views", body: `local held = {} for e, p, q in world:each("P", "Q") do if p.k > 1 then held.v = p else held.v = q end local v = held.v v.y = 3 end`, left: 4},
}

// What a list cannot hold as it is, and a field that a view does not have, is left to the interpreter.
func TestInsertedValues(t *testing.T) { sameRows(t, insertedValues) }
