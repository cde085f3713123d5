package luabind

import "testing"

// objectLibrary has classes with inheritance, for objects that stand in a table.
const objectLibrary = `local C = {}
local function class(base)
  local c = {}
  c.__index = c
  if base then setmetatable(c, { __index = base }) end
  c.new = function(...) local o = setmetatable({}, c) o:init(...) return o end
  return c
end
local Animal = class()
Animal.legs = 4
function Animal:init(world, e) self.e, self.pos, self.q = e, world:get(e, "P"), world:get(e, "Q") self.n = 0 end
function Animal:speed() return 1 end
function Animal:move(dt) self.pos.x = self.pos.x + self:speed() * dt end
function Animal:update(world, dt) self:move(dt) self.q.v = self.q.v + self.legs end
function Animal:count(by) self.n = self.n + by return self.n end
function Animal:both() return self.n, self.legs end
function Animal:find(other) if other > 3 then return self.e end end
local Dog = class(Animal)
function Dog:speed() return self.q.kind == "dog" and 3 or 2 end
function Dog:bark() return 7 end
local Owl = class(Dog)
Owl.legs = 2
function Owl:speed() return 5 end
function Owl:move(dt) Animal.move(self, dt) self.pos.y = self.pos.y + math.sin(self.q.v) * dt end
function Owl:count(by) if by > 2 then return self.n end self.n = self.n + by * 2 return self.n end
C.cat, C.dog, C.owl = Animal, Dog, Owl
function C.plain(e) return { n = 1, add = function(self, v) self.n = self.n + v end } end
function C.own(world, e, base) local o = setmetatable({}, { __index = base }) o:init(world, e) return o end
return C
`

const objectHead = `local C = require("classes")
local objects, turns, made = {}, 0, {}
local world_of = { objects = objects }
return function(world, dt) turns = turns + 1 local n, s = 0, ""
for e, p, q in world:each("P", "Q") do if turns == 1 then objects[e] = C[q.kind].new(world, e) made[#made + 1] = objects[e] end end
`

const objectTail = `
local sum = 0
for i, o in ipairs(made) do sum = sum + o.n * i if i < 3 then for k, v in pairs(o) do s = s .. k .. "=" .. type(v) .. " " end end end
print(n, sum, s) end`

