-- each, and the lock on structure
for i = 1, 4 do world:spawn{ Position = { x = i }, Velocity = { dx = 1 } } end
world:spawn{ Position = { x = 5 } }
local n = 0
for e, p, v in world:each("Position", "Velocity") do
  p.x = p.x + v.dx * dt
  n = n + 1
  check.eq(p.x, n + 0.5)
end
check.eq(n, 4)
for e, p, v in world:each("Velocity", "Position") do check.eq(p.dx, 1); check.eq(v.x > 1, true) end
for e, p in world:each("Position") do n = n + 1 end
check.eq(n, 9)
for e in world:each("Marker") do error("none") end
---
-- optional, without, any, tagged, untagged
local a = world:spawn{ Position = { x = 1 }, "player" }
local b = world:spawn{ Position = { x = 2 }, Velocity = { dx = 2 }, "player", "enemy" }
local c = world:spawn{ Position = { x = 3 }, Health = {} }
local d = world:spawn{ Velocity = { dx = 4 } }
local function list(...)
  local out = {}
  for e in world:each(...) do out[#out + 1] = e end
  check.eq(world:count(...), #out)
  check.eq(world:first(...), out[1])
  return out
end
check.eq(list("Position"), { a, b, c })
check.eq(list(ecs.query{ "Position", without = { "Velocity" } }), { a, c })
check.eq(list(ecs.query{ any = { "Velocity", "Health" } }), { b, c, d })
check.eq(list(ecs.query{ "Position", any = { "Velocity", "Health" } }), { b, c })
check.eq(list(ecs.query{ "Position", tagged = { "player" } }), { a, b })
check.eq(list(ecs.query{ tagged = { "player", "enemy" } }), { b })
check.eq(list(ecs.query{ "Position", untagged = { "enemy" } }), { a, c })
check.eq(list(ecs.query{ "Marker" }), {})
local got = {}
for e, p, v in world:each(ecs.query{ "Position", optional = { "Velocity", "Health" } }) do
  got[#got + 1] = { e, p.x, v and v.dx or "none" }
end
check.eq(got, { { a, 1, "none" }, { b, 2, 2 }, { c, 3, "none" } })
for e, p, v, h in world:each(ecs.query{ "Position", optional = { "Velocity", "Health" }, without = { "Velocity" } }) do
  check.eq(v, nil)
  check.eq(h ~= nil, e == c)
end
local e, p, v = world:first("Position", "Velocity")
check.eq(e, b)
check.eq(v.dx, 2)
check.eq(world:first("Marker"), nil)
check.eq(world:count(), 4)
check.eq(world:first(ecs.query{ "Position", tagged = { "enemy" } }), b)
---
-- structural calls raise in the loop, whatever they would change
world:spawn{ Position = {}, Velocity = {} }
local dead = world:spawn{}
world:despawn(dead)
for e in world:each("Position") do
  check.fails("world:despawn inside a query loop; use world.commands:despawn", function() world:despawn(e) end)
  check.fails("world:despawn inside a query loop; use world.commands:despawn", function() world:despawn(dead) end)
  check.fails("world:spawn inside a query loop; use world.commands:spawn", function() world:spawn{} end)
  check.fails("world:spawn_many inside a query loop; use world.commands:spawn", function() world:spawn_many(2, {}) end)
  check.fails("world:add inside a query loop; use world.commands:add", function() world:add(e, "Position") end)
  check.fails("world:remove inside a query loop; use world.commands:remove", function() world:remove(e, "Health") end)
  check.fails("world:set inside a query loop; use world.commands:set", function() world:set(e, "Health", {}) end)
  -- values, tags, events and commands are fine
  check.eq(world:set(e, "Position", { x = 1 }), true)
  check.eq(world:set(dead, "Health", {}), false)
  check.eq(world:tag(e, "player"), true)
  check.eq(world:untag(e, "player"), true)
  world:send("Hit", { target = e })
  world.commands:despawn(e)
  check.eq(world:count("Position"), 1)
  check.eq(world:first("Position"), e)
end
world:spawn{}
---
world:spawn{ Position = {} }
for e in world:each("Position") do
  world:despawn(e) --! world:despawn inside a query loop; use world.commands:despawn
end
---
world:spawn{ Position = {} }
for e in world:each("Position") do world:spawn_many(1, {}) end --! world:spawn_many inside a query loop; use world.commands:spawn
---
-- break, return, goto and errors end it at once
for i = 1, 3 do world:spawn{ Position = { x = i } } end
for e in world:each("Position") do break end
world:spawn{}
local function find() for e in world:each("Position") do return e end end
check.eq(find(), find())
world:spawn{}
for e in world:each("Position") do goto out end
::out::
world:spawn{}
check.eq(pcall(function() for e in world:each("Position") do error("stop") end end), false)
world:spawn{}
for i = 1, 3 do
  for e in world:each("Position") do
    if i == 2 then break end
    goto continue
  end
  ::continue::
  world:spawn{}
end
local function first_of(name) for e, p in world:each(name) do return p.x end end -- tail position
check.eq(first_of("Position"), 1)
world:spawn{}
local function tail() for e in world:each("Position") do return world:spawn{} end end
check.fails("inside a query loop", function() local e = tail() end)
check.eq(world:count(), 11)
---
-- nested loops: the inner one's end does not unlock
world:spawn{ Position = {} }
world:spawn{ Position = {} }
local n = 0
for a in world:each("Position") do
  for b in world:each("Position") do
    n = n + 1
    if n == 2 then break end
  end
  check.fails("inside a query loop", function() world:spawn{} end)
  for b in world:each("Position") do break end
  check.fails("inside a query loop", function() world:spawn{} end)
end
check.eq(n, 4)
world:spawn{}
---
-- 200 loops within each other
world:spawn{ Position = {} }
local function down(n)
  if n == 0 then
    check.fails("inside a query loop", function() world:spawn{} end)
    return 0
  end
  for e in world:each("Position") do
    local d = down(n - 1)
    return d + 1
  end
end
check.eq(down(150), 150)
world:spawn{}
---
-- an iterator in a variable is a loop like any other; by hand it locks nothing
world:spawn{ Position = { x = 1 } }
world:spawn{ Position = { x = 2 } }
local it = world:each("Position")
for e in it do check.fails("inside a query loop", function() world:spawn{} end) end
world:spawn{}
check.eq(it(), nil) -- over
it = world:each("Position")
local e, p = it()
check.eq(p.x, 1)
check.eq(select(2, it()).x, 2)
world:spawn{}
check.fails("this world:each was left, and the structure of the world changed since", it)
it = world:each("Position")
for e in it do break end
local _, q = it() -- goes on where the loop was left, while nothing has changed
check.eq(q.x, 2)
--- frames 2
-- an iterator of an earlier turn is refused
local held = require("lib.stateful")
if world.frame == 1 then
  world:spawn{ Position = {} }
  held.each, held.removed = world:each("Position"), world:removed("Position")
  held.read, held.peek, held.drain = world:read("Hit"), world:peek("Hit"), world:drain("Hit")
  held.layer, held.around = world.layers.ground:each(), world.layers.ground:around(1, 1, 1)
  held.all = world:all("cells", 1, 1)
  for e in held.each do break end
else
  check.fails("this layer:each belongs to an earlier turn of a system; call layer:each again", held.layer)
  check.fails("this layer:around belongs to an earlier turn of a system; call layer:around again", held.around)
  check.fails("this world:all belongs to an earlier turn of a system; call world:all again", held.all)
  check.fails("belongs to an earlier turn of a system; call world:each again", held.each)
  check.fails("belongs to an earlier turn of a system; call world:read again", held.read)
  check.fails("belongs to an earlier turn of a system; call world:peek again", held.peek)
  check.fails("belongs to an earlier turn of a system; call world:drain again", held.drain)
  check.fails("belongs to an earlier turn of a system; call world:removed again", held.removed)
  world:spawn{}
end
---
-- a coroutine suspended in a loop holds the lock; a dead one does not
world:spawn{ Position = { x = 1 } }
world:spawn{ Position = { x = 2 } }
local co = coroutine.wrap(function() for e, p in world:each("Position") do coroutine.yield(p.x) end end)
check.eq(co(), 1)
check.fails("inside a query loop", function() world:spawn{} end)
check.eq(co(), 2)
co()
world:spawn{}
local failing = coroutine.create(function() for e in world:each("Position") do error("stop") end end)
check.eq(coroutine.resume(failing), false)
world:spawn{}
-- a structural call in a coroutine, while the loop is outside
for e in world:each("Position") do
  local inner = coroutine.wrap(function() world:spawn{} end)
  check.fails("inside a query loop", inner)
end
world:spawn{}
--- frames 2
-- an abandoned coroutine holds it until the turn ends
if world.frame == 1 then
  world:spawn{ Position = {} }
  coroutine.wrap(function() for e in world:each("Position") do coroutine.yield() end end)()
else
  world:spawn{}
end
---
-- structural calls from callbacks inside a loop
world:spawn{ Position = {} }
for e in world:each("Position") do
  check.fails("inside a query loop", function() table.sort({ 2, 1 }, function() world:spawn{} end) end)
  check.fails("inside a query loop", function() string.gsub("x", "x", function() world:spawn{} end) end)
  check.fails("inside a query loop", function() return setmetatable({}, { __index = function() world:spawn{} end }).x end)
end
world:spawn{}
---
-- a loop left inside a called function, while another goes on
world:spawn{ Position = {} }
local function peeked() for e in world:each("Position") do return true end end
for e in world:each("Position") do
  peeked()
  check.fails("inside a query loop", function() world:spawn{} end)
end
world:spawn{}
---
world:each(nil) --! bad argument #1 to 'each' (component name or query expected, got nil)
---
world:each("Positon") --! component "Positon" is not declared; did you mean "Position"?
---
world:each("Position", 5) --! bad argument #2 to 'each' (component name or query expected, got number)
---
world:each("Position", "Position") --! component "Position" is listed twice
---
world:count(5) --! bad argument #1 to 'count' (component name or query expected, got number)
---
world:each(world) --! bad argument #1 to 'each' (component name or query expected, got world)
---
world:each(ecs.query{ "Position" }, "Nobody", 5) --! relation "Nobody" is not declared
---
ecs.query{ "Positon" } --! component "Positon" is not declared; did you mean "Position"?
---
ecs.query{ "Position", witout = { "Velocity" } } --! ecs.query has no key "witout"; did you mean "without"?
---
ecs.query{ "Position", without = "Velocity" } --! ecs.query: without takes a list of names, not string "Velocity"
---
ecs.query{ tagged = { "playr" } } --! tag "playr" is not declared; did you mean "player"?
---
ecs.query{} --! ecs.query needs at least one component or tag; world:each() walks all entities
---
local q = ecs.query{ "Position", without = { "Velocity" }, tagged = { "player", "enemy" } }
check.eq(tostring(q), "query (Position; tagged player, enemy; without Velocity)")
check.fails("a query cannot be changed", function() q.x = 1 end)
check.fails("a query has no fields", function() return q.x end)
--- load
-- queries made while the file loads are resolved when all files are loaded
local q = ecs.query{ "Late", without = { "Velocity" } }
ecs.component("Late", { n = "i32" })
return function(world)
  local e = world:spawn{ Late = { n = 3 } }
  for x, l in world:each(q) do check.eq(l.n, 3) end
end
--- load
local q = ecs.query{ "Positon" } --! component "Positon" is not declared; did you mean "Position"?
return function(world) end
---
-- an iterator handed from one coroutine to another
world:spawn{ Position = {} }
world:spawn{ Position = {} }
local it = world:each("Position")
coroutine.wrap(function() it() end)()
for e in it do
  check.fails("inside a query loop", function() world:spawn{} end)
end
world:spawn{}
---
-- A query may name only what entities lack.
local a, b, c = world:spawn{ Position = {} }, world:spawn{ "player" }, world:spawn{}
local without, untagged = ecs.query{ without = { "Position" } }, ecs.query{ untagged = { "player" }, without = { "Position" } }
local seen = {}
for e in world:each(without) do seen[#seen + 1] = e end
check.eq(#seen, 2) check.eq(seen[1], b) check.eq(seen[2], c)
check.eq(world:count(without), 2)
check.eq(world:first(untagged), c)
---
-- Orders.
local ecs = require("ecs")
for i, x in ipairs{ 3, 1, 2, 1 } do world:spawn{ Position = { x = x, y = i } } end
local out = {}
for e, p in world:each("Position", { order = { "-Position.x", "Position.y" } }) do out[#out + 1] = p.y end
check.eq(table.concat(out, " "), "1 3 2 4")
local q = ecs.query{ "Position", order = "Position.x" }
check.eq(select(2, world:first(q)).y, 2)
check.eq(select(2, world:first(q, { order = "-Position.y" })).y, 4)
check.eq(world:count(q), 4)
world:each("Position", { order = "Velocity.dx" }) --! order "Velocity.dx": the loop does not require the component "Velocity"; list it
---
world:each("Position", { order = "Position.z" }) --! order: component "Position" has no field "z"
---
world:each("Position", { order = "Postion.x" }) --! component "Postion" is not declared; did you mean "Position"?
---
world:each("Position", { ordr = "Position.x" }) --! has order only
---
world:each("Position", { order = { "random", "Position.x" } }) --! order: "random" stands alone
---
world:each("Position", { order = {} }) --! the list of order is empty
---
world:each("Kinds", { order = "Kinds.who" }) --! the field is of type entity, which has no order
---
require("ecs").query{ "Position", order = "Position.z" } --! has no field "z"
