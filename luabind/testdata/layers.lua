--- frames 2
local ground = world.layers.ground
check.eq(tostring(world.layers), "world.layers")
check.eq(tostring(ground), "layer ground (u8 of 8 × 4, default 1)")
check.eq(ground == world.layers.ground, true)
check.eq({ ground:size() }, { 8, 4 })
if world.frame == 1 then
  check.eq(ground:sum(), 32)
  ground:set(7, 3, 200)
  ground:add(7, 3, 55)
  ground:add(0, 0, -1)
else
  check.eq(ground:get(7, 3), 255)
  check.eq(ground:get(0, 0), 0)
  check.eq(ground:count(1), 30)
  check.eq(ground:count(255), 1)
  ground:fill(3)
  ground:fill(4, 6, 2, 2, 2)
  check.eq(ground:sum(), 28 * 3 + 4 * 4)
end
---
local heat, wet, owner, wide = world.layers.heat, world.layers.wet, world.layers.owner, world.layers.wide
heat:set(-1, -1, 2.5)
check.eq(heat:get(4, 2), 2.5)
check.eq(heat:get(9, 5), 2.5)
heat:add(4, 2, 0.25)
check.eq(heat:sum(), 2.75)
heat:fill(1, 4, 2, 2, 2)
check.eq(heat:sum(), 4)
wet:set(1, 1, true)
check.eq(wet:get(1, 1), true)
check.eq(wet:get(0, 0), false)
check.eq(wet:count(true), 1)
check.eq(wet:sum(), 1)
local e = world:spawn{}
owner:set(1, 2, e)
check.eq(owner:get(1, 2), e)
check.eq(owner:get(0, 0), ecs.none)
check.eq(owner:count(e), 1)
owner:set(1, 2, nil)
check.eq(owner:count(ecs.none), 9)
wide:set(0, 0, 2 ^ 53)
check.eq(wide:get(0, 0), 2 ^ 53)
---
local seen = {}
for x, y, v in world.layers.ground:each() do seen[#seen + 1] = x + 10 * y + 100 * v end
check.eq(#seen, 32)
check.eq({ seen[1], seen[2], seen[9], seen[32] }, { 100, 101, 110, 137 })
seen = {}
for x, y in world.layers.ground:around(0, 0, 1) do seen[#seen + 1] = x .. "," .. y end
check.eq(table.concat(seen, " "), "1,0 0,1 1,1")
seen = {}
for x, y in world.layers.heat:around(0, 0, 1, "neumann") do seen[#seen + 1] = x .. "," .. y end
check.eq(table.concat(seen, " "), "0,2 4,0 1,0 0,1")
seen = {}
for x, y in world.layers.heat:around(2, 1, 50) do seen[#seen + 1] = x .. "," .. y end
check.eq(#seen, 14)
for x, y in world.layers.heat:around(2, 1, 0) do check.eq(x, "none") end
---
-- a value is read when the walk reaches it
local sum = 0
for x, y, v in world.layers.ground:each() do
  sum = sum + v
  if x < 7 then world.layers.ground:set(x + 1, y, 5) end
end
check.eq(sum, 4 * (1 + 7 * 5))
---
world.layers.heat:fill(2)
local other = world.layers.heat
other:copy(other)
check.eq(other:sum(), 30)
---
local v = world.layers.grund --! layer "grund" is not declared; did you mean "ground"?
---
local v = world.layers.sea --! layer "sea" is not declared; declare it under layers in the config, or with ecs.layer
---
world.layers.ground(1, 2) --! attempt to call layer (field "ground"); write layer:get(x, y), or layer:set(x, y, value)
---
world.layers.ground:get(8, 0) --! layer "ground": (8, 0) is outside of it; x is 0 to 7, y 0 to 3
---
world.layers.ground:set(0, -1, 1) --! layer "ground": (0, -1) is outside of it
---
world.layers.ground:get(0.5, 0) --! layer "ground": get: x must be a whole number, not number 0.5
---
world.layers.ground:get(0) --! layer "ground": get: y must be a whole number, not nil
---
world.layers.heat:get(1 / 0, 0) --! layer "heat": get: x must be a whole number, not number inf
---
world.layers.ground:set(0, 0, 256) --! layer "ground": set: 256 does not fit u8 (0 to 255)
---
world.layers.ground:set(0, 0, "x") --! layer "ground": set: number expected, got string "x"
---
world.layers.ground:set(0, 0) --! layer "ground": set: number expected, got nil
---
world.layers.ground:add(0, 0, 255) --! layer "ground": 256 does not fit u8 (0 to 255)
---
world.layers.wet:add(0, 0, 1) --! layer "wet": add needs numbers, and it holds bool
---
world.layers.ground:fill(1, 7, 0, 2, 1) --! layer "ground": fill: 2 × 1 cells at (7, 0) are not inside
---
world.layers.ground:fill(-1) --! layer "ground": fill: -1 does not fit u8
---
world.layers.ground:copy(world.layers.heat) --! layer "ground": copy: it is u8 of 8 × 4, and layer "heat" is f64 of 5 × 3
---
world.layers.ground:copy(5) --! layer "ground": copy: layer expected, got number
---
world.layers.owner:sum() --! layer "owner": sum needs numbers, and it holds entities
---
for x in world.layers.ground:around(0, 0, -1) do end --! layer "ground": around: r is -1; a whole number from 0 expected
---
for x in world.layers.ground:around(0, 0, 1, "hex") do end --! layer "ground": around: "moore" or "neumann" expected, got string "hex"
---
world.layers.ground:gett(0, 0) --! layer has no function "gett"; did you mean "get"?
---
world.layers.ground.x = 1 --! a layer takes no fields; write layer:set(x, y, value)
---
world.layers.ground = 1 --! world.layers cannot be changed
---
world.layers = 1 --! world.layers cannot be replaced
---
world.layers.ground.get(5, 0, 0) --! calling 'get' on bad self (layer expected, got number); write layer:get(…)
---
-- errors change nothing
local ok = pcall(function() world.layers.ground:fill(300) end)
check.eq(ok, false)
check.eq(world.layers.ground:sum(), 32)
---
-- kept by another name
local t = { layer = world.layers.heat, [world.layers.ground] = 1 }
t.layer:set(0, 0, 4)
check.eq(world.layers.heat:get(0, 0), 4)
check.eq(t[world.layers.ground], 1)
--- load
ecs.layer("made", { type = "i16", width = 4, height = 2, wrap = true, default = -3 })
ecs.layer("made", { type = "i16", width = 4, height = 2, wrap = true, default = -3 })
return function(world) check.eq(world.layers.made:get(-1, -1), -3) end
--- load
ecs.layer("ground", { type = "u8", width = 9, height = 4 }) --! declare layer ground: declared differently: it is u8 of 8 × 4, default 1, not u8 of 9 × 4
--- load
ecs.layer("l", { type = "u8", width = 9 }) --! layer "l": height must be a whole number from 1 to 67108864, not nil
--- load
ecs.layer("l", { type = "string", width = 9, height = 1 }) --! declare layer l: a layer holds numbers, bool or entity, not string
--- load
ecs.layer("l", { type = "u8", width = 9, heigt = 1 }) --! layer "l" has type, width, height, wrap and default, not string "heigt"; did you mean "height"?
--- load
return function(world) for x, y in world.layers.ground do print(x, y) end end --! a loop cannot walk it: write for x, y, v in layer:each() do
--- load
return function(world) print(world.layers.ground:each()[1]) end --! write for x, y, v in layer:each(…) do
--- load
return function(world) print(world.layers.ground:width()) end --! layer has no function "width"; write layer:size(), which returns width and height
--- load
ecs.layer("l", { type = "u8", width = 9, height = 1, default = 256 }) --! default of layer "l": 256 does not fit u8
