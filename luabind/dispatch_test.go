package luabind

import (
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// dispatchHead is the file around the loops of these tests: classes with bases, objects in lists and in members, and vectors
// with operators.
const dispatchHead = `local ecs = require("ecs")
ecs.component("Cell", { x = "f64", y = "f64", k = "i32", s = "string", b = "bool", who = "entity" }) ecs.tag("red")
local Vec = {} Vec.__index = Vec
local function new(x, y) return setmetatable({ x = x, y = y }, Vec) end
function Vec.__add(a, b) if type(b) == "number" then return new(a.x + b, a.y + b) end return new(a.x + b.x, a.y + b.y) end
function Vec.__sub(a, b) return new(a.x - b.x, a.y - b.y) end
function Vec.__mul(a, s) if type(a) == "number" then return new(a * s.x, a * s.y) end return new(a.x * s, a.y * s) end
function Vec.__div(a, s) return a.x / s end
function Vec.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vec.__lt(a, b) return a:len() < b:len() end
function Vec.__le(a, b) return not (b < a) end
function Vec:len() return math.sqrt(self.x * self.x + self.y * self.y) end
function Vec:unit() local l = self:len() if l == 0 then return new(0, 0) end return new(self.x / l, self.y / l) end
function Vec:set(x, y) self.x, self.y = x, y return self end
function Vec:both() return self.x, self.y end
local Animal = { legs = 4, kind = "animal" } Animal.__index = Animal
function Animal.new(name) local self = setmetatable({}, Animal) self.name = name self.n = 0 return self end
function Animal:walk(dt) self.n = self.n + self.legs * dt return self.n end
function Animal:name_of() return self.name end
function Animal:maybe(x) if x > 3 then return x end end
function Animal:mixed(x) if x > 3 then return x elseif x > 2 then return "s" end return { x } end
function Animal:find(x) return x, self end
local Dog = setmetatable({}, { __index = Animal, __tostring = function() return "Dog" end }) Dog.__index = Dog
function Dog.new(name) local self = setmetatable(Animal.new(name), Dog) self.tail = { n = 0 } return self end
function Dog:walk(dt) self.tail.n = self.tail.n + 1 return Animal.walk(self, dt * 2) end
function Dog:bark() return self.name .. "!" end
local Other = setmetatable({}, { __add = function(a, b) return 100 end, __lt = function() return true end, __eq = function() return true end })
local locked = setmetatable({}, { __metatable = "no" })
local pets, list, by, kept, M = { Dog.new("rex"), Animal.new("cat"), Dog.new("bo") }, {}, {}, new(1, 2), { goal = new(4, 5), child = { pet = Dog.new("kid") } }
local function show(t, depth)
  if type(t) ~= "table" then return tostring(t) end
  local parts, meta = {}, getmetatable(t)
  for k, v in pairs(t) do if #parts < 60 then parts[#parts + 1] = tostring(k) .. "=" .. (depth < 3 and show(v, depth + 1) or type(v)) end end
  local name = meta == nil and "" or meta == Vec and "Vec" or meta == Dog and "Dog" or meta == Animal and "Animal" or "?"
  return name .. #t .. "{" .. table.concat(parts, " ") .. "}"
end
local KINDS = { "apple", "bread", "sword" }
local function init(world)
  local last = ecs.none
  for i = 1, 60 do last = world:spawn{ Cell = { x = i %% 7, y = i %% 3, k = i %% 4, s = KINDS[i %% 3 + 1], b = i %% 2 == 0, who = last } } end
end
local best, seen
local function run(world, dt)
  local sum, at, word = 0, new(0, 0), ""
  for e, c in world:each("Cell") do %s end
  print(sum, show(at, 0), word)
end
local function update(world, dt)
  %s
  print(show(pets, 0), show(list, 0), show(by, 0), show(kept, 0), show(M, 0), show(best, 0), show(seen, 0), show(locked, 0))
end
return { init = init, update = update }
`

// dispatchLoops are bodies of loops with objects and vectors.
var dispatchLoops = []string{
	// vectors made in the row
	`local p = new(c.x, c.y) + new(1, dt) c.x, c.y = p.x, p.y`,
	`local d = (M.goal - new(c.x, c.y)):unit() * 3 c.x = c.x + d.x c.y = c.y + d.y`,
	`at = at + new(c.x, c.y) * dt sum = sum + at:len()`,
	`local p = 2 * new(c.x, c.y) sum = sum + p / 2 + p.y`,
	`local p = new(c.x, c.y) + 1 sum = sum + p.x * p.y`,
	`if new(c.x, c.y) == new(3, 0) then sum = sum + 1 end if new(c.x, c.y) ~= M.goal then sum = sum + 10 end`,
	`local p = new(c.x, c.y) if not best or best < p then best = p end`,
	`local p = new(c.x, c.y) if best == nil or p >= best then best = p:set(c.y, c.x) end`,
	`local p = new(c.x, c.y) if p > kept and p <= M.goal then sum = sum + p:len() end`,
	`kept:set(c.x, c.y) sum = sum + kept:len() at = kept`,
	`local x, y = new(c.x, c.y):both() c.x = y c.y = x`,
	`at.x, at.y = at.x + c.x, at.y - c.y local d = at:unit() sum = sum + d.x`,
	`list[#list + 1] = new(c.x, c.k) if #list > 5 then sum = sum + list[#list]:len() end`,
	`for i, v in ipairs({ new(1, 2), new(c.x, 1) }) do sum = sum + v:len() * i end`,
	`local p = new(c.x, c.y) p.z = c.k p:set(p.z, 1) sum = sum + p.x`,
	`local p = new(c.x, "a") sum = sum + p.x if c.k == 3 then sum = sum + p:len() end`,
	`local p = new(c.x, c.y) if c.k == 2 then p = p - 1 end sum = sum + p.x`,
	`local p = c.k > 1 and new(c.x, c.y) or kept sum = sum + p:len()`,
	`local p = new(c.x, c.y) local q = p p = p + q sum = sum + q.x + p.x if p == q then sum = sum + 100 end`,
	// operators of other tables, and of no table
	`local p = Other + new(c.x, c.y) sum = sum + p`,
	`local p = new(c.x, c.y) + Other sum = sum + p.x`,
	`if Other < kept then sum = sum + 1 end`,
	`if Other == kept then sum = sum + 1 end if Other == locked then sum = sum + 10 end if pets[1] == pets[2] then sum = sum + 100 end`,
	`local v = by[c.k] or c.x by[c.k] = v + dt sum = sum + v * 2`,
	`by[1] = by[1] or new(1, 1) by[2] = by[2] or 5 local v = by[c.k] if v then by[c.k] = v * 2 end if c.k == 1 then by[1] = by[1]:unit() end`,
	`local a, b = by[c.k] or c.s, by[c.s] or c.s if c.k > 8 then sum = sum + a end sum = sum + (a == b and 1 or 2)`,
	// objects
	`local o = by[e] if not o then o = Dog.new(c.s) by[e] = o end sum = sum + o:walk(dt) if c.k == 1 then word = word .. o:bark() end`,
	`local d = Dog.new(c.s) c.x = c.x + d:walk(dt) c.s = d:name_of() .. d.kind`,
	`local o = pets[c.k] if o then sum = sum + o:walk(c.x) end`,
	`for _, o in ipairs(pets) do sum = sum + o:walk(1) end`,
	`for i = 1, #pets do local o = pets[i] if o.name == c.s then o.name = "hit" end o:walk(dt) end`,
	`sum = sum + M.child.pet:walk(c.y) M.child.pet.tail.owner = c.s`,
	`local o = pets[c.k % 3 + 1] local m = o:maybe(c.x) if m then sum = sum + m end`,
	`local o = pets[c.k % 3 + 1] local m = o:mixed(c.x) if type(m) == "table" then sum = sum + m[1] elseif m == "s" then sum = sum + 10 else sum = sum + m end`,
	`local o = pets[c.k % 3 + 1] local x, same = o:find(c.x) if same == o then sum = sum + x end`,
	`local o = pets[c.k % 3 + 1] if c.k == 2 then sum = sum + o:missing(1) end`,
	`local o = pets[c.k % 3 + 1] if o.bark then sum = sum + 1 end o:walk(1)`,
	`local o = pets[c.k] o:walk(1)`,
	`local s = by[c.s] or c.s by[c.s] = s:upper() word = s:lower()`,
	`pets[1].walk = nil sum = sum + pets[1]:walk(1) pets[2].legs = c.k`,
	`if c.x == 3 then Dog.legs = 3 end local d = Dog.new("a") sum = sum + d:walk(1)`,
	`local o = c.k == 1 and kept or pets[1] if c.k == 1 then sum = sum + o:len() else sum = sum + o:walk(1) end`,
	// metatables
	`list[1] = list[1] or {} setmetatable(list[1], c.k > 1 and Dog or nil) if c.k == 3 then list[2] = list[1].kind end`,
	`local o = setmetatable({ n = c.x }, { __index = Animal }) sum = sum + o:walk(1)`,
	`local o = setmetatable(pets[1], Animal) sum = sum + o:walk(1) if c.k == 2 then setmetatable(o, Dog) end`,
	`local o = setmetatable({}, Vec) o.x, o.y = c.x, c.y sum = sum + o:len() if c.x == 5 then error("on purpose") end`,
	`setmetatable(pets[2], Dog) pets[2].tail = pets[2].tail or { n = 0 } sum = sum + pets[2]:walk(1) if c.k == 3 then setmetatable(pets[2], Animal) error({}) end`,
	`local was = pets[2].legs setmetatable(pets[2], nil) if c.k == 3 then error(tostring(was)) end setmetatable(pets[2], Animal)`,
	`if c.k == 3 then setmetatable(locked, Vec) end`,
	`setmetatable(by, Vec) by[c.k] = c.x if c.k == 2 then setmetatable(by, 3) end`,
	`setmetatable(c.x, Vec)`,
	`local o = setmetatable({ n = c.k }, nil) sum = sum + o.n`,
}

// Loops with objects and vectors do the same with every implementation, also when methods change between the calls.
func TestDispatchAlike(t *testing.T) {
	t.Parallel()
	for i, body := range dispatchLoops {
		calls := []string{
			"run(world, dt)", "print(pcall(run, world, dt)) print(pcall(run, world, dt))",
			"print(pcall(run, world, dt)) if world.frame == 2 then function Dog:walk(x) return x end Vec.len = function(v) return v.x end Vec.__add = function(a, b) return a end pets[4] = Animal.new(\"new\") end",
			"print(pcall(run, world, dt)) if world.frame == 2 then pets[2].walk = function(self, x) self.own = x return x end Vec.__eq = nil Vec.__lt = nil Dog.bark = nil setmetatable(Dog, nil) end",
		}
		for j := range effort.Of(len(calls)) { // for each body others
			source := fmt.Sprintf(dispatchHead, body, calls[(i+j)%len(calls)])
			exitsAlike(t, "", source)
		}
	}
}
