package luabind

import "testing"

// structureSource is a file with entities that have Q alone, whose table grows while a loop runs.
const structureSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64" }) ecs.component("Q", { y = "f64" }) ecs.event("Hit", { n = "f64" })
local q
return { init = function(world) q = world:spawn{ Q = { y = 1 } } for i = 1, 30 do world:spawn{ P = { x = i } } end end,
update = function(world, dt)
  local sum = 0
  for i = 1, 300 do world:send("Hit", { n = i }) end
  BODY
  print(sum, world:get(q, "Q").y)
end }`

// eventStructure are loops over events that spawn and despawn.
var eventStructure = []rowsCase{
	{name: "spawn", body: `for hit in world:drain("Hit") do world:spawn{ Q = { y = hit.n } } sum = sum + hit.n end`, ran: 600},
	{name: "spawn in some rows", body: `for hit in world:drain("Hit") do if hit.k == 2 then world:spawn{ Q = { y = hit.n } } end sum = sum + hit.n end`, ran: 600},
	{name: "despawn in a loop", body: `local first = world:first("P") for hit in world:read("Hit") do for i = 1, 2 do world:despawn(first + hit.n) end sum = sum + 1 end`, ran: 600},
	{name: "a look at the world, then despawn", body: `local first = world:first("P") for hit in world:read("Hit") do if world:alive(first + hit.n) then sum = sum + 1 end for i = 1, 2 do world:despawn(first + hit.n) end end`, ran: 600},
	{name: "despawn in a loop, then a look", body: `local first = world:first("P") for hit in world:read("Hit") do for i = 1, 2 do world:despawn(first + hit.n) end if world:alive(first + hit.n) then sum = sum + 1 end end`, left: 17},
	{name: "a look in a loop before despawn", body: `local first = world:first("P") for hit in world:read("Hit") do for i = 1, 2 do if world:alive(first + hit.n) then sum = sum + 1 end world:despawn(first + hit.n) end end`, left: 17},
	{name: "a look in the condition of a loop with despawn", body: `local first = world:first("P") for hit in world:read("Hit") do local i = 0 while i < (world:alive(first + hit.n) and 3 or 1) do i = i + 1 world:despawn(first + hit.n) end sum = sum + i end`},
	{name: "a look at the end of a loop with despawn", body: `local first = world:first("P") for hit in world:read("Hit") do local i = 0 repeat i = i + 1 world:despawn(first + hit.n) until i > 3 or not world:alive(first + hit.n) sum = sum + i end`},
	{name: "despawn in a block, then a look", body: `local first = world:first("P") for hit in world:read("Hit") do do world:despawn(first + hit.n) end if world:alive(first + hit.n) then sum = sum + 1 end end`, left: 17},
	{name: "a field of another entity after spawn in a loop", body: `local first = world:first("P") for hit in world:read("Hit") do local q = world:get(first + hit.n, "Q") for i = 1, 2 do if q then sum = sum + q.y end world:spawn{ Q = { y = i } } end end`, ran: 600},
	{name: "a query that sees what the rows before spawned", source: structureSource, body: `for hit in world:read("Hit") do for f, q in world:each("Q") do q.y = q.y + 1 sum = sum + q.y end world:spawn{ Q = { y = hit.n } } end`, ran: 1200},
	{name: "a query over a table that grew since the last frame", source: structureSource, body: `for i = 1, 500 do world:spawn{ Q = { y = 1 } } end for e, p in world:each("P") do for f, q in world:each("Q") do q.y = q.y + p.x sum = sum + q.y end end`, ran: 120, machine: true},
	{name: "despawn of nothing", body: `local first = world:first("P") for hit in world:read("Hit") do if hit.n == 60 then world:despawn() end sum = sum + 1 end`, ran: 236, left: 4, machine: true},
	{name: "despawn of nothing in each row", body: `local first = world:first("P") for hit in world:read("Hit") do world:despawn() end`},
	{name: "despawn with an argument more", body: `local first = world:first("P") for hit in world:read("Hit") do world:despawn(first + hit.n, 1) sum = sum + 1 end`},
	{name: "the entity that spawn gives", body: `for hit in world:read("Hit") do last = world:spawn{ Q = { y = hit.n } } end`, ran: 600},
	{name: "whether despawn did it", body: `local first = world:first("P") for hit in world:read("Hit") do if world:despawn(first + hit.n) then sum = sum + 1 end end`, ran: 600},
	{name: "a count beside spawn", body: `for hit in world:read("Hit") do sum = sum + world:count("Q") world:spawn{ Q = { y = hit.n } } end`},
	{name: "a queued spawn beside spawn", body: `local cmd = world.commands for hit in world:read("Hit") do world:spawn{ Q = { y = hit.n } } local e = cmd:spawn{ Q = { y = 1 } } cmd:tag(e, "red") last = e end`},
	{name: "a queued spawn beside despawn", body: `local first, cmd = world:first("P"), world.commands for hit in world:read("Hit") do local e = cmd:spawn{ Q = { y = 1 } } last = e world:despawn(first + hit.n) end`},
	{name: "a field of another entity, then one of the event", body: `local first = world:first("P") for hit in world:read("Hit") do local q = world:get(first + 1, "Q") do world:despawn(first + hit.n) end if q then sum = sum + q.y end sum = sum + hit.n end`, left: 4},
	{name: "a store to another entity after despawn", body: `local first = world:first("P") for hit in world:read("Hit") do local q = world:get(first + 1, "Q") if q then do world:despawn(first + hit.n) end q.y = hit.n end end`, left: 4},
	{name: "a store to another entity before despawn", body: `local first = world:first("P") for hit in world:read("Hit") do local q = world:get(first + 1, "Q") if q then q.y = hit.n end do world:despawn(first + hit.n) end end`, ran: 600},
	{name: "a tag after spawn", body: `local first = world:first("P") for hit in world:read("Hit") do do world:spawn{ Q = { y = 1 } } end world:tag(first + hit.n, "red") end`, ran: 600},
	{name: "spawn with a relation", body: `local first = world:first("P") for hit in world:read("Hit") do world:spawn{ Q = { y = 1 }, ChildOf = first } end`, ran: 600},
	{name: "an event that is sent beside spawn", body: `for hit in world:read("Hit") do world:send("Out", { n = hit.n }) do world:spawn{ Q = { y = 1 } } end sum = sum + 1 end`, ran: 600},
	{name: "an event that is sent between spawn and a look", body: `local first = world:first("P") for hit in world:read("Hit") do do world:spawn{ Q = { y = 1 } } end world:send("Out", { n = hit.n }) if world:alive(first + hit.n) then sum = sum + 1 end end`, ran: 600},
	{name: "a view that is found after spawn", body: `local first = world:first("P") for hit in world:read("Hit") do do world:spawn{ Q = { y = 1 } } end local q = world:get(first + hit.n, "Q") sum = sum + 1 end`, ran: 600},
	{name: "a field in the last part of a choice", body: `local first = world:first("P") for hit in world:read("Hit") do local q = world:get(first + 1, "Q") if q then local y = 0 do world:despawn(first + hit.n) end sum = sum + (hit.k > 1 and 1 or q.y) end end`, ran: 599, left: 1, machine: true},
}

// A row that looks at the world after world:spawn or world:despawn sees the change, as does each later row.
func TestEventStructure(t *testing.T) { sameRows(t, eventStructure) }
