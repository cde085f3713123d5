-- entities: spawn, despawn, alive, and handles that do not live
local e = world:spawn{ Position = { x = 1 }, Velocity = {}, "player" }
check.eq(world:alive(e), true)
check.eq(world:has(e, "Position", "Velocity"), true)
check.eq(world:tagged(e, "player"), true)
check.eq(world:get(e, "Position").x, 1)
check.eq(world:get(e, "Position").y, 0) -- at its default
check.eq(world:count(), 1)
check.eq(world:despawn(e), true)
check.eq(world:despawn(e), false)
check.eq(world:alive(e), false)
check.eq(world:count(), 0)
---
local old = world:spawn{ Position = { x = 1 }, "player" }
check.eq(world:set(old, "Velocity", { dx = 2 }), true) -- adds what is missing
check.eq(world:get(old, "Velocity").dy, 0)
world:despawn(old)
local new = world:spawn{} -- takes the slot
check.eq(world:alive(old), false)
check.eq(world:alive(new), true)
check.eq(old == new, false)
check.eq(ecs.name(old), "0v1")
check.eq(ecs.name(new), "0v2")
check.eq(world:get(old, "Position"), nil)
check.eq(world:set(old, "Position", { x = 3 }), false)
check.eq(world:add(old, "Position"), false)
check.eq(world:remove(old, "Position"), false)
check.eq(world:tag(old, "player"), false)
check.eq(world:untag(old, "player"), false)
check.eq(world:tagged(old, "player"), false)
check.eq(world:components(old), {})
check.eq(world:tags(old), {})
---
local e = world:spawn() -- nothing at all
check.eq(world:components(e), {})
check.eq(ecs.describe(world, e), "entity 0v1 ()")
---
local e = world:spawn{ "Position", "Marker", "selected" } -- list part: tags, or components at their defaults
check.eq(world:components(e), { "Position", "Marker" })
check.eq(world:tags(e), { "selected" })
check.eq(ecs.describe(world, e), "entity 0v1 (Position, Marker; selected)")
world:despawn(e)
check.eq(ecs.describe(world, e), "entity 0v1 (dead)")
---
-- entities are exact numbers, never below 2^32, and table keys
local seen = {}
for i = 1, 100 do seen[world:spawn{}] = i end
local n = 0
for e, i in pairs(seen) do
  n = n + 1
  check.eq(e >= 2^32, true)
  check.eq(e, math.floor(e))
end
check.eq(n, 100)
---
-- forged handles are dead, and nothing else
local e = world:spawn{ Position = {} }
for _, n in ipairs{ 0, 1, -1, 2^32, 2^32 + 5, 2^53, 2^53 + 2, 2^63, 1.5, e + 0.5, 0/0, 1/0, -1/0, e + 2^32, ecs.none } do
  if n ~= e then
    check.eq(world:alive(n), false)
    check.eq(world:get(n, "Position"), nil)
    check.eq(world:has(n, "Position"), false)
    check.eq(world:despawn(n), false)
    check.eq(world:set(n, "Position", {}), false)
    check.eq(world:tag(n, "player"), false)
    check.eq(world:untag(n, "player"), false)
    check.eq(world:tagged(n, "player"), false)
    check.eq(world:components(n), {})
    world.commands:despawn(n)
    world.commands:set(n, "Position", { x = 1 })
    world.commands:tag(n, "player")
  end
