---
local a = world:spawn{ Cell = { x = 1, y = 2, label = "a" } }
local b = world:spawn{ Cell = { x = 1, y = 2, label = "a" } }
check.eq(world:at("cells", 1, 2), a)
check.eq(world:count("cells", 1, 2), 2)
check.eq(world:count("labels", "a"), 2)
check.eq(world:at("labels", "b"), nil)
check.eq(world:at("owned", nil, "a"), a)
check.eq(world:count("owned", ecs.none, "a"), 2)
local cell = world:get(a, "Cell")
cell.x = 3
check.eq(world:at("cells", 1, 2), b)
check.eq(world:at("cells", 3, 2), a)
cell.x = 1
local seen = {}
for e in world:all("cells", 1, 2) do seen[#seen + 1] = e end
check.eq(seen, { b, a })
world:set(b, "Cell", { y = 9 })
check.eq(world:count("cells", 1, 9), 0)
check.eq(world:at("torus", 1, 0), b)
check.eq(world:at("torus", -4, 12), b)
check.eq(world:at("anywhere", 1, 9), b)
world:set(b, "Cell", { owner = a })
check.eq(world:at("owned", a, "a"), b)
world:despawn(b)
check.eq(world:at("torus", 1, 0), nil)
world:remove(a, "Cell")
check.eq(world:count("cells", 1, 2), 0)
check.eq(world:count("Cell"), 0)
check.eq(world:count("Cell", "Position"), 0)
---
local all = {}
for i = 0, 3 do
  for j = 0, 2 do all[#all + 1] = world:spawn{ Cell = { x = i, y = j } } end
end
local seen = {}
for e, x, y in world:around("cells", 0, 0, 1) do seen[#seen + 1] = x .. "," .. y .. "=" .. tostring(e == all[x * 3 + y + 1]) end
check.eq(table.concat(seen, " "), "1,0=true 0,1=true 1,1=true")
seen = {}
for e, x, y in world:around("torus", 0, 0, 1, "neumann") do seen[#seen + 1] = x .. "," .. y end
check.eq(table.concat(seen, " "), "0,2 1,0 0,1")
seen = {}
for e, x, y in world:around("anywhere", 1, 1, 1, "neumann") do
  seen[#seen + 1] = x .. "," .. y
  if #seen == 1 then
    world:despawn(all[3 * 1 + 2 + 1])
    world:get(all[3 * 2 + 1 + 1], "Cell").x = 7
    world:spawn{ Cell = { x = 0, y = 1 } }
  end
end
check.eq(table.concat(seen, " "), "1,0 0,1")
for e in world:all("cells", 99, 0) do error("nobody") end
---
world.commands:spawn{ Cell = { x = 5, y = 1 } }
local e = world:spawn{ Position = {} }
world.commands:set(e, "Cell", { x = 5, y = 1 })
check.eq(world:count("cells", 5, 1), 0)
world:spawn_many(3, { Cell = { x = 5, y = 1 } }, function(i, cell) return { Cell = { x = i } } end)
--- frames 2
if world.frame == 1 then
  for i = 1, 40 do world:spawn{ Cell = { x = i % 8, y = i % 4 } } end
else
  local before = world:count("cells", 1, 1)
  for e, cell in world:each("Cell") do
    cell.x = (cell.x + 1) % 8
    cell.y = (cell.y + 1) % 4
  end
  check.eq(world:count("cells", 1, 1), before)
  for e, cell in world:each("Cell") do
    check.eq(world:at("cells", cell.x, cell.y) ~= nil, true)
    cell.x = 2
  end
  check.eq(world:count("cells", 2, 1), 10)
end
--- load
ecs.component("Late", { id = "i64", name = "string" })
ecs.index("late", { component = "Late", fields = { "id" } })
ecs.index("both", { component = "Late", fields = { "name", "id" } })
return function(world)
  local e = world:spawn{ Late = { id = 2 ^ 40, name = "x" } }
  check.eq(world:at("late", 2 ^ 40), e)
  check.eq(world:at("both", "x", 2 ^ 40), e)
end
--- load
ecs.index("late", { component = "Sell", fields = { "id" } }) --! component "Sell" is not declared
return function(world) end
--- load
ecs.index("late", { component = "Position", fields = { "x" } }) --! declare index late: field "x" is f64; an index takes integers, strings and entities
return function(world) end
--- load
ecs.index("late", { component = "Cell", fields = "x" }) --! index "late": fields is a list of names, as in { "x", "y" }, not string "x"
return function(world) end
--- load
ecs.index("late", { component = "Cell", fields = { "x" }, size = 3 }) --! index "late" has component, fields, width, height and wrap, not string "size"
return function(world) end
--- load
ecs.index("late", { component = "Cell", fields = { "x", "y" }, width = 0 }) --! index "late": width must be a whole number from 1 to 67108864, not number 0
return function(world) end
---
world:at("sells", 1, 2) --! index "sells" is not declared; did you mean "cells"?
---
world:at("Cell", 1, 2) --! index "Cell" is not declared; "Cell" is a component
---
world:at("cells", 1) --! index "cells": 1 values given for 2 fields: Cell.x, Cell.y of 8 × 4
---
-- One of a place by chance.
local seen, there = {}, {}
for i = 1, 3 do there[world:spawn{ Cell = { x = 7, y = 3 } }] = true end
world:spawn{ Cell = { x = 6, y = 3 } }
for i = 1, 40 do
  local e = world:pick("cells", 7, 3)
  check.eq(there[e], true)
  seen[e] = true
end
check.eq(seen, there)
check.eq(world:pick("cells", 5, 3), nil)
---
world:pick("sells", 5, 3) --! index "sells" is not declared; did you mean "cells"?
---
world:count("Cell", 5) --! index "Cell" is not declared; "Cell" is a component
---
world:pick("cells", 5) --! index "cells": 1 values given for 2 fields
---
world:at("cells", 1.5, 2) --! index "cells": x is 1.5; a whole number expected
---
world:at("cells", "1", 2) --! index "cells": x is string; number expected
---
world:count("labels", 2) --! index "labels": label is number; string expected
---
world:around("labels", 1, 1, 1) --! index "labels": around needs two integer fields; its fields are Cell.label
---
world:around("cells", 1, 1, 1, "round") --! index "cells": "moore" or "neumann" expected, got string "round"
---
world:around("cells", 1, 1, 0.5) --! index "cells": r must be a whole number, not number 0.5
---
for e in world:each("cells") do end --! component "cells" is not declared; "cells" is an index: write for e in world:all("cells", …) do
---
print(#world:all("cells", 1, 2)) --! write for e in world:all(…) do; world:count(…) counts
---
print(world:around("cells", 1, 2, 1)[1]) --! write for e in world:around(…) do
---
world:first("cells") --! write world:at("cells", …), or for e in world:all("cells", …) do
---
world:tag(world:spawn{}, "cells") --! tag "cells" is not declared; "cells" is an index
--- load
ecs.grid("here", { component = "Position", cell = 4 })
return function(world)
  local a = world:spawn{ Position = { x = 1, y = 0 } }
  local b = world:spawn{ Position = { x = -1, y = 0 }, Health = { current = 5 } }
  local c = world:spawn{ Position = { x = 900, y = 0 }, "player" }
  check.eq({ world:nearest("here", 0, 0, 9) }, { a, 1 })
  check.eq({ world:nearest("here", 0, 0, 9, nil, a) }, { b, 1 })
  check.eq({ world:nearest("here", 0, 0, math.huge, "player") }, { c, 810000 })
  check.eq(world:nearest("here", 0, 0, 10, "player"), nil)
  check.eq(world:nearest("here", 500, 0, 10), nil)
  local e, d2, pos, health = world:nearest("here", 0, 0, math.huge, ecs.query{ "Position", "Health" })
  check.eq({ e, d2, pos.x, health.current }, { b, 1, -1, 5 })
  world:despawn(c)
  check.eq(world:nearest("here", 0, 0, math.huge, "player"), nil)
end
