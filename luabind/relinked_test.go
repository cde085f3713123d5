package luabind

import "testing"

// relinkedSource is a file with objects of two classes. INIT and BODY stand for what is done once, and in each frame.
const relinkedSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32" })
local C, D = {}, {} C.__index, D.__index = C, D
function C:add(x) self.n = self.n + x return self.n end
function D:add(x) self.n = self.n - x return self.n end
local objs, frame, names, K = {}, 0, { "a", "b", "c" }, nil
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
	{name: "a table without the method among objects", source: relinkedSource, init: `fill(C)`, body: `if frame == 2 then objs[2] = { n = 5 } end for e, p in world:each("P") do if p.k == 2 and p.x > 40 then break end sum = sum + objs[p.k]:add(p.x) end`, ran: 43, left: 3, machine: true},
	{name: "tables in a list that is walked", body: `local K = { { a = 1 }, { a = 2 }, { a = 3 } } for e, p in world:each("P") do for i, k in ipairs(K) do sum = sum + k.a end K[2].a = p.x end`, ran: 600, machine: true},
	{name: "names of which one was removed", body: `local K = { x = 1, y = 2, z = 3 } K.y = nil for e, p in world:each("P") do for k, v in pairs(K) do sum = sum + v text = k end end`, ran: 600, machine: true},
	{name: "a list with nil in it", body: `local K = { 1, 2, 3, nil, 5 } for e, p in world:each("P") do for i, v in ipairs(K) do sum = sum + v end end`, ran: 600, machine: true},
	{name: "functions of which one was removed", body: `local K = { f = function(x) return x + 1 end, g = function(x) return x * 2 end } K.g = nil for e, p in world:each("P") do sum = sum + K.f(p.x) end`, ran: 600, machine: true},
	{name: "a method that comes later", source: relinkedSource, init: `fill(C)`, body: `if frame == 3 then function C:extra() return self.n * 2 end end for e, p in world:each("P") do local o = objs[p.k] if frame > 2 then sum = sum + o:extra() end end`, ran: 600, machine: true},
	{name: "a method of objects that is replaced by one of the library", source: relinkedSource, init: `fill(C) C.kind = type`, body: `if frame == 3 then C.kind = type end if frame == 4 then function C:kind() return "own" end end for e, p in world:each("P") do local o = objs[p.k] if o:kind() == "table" then sum = sum + 1 end end`, ran: 150, left: 17, machine: true},
	{name: "a method of a base that is replaced", source: relinkedSource, init: `setmetatable(C, { __index = { twice = function(self, x) return self.n + 2 * x end } }) fill(C)`, body: `if frame == 3 then getmetatable(C).__index.twice = D.add end for e, p in world:each("P") do sum = sum + objs[p.k]:twice(p.x) end`, ran: 600, machine: true},
	{name: "many objects of one class", source: relinkedSource, init: `for i = 1, 21 do objs[i] = setmetatable({ n = i }, i > 18 and D or C) end`, body: `for e, p in world:each("P") do sum = sum + objs[p.x % 21 + 1]:add(p.x) end`, ran: 600, machine: true},
	{name: "objects, and a list that is written", source: relinkedSource, init: `fill(C)`, body: `local list = { 1, 2, 3 } for e, p in world:each("P") do sum = sum + objs[p.k]:add(p.x) list[p.k] = list[p.k] + p.x end sum = sum + list[2]`, ran: 600, machine: true},
	{name: "objects with a base, and a list that is written", source: relinkedSource, init: `setmetatable(C, { __index = { twice = function(self, x) return self.n + 2 * x end } }) fill(C)`, body: `local list = { 1, 2, 3 } for e, p in world:each("P") do sum = sum + objs[p.k]:twice(p.x) list[p.k] = list[p.k] + p.x end sum = sum + list[2]`, ran: 600, machine: true},
	{name: "a metatable that gets another base", source: relinkedSource, init: `fill({ __index = C })`, body: `if frame == 3 then getmetatable(objs[1]).__index = D end for e, p in world:each("P") do sum = sum + objs[p.k]:add(p.x) end`, ran: 599, left: 1, machine: true},
	{name: "a metatable that gets another base, and objects in a local", source: relinkedSource, init: `fill({ __index = C })`, body: `if frame == 3 then getmetatable(objs[1]).__index = D end for e, p in world:each("P") do local o = objs[p.k] sum = sum + o.n + o:add(p.x) end`, ran: 599, left: 1, machine: true},
	{name: "another metatable with the same base", source: relinkedSource, init: `fill({ __index = C })`, body: `if frame == 3 then fill({ __index = C }) end for e, p in world:each("P") do local o = objs[p.k] sum = sum + o.n + o:add(p.x) end`, ran: 600, machine: true},
	{name: "members of objects, without a method", source: relinkedSource, init: `for i, name in ipairs(names) do objs[name] = setmetatable({ n = i }, C) end`, body: `for e, p in world:each("P") do sum = sum + objs[names[p.k]].n end`, ran: 600, machine: true},
	{name: "members of objects that are assigned, without a method", source: relinkedSource, init: `for i, name in ipairs(names) do objs[name] = setmetatable({ n = i }, C) end`, body: `for e, p in world:each("P") do local o = objs[names[p.k]] o.n = o.n + p.x sum = sum + o.n end`, ran: 600, machine: true},
	{name: "a function with another variable in each frame", source: relinkedSource, body: `local n = frame K = { f = function(x) return x + n end } for e, p in world:each("P") do sum = sum + K.f(p.x) end`, ran: 600, machine: true},
	{name: "functions in tables with another variable in each frame", source: relinkedSource, body: `local n = frame K = { a = { f = function(x) return x + n end }, b = { f = function(x) return x * n end }, c = { f = function(x) return n end } } for e, p in world:each("P") do sum = sum + K[names[p.k]].f(p.x) end`, ran: 600, machine: true},
	{name: "functions under names with another variable in each frame", source: relinkedSource, body: `local n = frame K = { a = function(x) return x + n end, b = function(x) return x * n end, c = function(x) return n end } for e, p in world:each("P") do sum = sum + K[names[p.k]](p.x) end`, ran: 600, machine: true},
	{name: "functions in a list with another variable in each frame", source: relinkedSource, body: `local n = frame K = { function(x) return x + n end, function(x) return x * n end, function(x) return n end } for e, p in world:each("P") do sum = sum + K[p.k](p.x) end`, ran: 600, machine: true},
	{name: "functions in a list that is walked, with another variable in each frame", source: relinkedSource, body: `local n = frame K = { function(x) return x + n end, function(x) return x * n end, function(x) return n end } for e, p in world:each("P") do for i, f in ipairs(K) do sum = sum + f(p.x) end end`, ran: 600, machine: true},
	{name: "functions that assign a variable, which is another one in most frames", source: relinkedSource, body: `local n = frame if frame ~= 3 then K = { a = { f = function(x) n = n + 1 return x + n end }, b = { f = function(x) return x * n end }, c = { f = function(x) return n end } } end for e, p in world:each("P") do sum = sum + K[names[p.k]].f(p.x) end`, ran: 600, machine: true},
	{name: "objects under names", source: relinkedSource, init: `objs.a, objs.b, objs.c = setmetatable({ n = 1 }, C), setmetatable({ n = 2 }, C), setmetatable({ n = 3 }, D)`, body: `local names = { "a", "b", "c" } for e, p in world:each("P") do sum = sum + objs[names[p.k]]:add(p.x) end`, ran: 600, machine: true},
	{name: "objects under other keys", source: relinkedSource, init: `for i = 1, 3 do objs[i + 0.5] = setmetatable({ n = i }, i < 3 and C or D) end`, body: `for e, p in world:each("P") do sum = sum + objs[p.k + 0.5]:add(p.x) end`, ran: 600, machine: true},
}

// A loop does what is right for the objects that it finds now, and becomes machine code again.
func TestRelinked(t *testing.T) { sameRows(t, relinkedLoops) }