end
check.eq(world:alive(e), true)
check.eq(ecs.none, 0)
check.eq(ecs.name(ecs.none), "none")
---
world:despawn("e") --! bad argument #1 to 'despawn' (entity expected, got string)
---
world:despawn() --! bad argument #1 to 'despawn' (entity expected, got no value)
---
world:despawn(nil) --! entity expected, got nil
---
local v = world:get(world:spawn{ Position = {} }, "Position")
world:despawn(v) --! entity expected, got view of Position
---
world.despawn(5) --! calling 'despawn' on bad self (world expected, got number); write world:despawn(…)
---
world:alive("5") --! bad argument #1 to 'alive' (entity expected, got string)
---
world:spawn{ Positon = {} } --! component "Positon" is not declared; did you mean "Position"?
---
world:spawn{ Position = { z = 1 } } --! Position has no field "z"; its fields are x, y
---
world:spawn{ Health = { curent = 1 } } --! Health has no field "curent"; did you mean "current"?
---
world:spawn{ Position = 1 } --! component "Position" takes a table of its fields, not number 1
---
world:spawn{ "playr" } --! tag or component "playr" is not declared; did you mean "player"?
---
world:spawn{ player = true } --! component "player" is not declared; "player" is a tag
---
world:spawn{ Position = { x = "1" } } --! spawn Position.x: number expected, got string "1"
---
world:spawn(5) --! bad argument #1 to 'spawn' (table expected, got number)
---
world:spawn{ true } --! the list part holds names of tags, not boolean true
---
world:spawn{ [world] = {} } --! an entity is described by names, not by world
---
-- an error leaves nothing half made
check.fails("whole number", function() world:spawn{ Position = { x = 1 }, Kinds = { i32 = 1.5 } } end)
check.fails("not declared", function() world:spawn{ Position = { x = 1 }, "nobody" } end)
check.eq(world:count(), 0)
---
-- spawn_many
local list = world:spawn_many(3, { Position = { x = 7 }, "player" })
check.eq(#list, 3)
for i, e in ipairs(list) do
  check.eq(world:get(e, "Position").x, 7)
  check.eq(world:tagged(e, "player"), true)
end
list = world:spawn_many(3, { Position = { x = 7, y = 1 }, "player" }, function(i)
  if i == 2 then return nil end
  return { Position = { x = i }, Velocity = { dx = i }, "enemy" }
end)
check.eq(world:get(list[1], "Position").x, 1)
check.eq(world:get(list[1], "Position").y, 1)
check.eq(world:get(list[3], "Velocity").dx, 3)
check.eq(world:tags(list[3]), { "player", "enemy" })
check.eq(world:get(list[2], "Position").x, 7)
check.eq(world:has(list[2], "Velocity"), false)
check.eq(#world:spawn_many(0, {}), 0)
check.eq(#world:spawn_many(2), 2)
check.eq(world:count(), 8)
---
-- the function may use the world; an error in it leaves nothing of the batch
local made = 0
check.fails("no more", function()
  world:spawn_many(10, { Position = {} }, function(i)
    if i == 6 then error("no more") end
    made = made + 1
    return { Position = { x = world:count("Position") } }
  end)
end)
check.eq(made, 5)
check.eq(world:count(), 0)
local inner
local list = world:spawn_many(2, { Position = { x = 1 }, "player" }, function(i)
  inner = world:spawn{ Velocity = { dx = i }, "enemy" }
  return { Position = { y = i } }
end)
check.eq(ecs.fields(world:get(list[2], "Position")), { x = 1, y = 2 })
check.eq(world:get(inner, "Velocity").dx, 2)
check.eq(world:tags(inner), { "enemy" })
check.eq(world:count(), 4)
---
-- nor does one that takes the room of its own batch
check.fails("limit reached", function()
  world:spawn_many(9000, { Position = {} }, function(i) if i == 1 then world:spawn_many(5000, {}) end end)
end)
check.eq(world:count("Position"), 0)
check.eq(world:count(), 5000)
---
world:spawn_many(1e9, { Position = {} }) --! bad argument #1 to 'spawn_many' (at most 1048575 entities at once, got 1000000000)
---
world:spawn_many(-1, { Position = {} }) --! bad argument #1 to 'spawn_many' (a number of entities expected, got -1)
---
world:spawn_many(0/0, { Position = {} }) --! bad argument #1 to 'spawn_many' (a whole number of entities expected, got nan)
---
world:spawn_many(1.5, { Position = {} }) --! bad argument #1 to 'spawn_many' (a whole number of entities expected, got 1.5)
---
world:spawn_many(math.huge, { Position = {} }) --! a whole number of entities expected, got inf
---
world:spawn_many("3", {}) --! bad argument #1 to 'spawn_many' (number expected, got string)
---
world:spawn_many(3, "player") --! bad argument #2 to 'spawn_many' (table expected, got string)
---
world:spawn_many(3, {}, {}) --! bad argument #3 to 'spawn_many' (function expected, got table)
---
world:spawn_many(3, {}, function() return 5 end) --! entity 1: the function returned number 5 instead of a table
---
world:spawn_many(3, {}, function(i) return { Positon = {} } end) --! entity 1: component "Positon" is not declared; did you mean "Position"?
---
world:spawn_many(20000, {}) --! limit reached: 10000 entities
---
world:spawn_many(20000, {}, function() return {} end) --! limit reached: 10000 entities
---
-- add and remove: one migration, however many names
local e = world:spawn{ Position = { x = 1 } }
check.eq(world:add(e, "Velocity", "Health"), true)
check.eq(world:has(e, "Velocity", "Health"), true)
check.eq(world:get(e, "Health").max, 100)
check.eq(world:get(e, "Position").x, 1)
check.eq(world:add(e, "Velocity"), true) -- keeps what is there
check.eq(world:has(e, "Velocity", "Marker"), false)
check.eq(world:remove(e, "Velocity", "Health", "Marker"), true)
check.eq(world:components(e), { "Position" })
---
world:add(world:spawn{}) --! bad argument #2 to 'add' (component name expected, got no value)
---
world:has(world:spawn{}, 5) --! bad argument #2 to 'has' (component name expected, got number)
---
world:add(world:spawn{}, "Velocty") --! component "Velocty" is not declared; did you mean "Velocity"?
---
world:add(world:spawn{}, "Hit") --! component "Hit" is not declared; "Hit" is an event
---
-- set
local e = world:spawn{ Health = { current = 5 } }
check.eq(world:set(e, "Health", { max = 50 }), true)
check.eq(ecs.fields(world:get(e, "Health")), { current = 5, max = 50 })
check.eq(world:set(e, "Marker"), true)
check.eq(world:set(e, "Marker", {}), true)
check.eq(world:has(e, "Marker"), true)
---
world:set(world:spawn{}, "Health", { current = true }) --! set Health.current on 0v1: number expected, got boolean true
---
world:set(world:spawn{}, "Health", 5) --! bad argument #3 to 'set' (table expected, got number; write { current = … })
---
world:set(world:spawn{}, "Health", { 5 }) --! set Health on 0v1: a field needs a name, not number 1
---
-- tags
local e = world:spawn{}
check.eq(world:tag(e, "selected"), true)
check.eq(world:tag(e, "selected"), true)
check.eq(world:tagged(e, "selected"), true)
check.eq(world:untag(e, "selected"), true)
check.eq(world:untag(e, "selected"), false)
check.eq(world:tag(e, "player", "enemy"), true)
check.eq(world:tagged(e, "player", "enemy"), true)
check.eq(world:tagged(e, "player", "selected"), false)
check.eq(world:untag(e, "player", "selected"), true)
---
world:tag(world:spawn{}, "selectd") --! tag "selectd" is not declared; did you mean "selected"?
---
world:tag(world:spawn{}, "Position") --! tag "Position" is not declared; "Position" is a component
---
world:dispawn(1) --! world has no function "dispawn"; did you mean "despawn"?
---
local f = world.forward --! world has no function "forward"
---
world.speed = 3 --! world takes no fields of your own: declare a resource for "speed"
---
world.dt = 3 --! world.dt is read-only
---
ecs.compnent("X", {}) --! ecs has no function "compnent"; did you mean "component"?
---
ecs.extra = 1 --! ecs cannot be changed
---
check.eq(world.dt, 0.5)
check.eq(dt, 0.5)
check.eq(world.frame, 1)
check.eq(world.time, 0)
check.eq(tostring(world), "world")
check.eq(getmetatable(world), nil)
---
ecs.describe(5, 5) --! bad argument #1 to 'describe' (world expected, got number)
