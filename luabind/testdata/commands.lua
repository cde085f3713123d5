--- frames 2
-- commands are applied in order when the system returns
local held = require("lib.stateful")
if world.frame == 1 then
  local old = world:spawn{ Health = {} }
  local c = world.commands
  local e = c:spawn{ Position = { x = 1 }, "player" }
  check.eq(world:alive(e), false)
  check.eq(world:get(e, "Position"), nil)
  c:set(e, "Velocity", { dx = 2 })
  c:set(e, "Position", { y = 3 })
  c:add(e, "Health", "Marker")
  c:remove(e, "Marker")
  c:tag(e, "enemy", "selected")
  c:untag(e, "player")
  c:send("Hit", { target = e, amount = 7 })
  c:despawn(old)
  c:set(old, "Position", { x = 1 }) -- skipped: dead by then
  c:spawn()
  held.e, held.old = e, old
  for ev in world:peek("Hit") do error("too early") end
else
  local e = held.e
  check.eq(world:alive(e), true)
  check.eq(world:alive(held.old), false)
  check.eq(ecs.fields(world:get(e, "Position")), { x = 1, y = 3 })
  check.eq(world:get(e, "Velocity").dx, 2)
  check.eq(world:components(e), { "Position", "Velocity", "Health" })
  check.eq(world:tags(e), { "enemy", "selected" })
  check.eq(world:count(), 2)
  for ev in world:read("Hit") do check.eq(ev.target, e); check.eq(ev.amount, 7) end
end
---
world.commands:dispawn(5) --! world.commands has no function "dispawn"; did you mean "despawn"?
---
world.commands:spawn{ Positon = {} } --! component "Positon" is not declared; did you mean "Position"?
---
world.commands:set(world:spawn{}, "Kinds", { u8 = 300 }) --! set Kinds.u8 on 0v1: 300 does not fit u8 (0 to 255)
---
world.commands:despawn("e") --! bad argument #1 to 'despawn' (entity expected, got string)
---
world.commands.despawn(5) --! calling 'despawn' on bad self (world.commands expected, got number); write world.commands:despawn(…)
---
world.commands:tag(world:spawn{}, "nobody") --! tag "nobody" is not declared
---
world.commands = {} --! world.commands cannot be replaced
---
world.commands.x = 1 --! world.commands takes no fields (x)
---
-- what cannot be queued queues nothing
check.fails("does not fit", function() world.commands:spawn{ Position = {}, Kinds = { u8 = 256 } } end)
check.fails("not declared", function() world.commands:tag(world:spawn{}, "player", "nobody") end)
---
-- resources
check.eq(world.resources.score, 0)
world.resources.score = world.resources.score + 5
check.eq(world.resources.score, 5)
world.resources.title = "Arena"
check.eq(world.resources.title, "Arena")
check.fails("set resource score: 1.5 is not a whole number, as i32 needs", function() world.resources.score = 1.5 end)
check.fails('set resource score: number expected, got string "5"', function() world.resources.score = "5" end)
check.eq(world.resources.score, 5)
---
world.resources.scroe = 5 --! resource "scroe" is not declared; did you mean "score"?
---
local x = world.resources.scroe --! resource "scroe" is not declared; did you mean "score"?
---
local x = world.resources[1] --! world.resources has named values only, not [1]
---
world.resources = {} --! world.resources cannot be replaced
---
world:stop("enough")
---
-- random
for i = 1, 50 do
  local f = ecs.random()
  check.eq(f >= 0 and f < 1, true)
  local n = ecs.random(6)
  check.eq(n >= 1 and n <= 6 and n == math.floor(n), true)
  local m = math.random(-2, 2)
  check.eq(m >= -2 and m <= 2 and m == math.floor(m), true)
end
math.randomseed(5)
local a, b = math.random(1000), ecs.random()
math.randomseed(5)
check.eq(ecs.random(1000), a) -- the same generator
check.eq(math.random(), b)
---
ecs.random("x") --! (number expected, got string)
---
ecs.random(0) --! (interval is empty)
---
-- declaring again is a check; late declarations work
ecs.component("Position", { x = "f64", y = "f64" })
ecs.component("Position", { y = "f64", x = "f64" })
ecs.tag("player")
ecs.component("Late", { n = { type = "u8", default = 7 }, label = { type = "string", default = "new" }, list = { type = "table", default = { 1 } } })
local v = world:get(world:spawn{ "Late" }, "Late")
check.eq(ecs.fields(v), { n = 7, label = "new", list = { 1 } })
ecs.event("Ping", { n = "i32" })
world:send("Ping", { n = 1 })
for ev in world:read("Ping") do check.eq(ev.n, 1) end
ecs.resource("lives", { type = "u8", default = 3 })
check.eq(world.resources.lives, 3)
ecs.resource("lives", { type = "u8" }) -- keeps its value
ecs.resource("name", "string")
check.eq(world.resources.name, "")
ecs.component("Empty")
check.eq(world:has(world:spawn{ "Empty" }, "Empty"), true)
---
ecs.component("Position", { x = "f32", y = "f64" }) --! declare component Position: declared differently: it is {x f64, y f64}, not {x f32, y f64}
---
ecs.component("X", { a = "f46" }) --! X.a: "f46" is no type; did you mean "f64"?
---
ecs.component("X", { a = "vector" }) --! X.a: "vector" is no type; the types are f64, f32
---
ecs.component("X", { a = 5 }) --! X.a: a type expected, such as "f64", got number 5
---
ecs.component("X", { a = { type = "u8", default = 300 } }) --! default of X.a: 300 does not fit u8
---
ecs.component("X", { a = { type = "u8", defualt = 3 } }) --! X.a: a field has a type and a default, not string "defualt"; did you mean "default"?
---
ecs.component("X", { "a" }) --! X: a field needs a name of letters, digits and _, not number 1
---
ecs.component("no way", {}) --! bad argument #1 to 'component' ("no way" is no name
---
ecs.component(5) --! bad argument #1 to 'component' (name of a component expected, got number)
---
ecs.tag("Position") --! declare tag Position: declared differently
---
ecs.resource("x", { type = "i32", default = "5" }) --! default of x: number expected, got string "5"
---
-- grid
world:spawn({ Position = {} }, "player") --! string "player" is one too many; a tag goes into the table: spawn{ …, "player" })
---
world:send("Hit", {}, { after = 1 }) --! table is one too many; an event that waits is a command: world.commands:send(event, fields, { after = 3 }))
---
for e in world:each("cells", 1, 2) do end --! "cells" is an index: write for e in world:all("cells", …) do
---
ecs.grid("units", { component = "Position", cell = 4 })
local a = world:spawn{ Position = { x = 0, y = 0 } }
local b = world:spawn{ Position = { x = 3, y = 0 } }
local c = world:spawn{ Position = { x = 30, y = 0 } }
local got = {}
for e, d2 in world:near("units", 1, 0, 5) do
  got[e] = d2
  world:set(e, "Health", {}) -- locks nothing
