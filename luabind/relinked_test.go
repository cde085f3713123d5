package luabind

import "testing"

// relinkedSource is a file with objects of two classes. INIT and BODY stand for what is done once, and in each frame.
const relinkedSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32" })
local C, D = {}, {} C.__index, D.__index = C, D
function C:add(x) self.n = self.n + x return self.n end
function D:add(x) self.n = self.n - x return self.n end
local objs, frame = {}, 0
local function fill(class) for i = 1, 3 do objs[i] = setmetatable({ n = i }, class) end end
return { init = function(world) for i = 1, 150 do world:spawn{ P = { x = i, k = i % 3 + 1 } } end INIT end,
update = function(world, dt)
  local sum = 0
  frame = frame + 1
  BODY
  print(sum)
end }`

// relinkedLoops are loops that were linked for objects, methods and constants which change later.
var relinkedLoops = []rowsCase{
	{name: "a method that is replaced", source: relinkedSource, init: `fill(C)`, body: `if frame == 2 then function C:add(x) self.n = self.n - x return self.n * 2 end end for e, p in world:each("P") do sum = sum + objs[p.k]:add(p.x) end`, ran: 600, machine: true},
	{name: "objects that come later", source: relinkedSource, body: `if frame == 2 then fill(C) end for e, p in world:each("P") do if objs[p.k] then sum = sum + objs[p.k]:add(p.x) end end`, ran: 600, machine: true},
	{name: "objects that come later, in a local", source: relinkedSource, body: `if frame == 3 then fill(C) end for e, p in world:each("P") do local o = objs[p.k] if o then sum = sum + o:add(p.x) end end`, ran: 600, machine: true},
	{name: "an object of another class", source: relinkedSource, init: `fill(C)`, body: `if frame == 2 then objs[2] = setmetatable({ n = 2 }, D) end for e, p in world:each("P") do sum = sum + objs[p.k]:add(p.x) end`, ran: 599, left: 1, machine: true},
	{name: "objects of another class", source: relinkedSource, init: `fill(C)`, body: `if frame == 2 then fill(D) end for e, p in world:each("P") do sum = sum + objs[p.k]:add(p.x) end`, ran: 599, left: 1, machine: true},
	{name: "a table with the method among objects", source: relinkedSource, init: `fill(C)`, body: `if frame == 2 then objs[2] = { n = 5, add = C.add } end for e, p in world:each("P") do sum = sum + objs[p.k]:add(p.x) end`, ran: 492, left: 22},
	{name: "a table without the method among objects", source: relinkedSource, init: `fill(C)`, body: `if frame == 2 then objs[2] = { n = 5 } end for e, p in world:each("P") do if p.k == 2 and p.x > 40 then break end sum = sum + objs[p.k]:add(p.x) end`, ran: 43, left: 3, machine: true},
	{name: "the same objects in each frame", source: relinkedSource, init: `fill(C)`, body: `for e, p in world:each("P") do sum = sum + objs[p.k]:add(p.x) end`, ran: 600, machine: true},
	{name: "a list that is also written by another name", body: `local K = { 1, 2, 3 } local L = K for e, p in world:each("P") do for i, k in ipairs(K) do sum = sum + k end L[p.k] = p.x end`, ran: 596, left: 4},
	{name: "names that are also written by another name", body: `local K = { x = 1, y = 2, z = 3 } local L = K for e, p in world:each("P") do for k, v in pairs(K) do sum = sum + v end L.x = p.x end`, ran: 595, left: 5},
	{name: "texts that are also written by another name", body: `local K = { "a", "b", "c" } local L = K for e, p in world:each("P") do text = K[p.k] if p.x > 50 then L[2] = "z" end end`, ran: 136, left: 16, machine: true},
	{name: "tables in a list that is walked", body: `local K = { { a = 1 }, { a = 2 }, { a = 3 } } for e, p in world:each("P") do for i, k in ipairs(K) do sum = sum + k.a end K[2].a = p.x end`, ran: 600, machine: true},
	{name: "names of which one was removed", body: `local K = { x = 1, y = 2, z = 3 } K.y = nil for e, p in world:each("P") do for k, v in pairs(K) do sum = sum + v text = k end end`, ran: 600, machine: true},
	{name: "a list with nil in it", body: `local K = { 1, 2, 3, nil, 5 } for e, p in world:each("P") do for i, v in ipairs(K) do sum = sum + v end end`, ran: 600, machine: true},
	{name: "functions of which one was removed", body: `local K = { f = function(x) return x + 1 end, g = function(x) return x * 2 end } K.g = nil for e, p in world:each("P") do sum = sum + K.f(p.x) end`, ran: 600, machine: true},
}

// A loop does what is right for the objects that it finds now, and becomes machine code again.
func TestRelinked(t *testing.T) { sameRows(t, relinkedLoops) }
