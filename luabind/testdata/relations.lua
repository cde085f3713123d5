-- one target per relation and entity
local e, a, b = world:spawn{}, world:spawn{}, world:spawn{}
check.eq(world:related(e, "ChildOf"), nil)
check.eq(world:relate(e, "ChildOf", a), true)
check.eq(world:related(e, "ChildOf"), a)
check.eq(world:relate(e, "ChildOf", b), true) -- replaces the other
check.eq(world:related(e, "ChildOf"), b)
check.eq(world:related(e, "IsA"), nil)
check.eq(world:unrelate(e, "ChildOf"), true)
check.eq(world:unrelate(e, "ChildOf"), false)
check.eq(world:related(e, "ChildOf"), nil)
world:despawn(e)
check.eq(world:relate(e, "ChildOf", a), false) -- e is dead
check.eq(world:unrelate(e, "ChildOf"), false)
check.eq(world:related(e, "ChildOf"), nil)
---
-- spawn takes relations among the components
local a = world:spawn{ "player" }
local e = world:spawn{ Position = { x = 4 }, ChildOf = a, IsA = a, "enemy" }
check.eq(world:related(e, "ChildOf"), a)
check.eq(world:related(e, "IsA"), a)
check.eq(world:get(e, "Position").x, 4)
check.eq(world:tagged(e, "enemy"), true)
check.eq(world:tagged(e, "player"), false) -- tags are not shared
---
-- spawn_many, with and without a function, which may lay another target over it
local a, b = world:spawn{}, world:spawn{}
local plain = world:spawn_many(3, { Position = { x = 2 }, ChildOf = a, "enemy" })
check.eq(#plain, 3)
local mixed = world:spawn_many(3, { Position = {}, ChildOf = a }, function(i)
  if i == 2 then return { ChildOf = b, Velocity = { dx = i } } end
end)
local function list(target)
  local out = {}
  for c in world:sources("ChildOf", target) do out[#out + 1] = c end
  return out
end
check.eq(list(a), { plain[1], plain[2], plain[3], mixed[1], mixed[3] })
check.eq(list(b), { mixed[2] })
check.eq(world:get(plain[3], "Position").x, 2)
check.eq(world:tagged(plain[3], "enemy"), true)
check.eq(world:get(mixed[2], "Velocity").dx, 2)
check.eq(world:has(mixed[1], "Velocity"), false)
---
-- nothing half made
local dead = world:spawn{}
world:despawn(dead)
check.fails("spawn ChildOf: target 0v1: the entity is dead", function() world:spawn{ Position = {}, ChildOf = dead } end)
check.fails("spawn ChildOf: target 0v1: the entity is dead", function() world:spawn_many(5, { ChildOf = dead }) end)
check.fails("the entity is dead", function()
  world:spawn_many(5, {}, function(i) if i == 4 then return { ChildOf = dead } end end)
end)
check.eq(world:count(), 0)
---
-- a load-time declaration makes another one; declaring it again only checks
local e, owner = world:spawn{}, world:spawn{}
ecs.relation("OwnedBy")
ecs.relation("OwnedBy")
ecs.relation("ChildOf")
world:relate(e, "OwnedBy", owner)
world:relate(owner, "OwnedBy", e) -- only ChildOf and IsA know no circles
world:relate(e, "OwnedBy", e)
check.eq(world:related(e, "OwnedBy"), e)
check.eq(world:related(owner, "OwnedBy"), e)
check.fails("declare relation Position: declared differently: the name belongs to a component", ecs.relation, "Position")
check.fails("declare component OwnedBy: declared differently: the name belongs to a relation", ecs.component, "OwnedBy", {})
check.fails('"two words" is no name', ecs.relation, "two words")
check.fails("OwnedBy", ecs.tag, "OwnedBy")
--- load
ecs.relation("OwnedBy")
local owned = ecs.query{ "Position", "OwnedBy" }
return function(world)
  local owner = world:spawn{}
  local e = world:spawn{ Position = {}, OwnedBy = owner }
  for x, pos, who in world:each(owned) do check.eq({ x, who }, { e, owner }) end
  check.eq(world:count(owned), 1)
end
---
-- despawning a parent despawns its children, and theirs, depth first; a dead
-- target of another relation ends it
ecs.relation("OwnedBy")
local root = world:spawn{ "Position" }
local a = world:spawn{ "Position", ChildOf = root }
local b = world:spawn{ "Position", ChildOf = root }
local a1 = world:spawn{ "Position", ChildOf = a }
local thing = world:spawn{ "Position", OwnedBy = a1 }
world:despawn(root)
check.eq(world:count(), 1)
check.eq(world:alive(a1), false)
check.eq(world:alive(thing), true)
check.eq(world:related(thing, "OwnedBy"), nil)
check.eq(world:has(thing, "OwnedBy"), false)
local lost = {}
for e in world:removed("Position") do lost[#lost + 1] = e end
check.eq(lost, {}) -- its own doing is no news
---
-- a chain of 1,000 dies as one
local root = world:spawn{}
local last = root
for i = 1, 1000 do last = world:spawn{ ChildOf = last } end
world:despawn(root)
check.eq(world:count(), 0)
---
local a = world:spawn{}
local b = world:spawn{ ChildOf = a }
local c = world:spawn{ ChildOf = b }
check.fails("the relation would form a cycle", function() world:relate(a, "ChildOf", a) end)
check.eq(world:related(a, "ChildOf"), nil)
world:relate(a, "ChildOf", c) --! relate ChildOf on 0v1: target 2v1: the relation would form a cycle
---
local a = world:spawn{}
world:relate(a, "IsA", world:spawn{ IsA = a }) --! relate IsA on 0v1: target 1v1: the relation would form a cycle
---
local a, dead = world:spawn{}, world:spawn{}
world:despawn(dead)
world:relate(a, "ChildOf", dead) --! relate ChildOf on 0v1: target 1v1: the entity is dead
---
world:relate(world:spawn{}, "ChildOf", nil) --! bad argument #3 to 'relate' (entity expected, got nil)
---
world:relate(world:spawn{}, "ChildOf") --! bad argument #3 to 'relate' (entity expected, got no value)
---
world:relate(world:spawn{}, "ChildOf", ecs.none) --! relation "ChildOf" takes an entity as its target, not ecs.none
---
world.commands:relate(world:spawn{}, "ChildOf", 17) --! relation "ChildOf" takes an entity as its target, not number 17
---
world:spawn{ ChildOf = {} } --! relation "ChildOf" takes an entity as its target, not a table; one with targets = "many" takes a list
---
world:spawn{ ChildOf = ecs.none } --! relation "ChildOf" takes an entity as its target, not ecs.none
---
world.commands:spawn{ ChildOf = "rat" } --! relation "ChildOf" takes an entity as its target, not string "rat"
---
world:spawn{ "ChildOf" } --! relation "ChildOf" needs a target: write ChildOf = parent
---
world:relate(world:spawn{}, "ChildOff", 5) --! relation "ChildOff" is not declared; did you mean "ChildOf"?
---
world:relate(world:spawn{}, "Position", 5) --! relation "Position" is not declared; "Position" is a component
---
world:sources("player", 5) --! relation "player" is not declared; "player" is a tag
---
world:spawn{ ChildOff = 5 } --! component "ChildOff" is not declared; did you mean "ChildOf"?
---
ecs.component("Chil", {})
world:tag(world:spawn{}, "ChildOf") --! tag "ChildOf" is not declared; "ChildOf" is a relation
---
world:get(world:spawn{}, "ChildOf") --! "ChildOf" is a relation; use world:related
---
world:set(world:spawn{}, "ChildOf", {}) --! "ChildOf" is a relation; use world:relate
---
world:add(world:spawn{}, "Position", "IsA") --! "IsA" is a relation; use world:relate
---
world.commands:add(world:spawn{}, "IsA") --! "IsA" is a relation; use world.commands:relate
---
world.commands:set(world:spawn{}, "IsA", {}) --! "IsA" is a relation; use world.commands:relate
---
-- has, remove and removed take relations as they take components
local a = world:spawn{}
local e = world:spawn{ ChildOf = a, Position = {} }
check.eq(world:has(e, "ChildOf", "Position"), true)
check.eq(world:has(a, "ChildOf"), false)
check.eq(world:remove(e, "ChildOf", "Position"), true)
check.eq(world:related(e, "ChildOf"), nil)
check.eq(world:count("ChildOf"), 0)
---
-- components are its own, without relations; describe tells all
local a = world:spawn{ Position = {}, Velocity = {} }
local e = world:spawn{ IsA = a, ChildOf = a, Velocity = {}, "player" }
check.eq(world:components(e), { "Velocity" })
check.eq(ecs.describe(world, e), "entity 1v1 (Velocity, ChildOf 0v1, IsA 0v1; player)")
---
-- queries ask for any target: the loop yields it
local a = world:spawn{ Position = { x = 1 } }
local b = world:spawn{ Position = { x = 2 }, ChildOf = a }
local c = world:spawn{ Position = { x = 3 }, ChildOf = b }
local got = {}
for e, pos, parent in world:each("Position", "ChildOf") do got[#got + 1] = { e, pos.x, parent } end
check.eq(got, { { b, 2, a }, { c, 3, b } })
got = {}
for e, parent in world:each(ecs.query{ optional = { "ChildOf" }, any = { "Position" } }) do got[#got + 1] = { e, parent or "none" } end
check.eq(got, { { a, "none" }, { b, a }, { c, b } })
check.eq(world:count(ecs.query{ "Position", without = { "ChildOf" } }), 1)
local e, parent = world:first("ChildOf")
check.eq({ e, parent }, { b, a })
--- load
-- a new target is a change of the relation
local changed = ecs.query{ "Position", changed = { "ChildOf" } }
local a, e
return {
  init = function(world)
    a = world:spawn{}
    e = world:spawn{ Position = {}, ChildOf = a }
    world:spawn{ Position = {} }
  end,
  update = function(world)
    check.eq(world:count(changed), 1) -- what was written before frame 1 is news
    check.eq(world:first(changed), e)
  end,
}
---
-- narrowed to a target: in the order they were related
local q = ecs.query{ "Position", optional = { "Velocity" } }
local a, other = world:spawn{ Position = {} }, world:spawn{}
local one = world:spawn{ Position = { x = 1 } }
local two = world:spawn{ Position = { x = 2 }, Velocity = {} }
local three = world:spawn{ Position = { x = 3 }, ChildOf = other }
local four = world:spawn{ Velocity = {}, ChildOf = a }
world:relate(two, "ChildOf", a)
world:relate(one, "ChildOf", a)
local got = {}
for e, pos, vel in world:each(q, "ChildOf", a) do
  got[#got + 1] = { e, pos.x, vel ~= nil }
  pos.y = 7
  check.fails("world:unrelate inside a query loop; use world.commands:unrelate", function() world:unrelate(e, "ChildOf") end)
end
check.eq(got, { { two, 2, true }, { one, 1, false } })
check.eq(world:get(one, "Position").y, 7)
check.eq(world:count(q, "ChildOf", a), 2)
check.eq(world:count(q, "ChildOf", one), 0)
check.eq(world:first(q, "ChildOf", other), three)
check.eq(world:first(q, "IsA", other), nil)
-- names do as well
check.eq(world:count("Velocity", "ChildOf", a), 2)
got = {}
for e, pos, vel in world:each("Position", "Velocity", "ChildOf", a) do got[#got + 1] = e end
check.eq(got, { two })
-- a target that is dead has no sources
world:despawn(other)
for e in world:each(q, "ChildOf", other) do error("dead") end
for e in world:each(q, "ChildOf", ecs.none) do error("none") end
-- the loop is over at once
for e in world:each(q, "ChildOf", a) do break end
world:unrelate(one, "ChildOf")
---
world:each(ecs.query{ "Position" }, "ChildOf") --! bad argument #3 to 'each' (entity expected, got no value)
---
world:each(ecs.query{ "Position" }, "ChildOff", 5) --! relation "ChildOff" is not declared; did you mean "ChildOf"?
---
world:each(ecs.query{ "Position" }, "Velocity", 5) --! relation "Velocity" is not declared; "Velocity" is a component
---
-- sources walks what existed when it began, and locks nothing
local a = world:spawn{}
local kids = world:spawn_many(3, { ChildOf = a })
local seen = {}
for c in world:sources("ChildOf", a) do
  seen[#seen + 1] = c
  world:spawn{ ChildOf = a }
  if c == kids[1] then world:despawn(kids[2]) end
  if c == kids[3] then world:unrelate(kids[1], "ChildOf") end
end
check.eq(seen, kids)
local n = 0
for c in world:sources("ChildOf", a) do n = n + 1 end
check.eq(n, 4)
for c in world:sources("ChildOf", ecs.none) do error("none has no sources") end
---
-- structure is locked inside a query loop, even if nothing would change
local a = world:spawn{ Position = {} }
local b = world:spawn{}
local dead = world:spawn{}
world:despawn(dead)
for e in world:each("Position") do
  check.fails("world:relate inside a query loop; use world.commands:relate", function() world:relate(e, "ChildOf", b) end)
  check.fails("world:relate inside a query loop; use world.commands:relate", function() world:relate(dead, "ChildOf", b) end)
  check.fails("world:unrelate inside a query loop; use world.commands:unrelate", function() world:unrelate(b, "ChildOf") end)
  check.fails("world:spawn inside a query loop; use world.commands:spawn", function() world:spawn{ ChildOf = e } end)
  check.eq(world:related(e, "ChildOf"), nil)
  world.commands:relate(e, "ChildOf", b)
end
for e in world:each("Position") do
  world:relate(e, "ChildOf", b) --! world:relate inside a query loop; use world.commands:relate
end
--- frames 2
-- commands: in order, and what died meanwhile is skipped
local held = require("lib.stateful")
local c = world.commands
if world.frame == 1 then
  held.old, held.keep = world:spawn{}, world:spawn{}
  held.parent = c:spawn{ Position = {} }
  held.child = c:spawn{ ChildOf = held.parent, Velocity = { dx = 3 }, "enemy" } -- a parent that is still queued
  held.grandchild = c:spawn{ ChildOf = held.child }
  c:relate(held.keep, "ChildOf", held.child)
  held.freed = c:spawn{ ChildOf = held.parent }
  c:unrelate(held.freed, "ChildOf")
  c:relate(held.freed, "ChildOf", held.old)
  c:unrelate(held.freed, "ChildOf")
  c:despawn(held.old)
  held.orphan = c:spawn{ ChildOf = held.old, Position = { x = 1 } } -- skipped, and what follows with it
  c:set(held.orphan, "Position", { x = 2 })
  c:tag(held.orphan, "enemy")
  held.below = c:spawn{ ChildOf = held.orphan }
  held.shared = c:spawn{ IsA = held.old, Position = { x = 1 } } -- only the relation is left out
  c:relate(held.freed, "ChildOf", held.old)
  c:relate(held.old, "ChildOf", held.freed)
  c:unrelate(held.old, "ChildOf")
  check.eq(world:related(held.child, "ChildOf"), nil)
  check.eq(world:alive(held.child), false)
else
  check.eq(world:related(held.child, "ChildOf"), held.parent)
  check.eq(world:get(held.child, "Velocity").dx, 3)
  check.eq(world:tagged(held.child, "enemy"), true)
  check.eq(world:related(held.grandchild, "ChildOf"), held.child)
  check.eq(world:related(held.keep, "ChildOf"), held.child)
  check.eq(world:related(held.freed, "ChildOf"), nil)
  check.eq(world:alive(held.orphan), false)
  check.eq(world:alive(held.below), false)
  check.eq(world:alive(held.shared), true)
  check.eq(world:related(held.shared, "IsA"), nil)
  check.eq(world:count(), 6)
  world:despawn(held.parent)
  check.eq(world:count(), 2)
end
---
-- IsA: has, get, each, count and first see what is shared
local base = world:spawn{ Position = { x = 1, y = 2 }, Kinds = { name = "goblin", items = { "club" } } }
local e = world:spawn{ IsA = base, Velocity = { dx = 5 } }
local deep = world:spawn{ IsA = e }
check.eq(world:has(e, "Position", "Velocity"), true)
check.eq(world:has(deep, "Position", "Velocity"), true)
check.eq(world:has(base, "Velocity"), false)
check.eq(ecs.fields(world:get(deep, "Position")), { x = 1, y = 2 })
check.eq(tostring(world:get(deep, "Velocity")), "Velocity of 2v1 {dx = 5, dy = 0}")
check.eq(world:get(e, "Kinds").items, { "club" })
check.eq(world:count("Position"), 3)
check.eq(world:count("Position", "Velocity"), 2)
check.eq(world:first("Velocity"), e)
local seen = {}
for x, pos, vel in world:each("Position", "Velocity") do seen[#seen + 1] = { x, pos.x, vel.dx } end
check.eq(seen, { { e, 1, 5 }, { deep, 1, 5 } })
check.eq(world:count(ecs.query{ "Position", without = { "Velocity" } }), 1)
check.eq(world:count(ecs.query{ "Position", "IsA", any = { "Velocity", "Health" } }), 2)
seen = {}
for x, vel in world:each(ecs.query{ optional = { "Velocity" }, any = { "Position" } }) do seen[#seen + 1] = vel and vel.dx or "none" end
check.eq(seen, { "none", 5, 5 })
-- the base's values are seen as they are now
world:get(base, "Position").x = 9
check.eq(world:get(deep, "Position").x, 9)
---
-- narrowed loops see it, too
local base, parent = world:spawn{ Position = { x = 3 } }, world:spawn{}
local a = world:spawn{ ChildOf = parent, IsA = base }
local b = world:spawn{ ChildOf = parent }
local seen = {}
for e, pos in world:each(ecs.query{ "Position" }, "ChildOf", parent) do seen[#seen + 1] = { e, pos.x } end
check.eq(seen, { { a, 3 } })
---
-- an inherited view is for reading; world:set gives the entity its own, which starts from the base's values
local base = world:spawn{ Position = { x = 1, y = 2 } }
local e = world:spawn{ IsA = base }
local view = world:get(e, "Position")
local text = 'set Position.x on 1v1: the component is inherited; world:set(e, "Position", { x = … }) gives the entity its own, which starts from the base\'s values'
check.fails(text, function() view.x = 5 end)
check.fails("the component is inherited", function() view.y = 3 end)
for x, pos in world:each("Position") do
  if x == e then
    check.fails(text, function() pos.x = 5 end)
    check.fails("world:set inside a query loop; use world.commands:set", function() world:set(x, "Position", { x = 5 }) end)
  end
end
check.eq(ecs.fields(world:get(base, "Position")), { x = 1, y = 2 })
world:set(e, "Position", { x = 5 })
check.eq(ecs.fields(view), { x = 5, y = 2 }) -- the same view, now of its own
view.y = 7
check.eq(ecs.fields(world:get(e, "Position")), { x = 5, y = 7 })
check.eq(ecs.fields(world:get(base, "Position")), { x = 1, y = 2 })
world:remove(e, "Position") -- and shared again
check.eq(view.y, 2)
check.eq(world:remove(e, "Position"), true) -- what it only shares stays
check.eq(world:has(e, "Position"), true)
world:add(e, "Position")
check.eq(ecs.fields(view), { x = 1, y = 2 })
---
local base = world:spawn{ Position = {} }
world:spawn{ IsA = base }
for e, pos in world:each("Position") do
  pos.x = pos.x + 1 --! set Position.x on 1v1: the component is inherited; world:set(e, "Position", { x = … })
end
---
local base = world:spawn{ Kinds = {} }
world:get(world:spawn{ IsA = base }, "Kinds").name = "troll" --! set Kinds.name on 1v1: the component is inherited
---
-- without fields, set takes the base's values over
local base = world:spawn{ Health = { current = 5 } }
local e = world:spawn{ IsA = base }
world:set(e, "Health", {})
world:get(base, "Health").current = 6
check.eq(world:get(e, "Health").current, 5)
-- a component in the description of a spawn is its own from the start: what is left out takes the default
check.eq(world:get(world:spawn{ IsA = base, Health = { max = 7 } }, "Health").current, 100)
---
-- a despawned base ends the sharing, and so does unrelate
local base = world:spawn{ Position = { x = 1 } }
local e, f = world:spawn{ IsA = base }, world:spawn{ IsA = base }
local view = world:get(e, "Position")
world:unrelate(f, "IsA")
check.eq(world:has(f, "Position"), false)
world:despawn(base)
check.eq(world:alive(e), true)
check.eq(world:get(e, "Position"), nil)
check.eq(world:count("Position"), 0)
check.fails("get Position on 1v1: the entity lacks the component", function() return view.x end)
--- frames 2
-- a queued set starts from the base's values, too
local held = require("lib.stateful")
if world.frame == 1 then
  held.base = world:spawn{ Position = { x = 1, y = 2 } }
  held.e = world:spawn{ IsA = held.base }
  for e in world:each("Position") do world.commands:set(e, "Position", { x = 8 }) end
else
  check.eq(ecs.fields(world:get(held.e, "Position")), { x = 8, y = 2 })
end
--- frames 3
-- loops of plain arithmetic read what is shared and write what is their own
local held = require("lib.stateful")
if world.frame == 1 then
  held.base = world:spawn{ Position = { x = 3, y = 1 }, Velocity = { dx = 1 } }
  held.one = world:spawn{ Velocity = { dx = 10 }, IsA = held.base }
  held.two = world:spawn{ Position = { x = 100 }, IsA = held.base }
  held.three = world:spawn{ Velocity = { dx = 20 }, IsA = held.two }
end
for e, pos, vel in world:each("Position", "Velocity") do
  if e ~= held.two then
    vel.dx = vel.dx + pos.x
    vel.dy = vel.dy + 1
  end
end
local sum = 0
for e, vel in world:each("Velocity") do sum = sum + vel.dy end
check.eq(sum, world.frame * 4) -- two shares the base's
check.eq(world:get(held.base, "Velocity").dx, 1 + world.frame * 3)
check.eq(world:get(held.one, "Velocity").dx, 10 + world.frame * 3)
check.eq(world:get(held.two, "Velocity").dx, 1 + world.frame * 3)
check.eq(world:get(held.three, "Velocity").dx, 20 + world.frame * 100)
---
local base = world:spawn{ Position = { x = 3 }, Velocity = { dx = 1 } }
local one = world:spawn{ Velocity = { dx = 10 }, IsA = base }
world:spawn{ Position = {}, Velocity = {} }
for e, pos, vel in world:each("Position", "Velocity") do
  vel.dx = 0
  pos.x = pos.x + vel.dx --! set Position.x on 1v1: the component is inherited
end