end
check.eq(got, { [a] = 1, [b] = 4 })
check.fails('grid "unit" is not declared; did you mean "units"?', function() world:near("unit", 0, 0, 1) end)
---
-- near with a tag, and with a query, whose views follow the distance
ecs.grid("units", { component = "Position", cell = 1 })
local lord = world:spawn{}
local a = world:spawn{ Position = { x = 0 }, Health = { current = 3 }, "player" }
local b = world:spawn{ Position = { x = 1 }, "player" }
local c = world:spawn{ Position = { x = 2 }, Health = { current = 5 }, Velocity = { dx = 7 }, ChildOf = lord }
local d = world:spawn{ Position = { x = 3 }, Health = { current = 6 }, "enemy" }
local function list(...)
  local out = {}
  for e, d2, v in world:near("units", 0, 0, ...) do out[#out + 1] = { e, d2, v == nil } end
  return out
end
check.eq(list(5, "player"), { { a, 0, true }, { b, 1, true } })
check.eq(list(5, nil), { { a, 0, true }, { b, 1, true }, { c, 4, true }, { d, 9, true } })
check.eq(list(0.5, ecs.query{ tagged = { "player" } }), { { a, 0, true } })
local q = ecs.query{ "Health", optional = { "Velocity", "ChildOf" }, untagged = { "enemy" } }
local got = {}
for e, d2, health, velocity, parent, more in world:near("units", 0, 0, 5, q) do
  got[#got + 1] = { e, d2, health.current, velocity and velocity.dx or "none", parent or "none", more == nil }
  health.current = 0
end
check.eq(got, { { a, 0, 3, "none", "none", true }, { c, 4, 5, 7, lord, true } })
check.eq(world:get(c, "Health").current, 0)
-- who has lost a required component meanwhile is passed over; tags count when the loop begins
got = {}
for e in world:near("units", 0, 0, 5, q) do got[#got + 1] = e world:remove(c, "Health") world:untag(d, "enemy") end
check.eq(got, { a })
got = {}
for e in world:near("units", 0, 0, 5, "player") do got[#got + 1] = e world:untag(b, "player") end
check.eq(got, { a, b })
check.fails('tag "players" is not declared; did you mean "player"?', function() world:near("units", 0, 0, 1, "players") end)
check.fails("bad argument #5 to 'near' (tag name or query expected, got table)", function() world:near("units", 0, 0, 1, { "Health" }) end)
---
ecs.grid("units", { component = "Positon", cell = 4 }) --! component "Positon" is not declared; did you mean "Position"?
---
ecs.grid("units", { component = "Position", cell = "4" }) --! ecs.grid: cell must be a number, not string "4"
---
ecs.grid("units", { component = "Position", cell = 0 }) --! ecs.grid: the cell width must be a positive number, not number 0
---
ecs.grid("units", { component = "Position", query = { "Health" } }) --! ecs.grid: query must be what ecs.query{ … } returns, not table
---
ecs.grid("units", { component = "Position", query = ecs.query{ "Health", changed = { "Health" } } }) --! declare grid units: a grid's query cannot ask for changed or added: they differ from system to system
---
-- a grid over a query, with cells of its own choice
ecs.grid("foes", { component = "Position", query = ecs.query{ "Health", tagged = { "enemy" } } })
local a = world:spawn{ Position = { x = 1 }, Health = {}, "enemy" }
local b = world:spawn{ Position = { x = 2 }, Health = {}, "enemy" }
world:spawn{ Position = { x = 3 }, Health = {} }
world:spawn{ Position = { x = 4 }, "enemy" }
local got = {}
for e, d2 in world:near("foes", 0, 0, math.huge) do got[#got + 1] = { e, d2 } end
check.eq(got, { { a, 1 }, { b, 4 } })
check.eq({ world:nearest("foes", 9, 0, math.huge) }, { b, 49 })
check.eq(world:nearest("foes", 9, 0, 3), nil)
ecs.grid("foes", { component = "Position", query = ecs.query{ "Health", optional = { "Velocity" }, tagged = { "enemy" } } })
ecs.grid("none", { component = "Position", query = ecs.query{ tagged = { "player" } } })
check.eq(world:nearest("none", 9, 0, 3), nil)
check.fails("declare grid foes: declared differently", function() ecs.grid("foes", { component = "Position" }) end)
---
ecs.grid("units", { component = "Position", cel = 4 }) --! ecs.grid: a grid has component, x, y, cell, carry and query, not string "cel"; did you mean "cell"?
