--- frames 9
-- events that wait for frames, for a time and for a frame come in the order of time, then of sending
local held = require("lib.stateful")
local c, dt = world.commands, world.dt
if world.frame == 1 then
  held.log = ""
  local e = world:spawn{}
  check.eq(c:send("Hit", { amount = 1, target = e }, { frames = 3 }), 1)
  check.eq(c:send("Hit", { amount = 2 }, { after = 3 * dt }), 2)
  check.eq(c:send("Hit", { amount = 3 }, { at = 3 }), 3)
  check.eq(c:send("Hit", { amount = 4 }, { after = 0 }), 4)
  check.eq(c:send("Hit", nil, { after = 2.5 * dt }), 5)
  check.eq(c:send("Hit"), nil)
  world:despawn(e) -- does not stop the event
end
for ev in world:read("Hit") do held.log = held.log .. world.frame .. ":" .. ev.amount .. " " end
if world.frame == 9 then check.eq(held.log, "2:0 2:4 3:3 4:0 4:1 4:2 ") end
---
--- frames 6
-- a key replaces what waits under it, at the end of the order; cancel takes a number, or an event and a key
local held = require("lib.stateful")
local c = world.commands
local function ring(n, key) return c:send("Hit", { amount = n }, { frames = 2, key = key }) end
if world.frame == 1 then
  held.log = ""
  ring(1, "door 7")
  ring(2, "door 8")
  ring(3, "door 7")
  held.gone = ring(4)
  ring(5, "door 9")
elseif world.frame == 2 then
  c:cancel(held.gone)
  c:cancel("Hit", "door 9")
  c:cancel("Hit", "door 10") -- unknown ones are skipped
  c:cancel(held.gone)
  c:cancel(0)
  c:cancel(1e300)
  c:cancel(-0.5)
  c:cancel(ring(6))
end
for ev in world:read("Hit") do held.log = held.log .. world.frame .. ":" .. ev.amount .. " " end
if world.frame == 6 then check.eq(held.log, "3:2 3:3 ") end
---
--- frames 4
-- from loops, too
local held = require("lib.stateful")
if world.frame == 1 then
  held.sum, held.last = 0, 0
  for i = 1, 10 do world:spawn{ Position = { x = i } } end
  for e, p in world:each("Position") do
    local n = world.commands:send("Hit", { target = e, amount = p.x }, { frames = 2, key = "x" .. p.x % 5 })
    check.eq(n, held.last + 1)
    held.last = n
    if p.x == 10 then world.commands:cancel(n) end
  end
end
for ev in world:read("Hit") do held.sum = held.sum * 10 + ev.amount end
if world.frame == 4 then check.eq(held.sum, 6789) end
---
world.commands:send("Hit", {}, { after = -1 }) --! world.commands:send: after is -1; give seconds of at least 0
---
world.commands:send("Hit", {}, { after = 0 / 0 }) --! after is nan; give seconds of at least 0
---
world.commands:send("Hit", {}, { after = math.huge }) --! after is inf, which never comes; give a number of seconds
---
world.commands:send("Hit", {}, { frames = 0 }) --! frames is 0; give a whole number of frames, at least 1
---
world.commands:send("Hit", {}, { frames = 1.5 }) --! frames is 1.5; give a whole number of frames, at least 1
---
world.commands:send("Hit", {}, { at = world.frame }) --! at is 1; give the number of a frame that is later than this one, 1
---
world.commands:send("Hit", {}, { after = 1, frames = 2 }) --! both after and frames; give one of them
---
world.commands:send("Hit", {}, { key = "door" }) --! it is not said when the event comes; write { after = 0.5 } for seconds, { frames = 10 } or { at = world.frame + 10 }
---
world.commands:send("Hit", {}, { afer = 1 }) --! an event waits for after, frames or at, and has a key; not string "afer"; did you mean "after"?
---
world.commands:send("Hit", {}, { after = "1" }) --! after says when the event comes: give a number, not string "1"
---
world.commands:send("Hit", {}, { after = 1, key = 7 }) --! key is a text that is not empty, not number 7
---
world.commands:send("Hit", {}, 3) --! bad argument #3 to 'send' (table expected, got number; write { after = 0.5 } for seconds
---
world.commands:send("Hit", { amount = "x" }, { after = 1 }) --! Hit.amount
---
world.commands:cancel("Hti", "door") --! event "Hti" is not declared; did you mean "Hit"?
---
world.commands:cancel("Hit") --! bad argument #2 to 'cancel' (key expected, got no value)
---
world.commands:cancel(7, "door") --! bad argument #2 to 'cancel' (a number stands alone; a key goes with the name of its event)
---
world.commands:cancel({}) --! bad argument #1 to 'cancel' (number of a waiting event, or event name expected, got table)
