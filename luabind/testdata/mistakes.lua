-- Mistakes of beginners: the message says what the value is and what to write.
local e = world:spawn{ Position = { x = 1 } }
e:despawn() --! attempt to index an entity (local "e"); write world:despawn(e)
---
local e = world:spawn{ Position = { x = 1 } }
e:greet() --! attempt to index an entity (local "e"); an entity is a number and has no functions
---
local e = world:spawn{ Position = { x = 1 } }
print(e.Position.x) --! attempt to index an entity (local "e"); write world:get(e, "Position")
---
world:spawn{ Position = { x = 1 } }
for pos in world:each("Position") do
  pos.x = 2 --! attempt to index an entity (local "pos"); a loop gives the entity first, then the views: for e, pos in world:each("Position") do; elsewhere write world:get(e, "Position")
end
---
local n = 5
print(n.x) --! attempt to index a number value (local "n")
---
local function update(self, world)
  return world:count() --! attempt to index a number value (local "world"); a function defined with a colon
end
update(world, 0.5)
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
for k in pairs(pos) do end --! bad argument #1 to 'pairs' (table expected, got a view of Position); ecs.fields(view) is a table of its fields
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
for k in pos do end --! attempt to loop over a view of Position; ecs.fields(view) is a table of its fields
---
for e in world do end --! attempt to loop over the world; write for e, pos in world:each("Position") do
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
print(#pos) --! attempt to get length of a view of Position (local "pos"); use one of its fields, such as pos.x
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
print(pos > 5) --! attempt to compare a view of Position with a number (local "pos"); use one of its fields, such as pos.x
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
print(5 > pos) --! attempt to compare a view of Position with a number (local "pos"); use one of its fields, such as pos.x
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
print(pos - 1) --! attempt to perform arithmetic on a view of Position (local "pos"); use one of its fields, such as pos.x
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
print(-pos) --! attempt to perform arithmetic on a view of Position (local "pos"); use one of its fields, such as pos.x
---
local pos = world:get(world:spawn{ Position = {} }, "Position")
print("at " .. pos) --! attempt to concatenate a view of Position (local "pos"); use one of its fields, such as pos.x
---
world:spawn{ Position = {} }
for e, pos in world:each("Position") do
  pos = pos + 1 --! attempt to perform arithmetic on a view of Position (local "pos"); use one of its fields, such as pos.x
end
---
local e = world:spawn{}
print(world:get(e, "Position").x) --! attempt to index a nil value (result of "get"); 0v1 has no Position
---
local e = world:spawn{}
local one, pos = 1, world:get(e, "Position")
pos.x = one --! attempt to index a nil value (local "pos"); 0v1 has no Position
---
local e = world:spawn{}
world:despawn(e)
print(world:get(e, "Position").x) --! attempt to index a nil value (result of "get"); 0v1 is dead, so it has no Position
---
print(world:get(ecs.none, "Position").x) --! attempt to index a nil value (result of "get"); entity 0 is none, and has no Position
---
local e = world:spawn{}
local parent = world:related(e, "ChildOf")
print(parent.x) --! attempt to index a nil value (local "parent"); 0v1 has no ChildOf
---
local e = world:spawn{}
local pos, other = world:get(e, "Position")
print(other.x) --! attempt to index a nil value (local "other")
---
for e in world:each{ "Position" } do end --! write the names as arguments, as in world:each("Position", "Velocity"), or give the table to ecs.query once
---
ecs.query{ with = { "Position" } } --! ecs.query has no key "with"; the required components are listed without a key, and the keys are added, any, changed, optional, order, prefabs, tagged, untagged, without
---
string.split("a b", " ") --! attempt to call a nil value (field "split"); Lua 5.1 has no string.split; write
---
print(("a b"):trim()) --! attempt to call a nil value (method "trim"); Lua 5.1 has no string.trim; write
---
table.unpack({}) --! Lua 5.1 has no table.unpack; write unpack(t)
---
local unpack = table.unpack
unpack{ 1 } --! Lua 5.1 has no table.unpack; write unpack(t)
---
local unpack = table.unpack
local function f() return unpack{ 1 } end --! Lua 5.1 has no table.unpack; write unpack(t)
f()
---
print(math.maxinteger - 1) --! Lua 5.1 has no math.maxinteger; write 2^53
---
table.foreach({}, print) --! scripts have no table.foreach; write for k, v in pairs(t) do … end
---
warn("careful") --! undeclared global "warn"; write ecs.log.warn(text)
---
math.clamp(1, 2, 3) --! Lua 5.1 has no math.clamp; write math.max(low, math.min(x, high))
---
math.flor(1) --! Lua 5.1 has no math.flor; did you mean math.floor?
---
local math = { }
math.clamp(1, 2, 3) --! attempt to call a nil value (field "clamp")
---
print(null) --! undeclared global "null"; Lua writes nil
---
for i, hit in ipairs(world:read("Hit")) do end --! bad argument #1 to 'ipairs' (table expected, got a loop over events); write for event in world:read("Hit") do
---
print(world:drain("Hit")[1]) --! attempt to index a loop over events (result of "drain"); write for event in world:drain("Hit") do
---
print(#world:peek("Hit")) --! attempt to get length of a loop over events (result of "peek"); write for event in world:peek("Hit") do
---
for e in pairs(world:each("Position")) do end --! bad argument #1 to 'pairs' (table expected, got a loop over entities); write for e, view in world:each(…) do
---
print(#world:each("Position")) --! attempt to get length of a loop over entities (result of "each"); write for e, view in world:each(…) do; world:count(…) counts
---
for k in pairs(world.resources) do end --! bad argument #1 to 'pairs' (table expected, got world.resources); a loop cannot walk it: write world.resources.NAME
---
for k in pairs(world) do end --! bad argument #1 to 'pairs' (table expected, got the world)
---
ecs.log("x") --! attempt to call the module ecs.log (field "log"); write ecs.log.info(message)
---
ecs("x") --! attempt to call the module ecs (
---
local e = world:spawn{}
e:destroy() --! attempt to index an entity (local "e"); write world:despawn(e)
---
local e = world:spawn{ Position = {} }
print(e:get_component("Position")) --! attempt to index an entity (local "e"); write world:get(e, "Name")
