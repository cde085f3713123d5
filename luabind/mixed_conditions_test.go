package luabind

import "testing"

// mixedConditions are loops with conditions and values of which a kernel knows the type too well: constants of several types, drawn numbers that nobody uses, values that may be nil.
var mixedConditions = []rowsCase{
	{name: "a string and a number", leaves: "few", body: `for e, p in world:each("P") do if p.k > 3 and "x" < 3 then sum = sum + 1 end p.x = p.x + 1 end`},
	{name: "a number and a string", leaves: "few", body: `for e, p in world:each("P") do if p.k > 3 and 3 < "x" then sum = sum + 1 end p.x = p.x + 1 end`},
	{name: "a boolean and a number", leaves: "few", body: `for e, p in world:each("P") do if p.k > 3 then flag = true < 1 end p.x = p.x + 1 end`, ran: 12, left: 4, machine: true},
	{name: "a number and a boolean", leaves: "few", body: `for e, p in world:each("P") do if p.k > 3 then flag = 1 <= true end p.x = p.x + 1 end`, ran: 12, left: 4, machine: true},
	{name: "constants, by each operator", body: `for e, p in world:each("P") do if 1 < 2 and 2 > 1 and 1 <= 1 and 2 >= 3 then sum = sum + 1 end if 1 == 1 and 1 ~= 2 then sum = sum + 2 end if 2 < 1 or 1 > 2 or 2 <= 1 or 1 >= 2 or 1 == 2 or 1 ~= 1 then sum = sum + 4 end p.x = p.x + 1 end`, ran: 600, machine: true},
	{name: "views behind a condition that may be false", body: `for e, p in world:each("P") do local any = p.k == 1 and 5 or p.k == 2 and "s" or false local v = any and world:get(e, "Q") local w = world:get(e, "Q") if v == w then sum = sum + 1 end end`, ran: 600},
	{name: "views behind a condition that is nil", body: `for e, p in world:each("P") do local any = p.k == 1 and 5 or "s" if p.k == 2 then any = nil end local v = any and world:get(e, "Q") local w = world:get(e, "Q") if v == w then sum = sum + 1 end end`, ran: 600},
	{name: "views behind a boolean", body: `for e, p in world:each("P") do local v = p.k > 1 and world:get(e, "Q") if v == world:get(e, "Q") then sum = sum + 1 end end`, ran: 600, machine: true},
	{name: "two views behind booleans", body: `for e, p in world:each("P") do local v, w = p.k > 1 and world:get(e, "Q"), p.x > 3 and world:get(p.k < 4 and e or ecs.none, "Q") if v == w then sum = sum + 1 end if w ~= v then sum = sum + 3 end if v == world:get(ecs.none, "Q") then sum = sum + 5 end end`, ran: 600, machine: true},
	{name: "a method of strings of a number", leaves: "few", body: `for e, p in world:each("P") do p.x = p.x + 1 if p.k > 3 then text = p.x:rep(2) end end`, ran: 12, left: 4, machine: true},
	{name: "a method of strings of a variable", body: `for e, p in world:each("P") do local t = p.k if p.k > 1 then t = p.x end text = t:rep(2) end`},
	{name: "a drawn number, and", body: `for e, p in world:each("P") do sum = sum + (ecs.random(6) and 1) end`, ran: 600, machine: true},
	{name: "a drawn number, and a field", body: `for e, p in world:each("P") do local v = ecs.random() and p.x sum = sum + v end`, ran: 600, machine: true},
	{name: "a drawn number, or", body: `for e, p in world:each("P") do sum = sum + (ecs.random(6) or 1) end`, ran: 600, machine: true},
	{name: "a field of a view that is nil, and", body: `for e, p, q, r in world:each(some) do sum = sum + (r.z and 1) end`, left: 4},
	{name: "a field of a view that has been asked about, and", body: `for e, p, q, r in world:each(some) do if r then sum = sum + (r.z and 1) else sum = sum + 2 end end`, ran: 600, machine: true},
	{name: "an element that is nil, and", leaves: "few", body: `for e, p in world:each("P") do sum = sum + (nums[p.k] + 1 and 1) end`, ran: 12, left: 4, machine: true},
	{name: "nil behind an empty branch", leaves: "few", body: `for e, p in world:each("P") do local t if nums[p.k] then t = p.x end if not t then end sum = sum + t end`, ran: 12, left: 4, machine: true},
	{name: "nil behind a branch that goes on", leaves: "few", body: `for e, p in world:each("P") do local t if nums[p.k] then t = p.x end if t == nil then up = up + 1 end sum = sum + t end`, ran: 12, left: 4, machine: true},
	{name: "no nil behind goto", leaves: "few", body: `for e, p in world:each("P") do local t if nums[p.k] then t = p.x end if not t then goto continue end sum = sum + t ::continue:: end`, ran: 600, machine: true},
	{name: "no nil behind return", leaves: "few", body: `for e, p in world:each("P") do local t if nums[p.k] then t = p.x end if not t then return sum end sum = sum + t end`, ran: 16, machine: true},
	{name: "no nil behind break", leaves: "few", body: `for e, p in world:each("P") do local t if nums[p.k] then t = p.x end if not t then break end sum = sum + t end`, ran: 16, machine: true},
	{name: "no nil behind the break of an inner loop", leaves: "few", body: `for e, p in world:each("P") do local t if nums[p.k] then t = p.x end for i = 1, 3 do if t == nil then break end sum = sum + t end end`, ran: 600, machine: true},
	{name: "nil behind the break of an inner loop", leaves: "few", body: `for e, p in world:each("P") do local t if nums[p.k] then t = p.x end for i = 1, 3 do if not t then break end end sum = sum + t end`, ran: 12, left: 4, machine: true},
}

// A comparison of other types, and nil where a number is used, raise the error of the interpreter; what nobody uses is evaluated all the same.
func TestMixedConditions(t *testing.T) { sameRows(t, mixedConditions) }