// Methods of objects that are found in a table do what they do interpreted.
func TestObjectsInTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		line int // of a loop of which no row is left to the interpreter
	}{
		{`for e, p, q in world:each("P", "Q") do local o = objects[e] if o then o:update(world, dt) end end`, 6},
		{`for e, p, q in world:each("P", "Q") do objects[e]:update(world, dt) end`, 6},
		{`for e, q in world:each("Q") do local o = objects[e] o:move(dt) end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] n = n + o:count(1) end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] n = n + o:count(p.x) + o:count(1) end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] local a, b = o:both() n = n + a * b + o.legs end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] o.n = o.n + o.legs p.y = o.n end`, 6},
		{`for e, p, q in world:each("P", "Q") do local o = world_of.objects[e] o:update(world, dt) end`, 6},
		{`for e, q in world:each("Q") do local o = objects[q.o] if o then n = n + o.pos.x o.pos.y = o.pos.y + 1 end end`, 6},
		{`for e, p, q in world:each("P", "Q") do local o, f = objects[e], objects[q.o] if f then f:move(dt) end o:move(dt) end`, 6},
		{`for e, p, q in world:each("P", "Q") do local f = objects[e]:find(p.x) if f then n = n + 1 end end`, 6},
		{`local function tick(o, dt) o:move(dt) return o:speed() end for e, p in world:each("P") do n = n + tick(objects[e], dt) end`, 6},
		{`local Owl = C.owl for e, p in world:each("P") do Owl.move(objects[e], dt) end`, 6},
		{`for e, p in world:each("P") do if p.x > 3 then objects[e]:count(1) else n = n + objects[e]:speed() end end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] o.n = o.n + o.legs C.legs = p.x end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] o.n = o.n + o.legs C.cat.legs = C.cat.legs + 1 end`, 0},
		{`local Cat = C.cat for e, p in world:each("P") do local o = objects[e] o.n = o.n + o.legs Cat.legs = Cat.legs + 1 end`, 0},
		{`objects.cat = C.cat for e, p in world:each("P") do local o, c = objects[e], objects.cat o.n = o.n + o.legs c.legs = c.legs + 1 end`, 0},
		// What the objects are changes.
		{`if turns == 2 then C.dog.speed = function(self) return -1 end end for e, p in world:each("P") do objects[e]:move(dt) end`, 6},
		{`if turns == 3 then C.cat.legs = 6 C.owl.legs = nil end for e, p, q in world:each("P", "Q") do objects[e]:update(world, dt) end`, 6},
		{`if turns == 2 and made[2] then made[2].speed = function(self) return self.n + 9 end end for e, p in world:each("P") do objects[e]:move(dt) end`, 0},
		{`if turns == 2 and made[2] then setmetatable(made[2], C.owl) end for e, p in world:each("P") do objects[e]:move(dt) end`, 6},
		{`if turns == 3 then for e, q in world:each("Q") do if q.kind == "owl" then objects[e] = nil end end end for e, p in world:each("P") do local o = objects[e] if o then o:move(dt) else n = n + 1 end end`, 6},
		{`if turns == 2 then for e, p in world:each("P") do objects[e] = C.own(world, e, C.owl) end end for e, p in world:each("P") do objects[e]:move(dt) end`, 0},
		{`if turns == 2 and made[1] then setmetatable(made[1], { __index = function(t, k) return C.owl[k] end }) end for e, p in world:each("P") do objects[e]:move(dt) end`, 0},
		{`if turns == 2 and made[1] then setmetatable(made[1], { __index = C.cat, __newindex = function(t, k, v) rawset(t, k, v * 2) end }) made[1].n = nil end for e, p in world:each("P") do objects[e]:count(1) made[1].n = made[1].n or 1 end`, 0},
		{`if turns == 2 and made[1] then made[1].pos = made[#made].pos end for e, p in world:each("P", "Q") do objects[e]:move(dt) end`, 0},
		{`if turns == 2 and made[1] then made[1].pos = nil end for e, p in world:each("P") do objects[e]:move(dt) end`, 0},
		{`if turns == 2 and made[1] then made[1].n = "3" end for e, p in world:each("P") do n = n + objects[e]:count(1) end`, 0},
		{`if turns == 2 and made[2] then for e, p in world:each("P") do if objects[e] == made[1] then objects[e] = made[2] end end end for e, p in world:each("P") do n = n + objects[e]:count(1) end`, 0},
		{`if turns == 2 then for e in world:each("P") do objects[e] = C.plain(e) end end for e, p in world:each("P") do local o = objects[e] if o.add then o:add(1) else o:count(1) end end`, 0},
		{`if turns == 2 then C.cat.count = nil end for e, p in world:each("P") do n = n + objects[e]:count(1) end`, 0},
		{`if turns == 2 then local D = setmetatable({}, { __index = C.cat }) D.__index = D function D:speed() return 11 end for i, o in ipairs(made) do if i % 2 == 0 then setmetatable(o, D) end end end for e, p in world:each("P") do objects[e]:move(dt) end`, 0},
		// Errors, and rows that are left.
		{`print(pcall(function() for e, p in world:each("P") do local o = objects[e] o:move(dt) if p.y == 1 then o:missing() end end end))`, 0},
		{`print(pcall(function() for e, p in world:each("P") do if p.y == 60 and turns == 2 then objects[e] = nil end objects[e]:count(1) end end))`, 0},
		{`for e, p in world:each("P") do local o = objects[e] if p.y == 60 then print(o:both()) end o:count(1) end`, 0},
		{`for e, p in world:each("P") do local o = objects[e] if o:count(1) > 2 then break end end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] o.a = p.x o.b = p.y end`, 0},
		{`for e, p in world:each("P") do local o = objects[e] o.hits = (o.hits or 0) + 1 n = n + o.hits end`, 6},
		{`for e, p in world:each("P") do local o = objects[e] o.legs = o.legs + 1 n = n + o.legs end`, 0},
		{`for e, p in world:each("P") do C.cat.legs = 5 objects[e]:count(1) n = n + objects[e].legs end`, 0},
		{`for e, p in world:each("P") do objects[e].pos = p objects[e]:move(dt) end`, 0},
		{`for e, p in world:each("P") do local a, b = objects[e]:count(1) n = n + a if b then n = n + 1 end end`, 6},
		{`for e, p in world:each("P") do for f, r in world:each("S") do local o = objects[f] o:count(1) n = n + o:speed() if r.v > 2 then break end end end`, 0},
		{`for e, q in world:each("Q") do local o = objects[q.v + 1] if o then n = n + o:speed() end end for i, o in ipairs(made) do o:count(1) end`, 0},
		{`for e, p, q in world:each("P", "Q") do local o = made[q.v + 1] if o then n = n + o:count(1) o:move(dt) end end`, 6},
	} {
		sameInSizes(t, map[string]string{"classes": objectLibrary, "a": objectHead + c.body + objectTail}, c.line)
	}
}
