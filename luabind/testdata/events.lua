-- events: send, read, peek, drain
local e = world:spawn{}
world:send("Hit", { target = e, amount = 5, note = "ouch", extra = { 1, { 2 } } })
world:send("Hit", { amount = 6 })
world:send("Hit")
local seen = {}
for ev in world:peek("Hit") do seen[#seen + 1] = ev.amount end
check.eq(seen, { 5, 6, 0 })
for ev in world:read("Hit") do
  seen[#seen + 1] = ev.amount
  if ev.amount == 5 then
    check.eq(ev.target, e)
    check.eq(ev.note, "ouch")
    check.eq(ev.extra, { 1, { 2 } })
    check.eq(ecs.fields(ev), { target = e, amount = 5, note = "ouch", extra = { 1, { 2 } } })
    check.eq(tostring(ev), 'Hit {target = 0v1, amount = 5, note = "ouch", extra = {1, {2}}}')
    check.fails("an event is read-only: Hit.amount cannot be assigned", function() ev.amount = 1 end)
    check.fails('Hit has no field "amont"; did you mean "amount"?', function() return ev.amont end)
    local copy = ev.extra
    copy[1] = 99
    check.eq(select(2, pcall(function() ev.extra[1] = 99 end)):match("an event is read%-only") ~= nil, true)
    check.eq(ev.extra[1], 1)
  end
end
check.eq(seen, { 5, 6, 0, 5, 6, 0 })
for ev in world:read("Hit") do error("read twice") end
---
-- read hands out when the loop reaches it: break loses nothing
for i = 1, 4 do world:send("Hit", { amount = i }) end
for ev in world:read("Hit") do
  check.eq(ev.amount, 1)
  break
end
local rest = {}
for ev in world:read("Hit") do rest[#rest + 1] = ev.amount end
check.eq(rest, { 2, 3, 4 })
---
-- loops walk what existed when they began
world:send("Hit", { amount = 1 })
local n = 0
for ev in world:read("Hit") do
  n = n + 1
  world:send("Hit", { amount = ev.amount + 1 })
end
check.eq(n, 1)
n = 0
for ev in world:peek("Hit") do
  n = n + 1
  world:send("Hit", { amount = 9 })
end
check.eq(n, 2)
n = 0
for ev in world:drain("Hit") do
  n = n + 1
  world:send("Hit", { amount = 9 })
end
check.eq(n, 4)
for ev in world:drain("Hit") do n = n + 1 end
check.eq(n, 8)
for ev in world:peek("Hit") do error("drained") end
---
-- a drain in the middle: peek goes on with what it had, read has lost the rest
for i = 1, 3 do world:send("Hit", { amount = i }) end
local peeked = {}
for ev in world:peek("Hit") do
  peeked[#peeked + 1] = ev.amount
  if ev.amount == 1 then for _ in world:drain("Hit") do end end
end
check.eq(peeked, { 1, 2, 3 })
for i = 1, 3 do world:send("Hit", { amount = i }) end
local n = 0
for ev in world:read("Hit") do
  n = n + 1
  for _ in world:drain("Hit") do end
  world:send("Hit", { amount = 10 })
end
check.eq(n, 1)
local last
for ev in world:read("Hit") do last = ev.amount end
check.eq(last, 10)
---
-- event loops lock nothing
world:send("Hit", { amount = 1 })
for ev in world:read("Hit") do world:spawn{} end
for ev in world:peek("Hit") do world:spawn{} end
for ev in world:drain("Hit") do world:spawn{} end
check.eq(world:count(), 3)
--- frames 3
-- peek shows this frame's and the previous one's
world:send("Hit", { amount = world.frame })
local seen = {}
for ev in world:peek("Hit") do seen[#seen + 1] = ev.amount end
if world.frame == 1 then check.eq(seen, { 1 }) end
if world.frame == 2 then check.eq(seen, { 1, 2 }) end
if world.frame == 3 then check.eq(seen, { 2, 3 }) end
--- frames 2
-- an event outlives its frame as a value
local held = require("lib.stateful")
if world.frame == 1 then
  world:send("Hit", { amount = 4, extra = { 5 } })
  for ev in world:peek("Hit") do held.ev = ev end
else
  for ev in world:drain("Hit") do end
  check.eq(held.ev.amount, 4)
  check.eq(held.ev.extra, { 5 })
end
---
world:send("Hitt", {}) --! event "Hitt" is not declared; did you mean "Hit"?
---
world:send("Hit", { amont = 1 }) --! Hit has no field "amont"; did you mean "amount"?
---
world:send("Hit", { amount = "5" }) --! send Hit.amount: number expected, got string "5"
---
world:send("Hit", 5) --! bad argument #2 to 'send' (table expected, got number; write { target = … })
---
world:read("Position") --! event "Position" is not declared; "Position" is a component
---
world:send() --! bad argument #1 to 'send' (event name expected, got no value)
---
check.fails('component "Positon" is not declared', function() world:removed("Positon") end)
--- frames 2
-- changed and added: its own writes are no news to the system itself
local changed, added = ecs.query{ "Position", changed = { "Position" } }, ecs.query{ "Position", added = { "Position" } }
if world.frame == 2 then
  check.eq(world:count(changed), 0)
  check.eq(world:count(added), 0)
end
local e = world:spawn{ Position = {} }
world:set(e, "Position", { x = 5 })
world.commands:spawn{ Position = {} }
