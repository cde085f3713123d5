-- views: live access to one component of one entity
local e = world:spawn{ Position = { x = 1, y = 2 } }
local v = world:get(e, "Position")
v.x = 5
check.eq(world:get(e, "Position").x, 5)
world:set(e, "Position", { y = 9 })
check.eq(v.y, 9)
check.eq(ecs.fields(v), { x = 5, y = 9 })
check.eq(tostring(v), "Position of 0v1 {x = 5, y = 9}")
check.eq(v == world:get(e, "Position"), true)
check.eq(type(v), "userdata")
---
-- a view follows its entity from table to table, and never reads another's row
local a = world:spawn{ Position = { x = 1 } }
local b = world:spawn{ Position = { x = 2 } }
local va, vb = world:get(a, "Position"), world:get(b, "Position")
world:add(a, "Velocity")
check.eq(va.x, 1)
check.eq(vb.x, 2)
world:despawn(a) -- b moves in storage
check.eq(vb.x, 2)
check.fails("get Position on 0v1: the entity is dead", function() return va.x end)
check.fails("set Position on 0v1: the entity is dead", function() va.x = 1 end)
local c = world:spawn{ Position = { x = 3 } } -- the slot of a
check.fails("get Position on 0v1: the entity is dead", function() return va.x end)
check.eq(tostring(va), "Position of 0v1 (the entity is dead)")
---
-- it raises while the entity lacks the component, and works again afterwards
local e = world:spawn{ Position = { x = 1 } }
local v = world:get(e, "Position")
world:remove(e, "Position")
check.fails("get Position on 0v1: the entity lacks the component", function() return v.x end)
check.fails("set Position on 0v1: the entity lacks the component", function() v.x = 2 end)
check.fails("the entity lacks the component", function() ecs.fields(v) end)
check.eq(world:get(e, "Position"), nil)
world:add(e, "Position")
check.eq(v.x, 0)
---
local v = world:get(world:spawn{ Health = {} }, "Health")
v.curent = 1 --! Health has no field "curent"; did you mean "current"?
---
local v = world:get(world:spawn{ Health = {} }, "Health")
local x = v.curent --! Health has no field "curent"; did you mean "current"?
---
local v = world:get(world:spawn{ Health = {} }, "Health")
v[1] = 5 --! Health has named fields only, not [1]
---
local v = world:get(world:spawn{ Marker = {} }, "Marker")
v.x = 5 --! Marker has no fields, so no "x"
---
world:get(world:spawn{}, "Helth") --! component "Helth" is not declared; did you mean "Health"?
---
world:get(world:spawn{}, "player") --! component "player" is not declared; "player" is a tag
---
-- every field type: defaults and round trips
local v = world:get(world:spawn{ Kinds = {} }, "Kinds")
check.eq(ecs.fields(v), { f64 = 0, f32 = 0, i32 = 0, u32 = 0, i16 = 0, u16 = 0, i8 = 0, u8 = 0, flag = false, who = 0, name = "", items = {} })
v.f64, v.f32 = 0.1, 0.1
check.eq(v.f64, 0.1)
check.eq(v.f32 == 0.1, false) -- rounded to nearest
check.eq(math.abs(v.f32 - 0.1) < 1e-8, true)
v.f32 = 1e300
check.eq(v.f32, 1/0)
v.f64 = 0/0
check.eq(v.f64 ~= v.f64, true)
v.i32, v.u32, v.i16, v.u16, v.i8, v.u8 = -2147483648, 4294967295, -32768, 65535, -128, 255
check.eq(v.i32, -2147483648)
check.eq(v.u32, 4294967295)
check.eq(v.i16, -32768)
check.eq(v.u16, 65535)
check.eq(v.i8, -128)
check.eq(v.u8, 255)
v.flag = true
check.eq(v.flag, true)
local e = world:spawn{}
v.who = e
check.eq(v.who, e)
check.eq(world:alive(v.who), true)
v.who = nil
check.eq(v.who, ecs.none)
v.name = "Grüße\0!"
check.eq(v.name, "Grüße\0!")
v.items = { 1, 2, { deep = true }, name = "sword", [false] = 0.5 }
check.eq(v.items, { 1, 2, { deep = true }, name = "sword", [false] = 0.5 })
local copy = v.items
copy.name = "axe" -- a copy: what is read is not what is stored
check.eq(v.items.name, "sword")
v.items = copy
check.eq(v.items.name, "axe")
v.items = {}
check.eq(v.items, {})
---
world:get(world:spawn{ Kinds = {} }, "Kinds").u8 = 300 --! set Kinds.u8 on 0v1: 300 does not fit u8 (0 to 255)
---
world:get(world:spawn{ Kinds = {} }, "Kinds").i32 = 1.5 --! set Kinds.i32 on 0v1: 1.5 is not a whole number, as i32 needs
---
world:get(world:spawn{ Kinds = {} }, "Kinds").i32 = 0/0 --! set Kinds.i32 on 0v1: NaN is not a whole number
---
world:get(world:spawn{ Kinds = {} }, "Kinds").i32 = 1/0 --! set Kinds.i32 on 0v1: +Inf is not a whole number
---
world:get(world:spawn{ Kinds = {} }, "Kinds").u32 = -1 --! set Kinds.u32 on 0v1: -1 does not fit u32
---
world:get(world:spawn{ Kinds = {} }, "Kinds").f64 = "5" --! set Kinds.f64 on 0v1: number expected, got string "5"
---
world:get(world:spawn{ Kinds = {} }, "Kinds").f64 = nil --! set Kinds.f64 on 0v1: number expected, got nil
---
world:get(world:spawn{ Kinds = {} }, "Kinds").flag = 1 --! set Kinds.flag on 0v1: boolean expected, got number 1
---
world:get(world:spawn{ Kinds = {} }, "Kinds").name = 5 --! set Kinds.name on 0v1: string expected, got number 5
---
world:get(world:spawn{ Kinds = {} }, "Kinds").who = 5 --! set Kinds.who on 0v1: entity expected, got number 5
---
world:get(world:spawn{ Kinds = {} }, "Kinds").who = "e" --! set Kinds.who on 0v1: entity expected, got string "e"
---
world:get(world:spawn{ Kinds = {} }, "Kinds").items = 5 --! set Kinds.items on 0v1: table expected, got number 5
---
local t = {}
t.me = t
world:get(world:spawn{ Kinds = {} }, "Kinds").items = t --! set Kinds.items.me on 0v1: the table contains itself
---
local t = {}
for i = 1, 40 do t = { t } end
world:get(world:spawn{ Kinds = {} }, "Kinds").items = t --! set Kinds.items on 0v1: plain data nests deeper than 32 tables
---
world:get(world:spawn{ Kinds = {} }, "Kinds").items = { f = print } --! set Kinds.items.f on 0v1: a function is not plain data
---
-- a failed assignment writes nothing
local e = world:spawn{ Kinds = { u8 = 7 } }
check.fails("does not fit", function() world:set(e, "Kinds", { i8 = 1, u8 = 256 }) end)
check.eq(world:get(e, "Kinds").u8, 7)
check.eq(world:get(e, "Kinds").i8, 0)
---
ecs.fields(5) --! bad argument #1 to 'fields' (view or event expected, got number)
---
-- views kept past their turn of the loop stay bound to their own entity
for i = 1, 40 do world:spawn{ Position = { x = i } } end
local kept = {}
for e, p in world:each("Position") do kept[#kept + 1] = { e = e, p = p } end
for i, k in ipairs(kept) do
  check.eq(k.p.x, i)
  check.eq(k.p == world:get(k.e, "Position"), true)
end
world:despawn(kept[1].e)
for i = 2, 40 do check.eq(kept[i].p.x, i) end
check.fails("dead", function() return kept[1].p.x end)
--- frames 3
-- and past the frame
if world.frame == 1 then
  local held = require("lib.stateful")
  held.e = world:spawn{ Position = { x = 4 } }
  held.v = world:get(held.e, "Position")
elseif world.frame == 2 then
  check.eq(require("lib.stateful").v.x, 4)
  world:despawn(require("lib.stateful").e)
  world:spawn{ Position = { x = 5 } }
else
  check.fails("the entity is dead", function() return require("lib.stateful").v.x end)
end
