-- table fields: a read is a value of its own
local e, f = world:spawn{ Kinds = { items = { { n = 1, k = "a" }, { n = 2 } } } }, world:spawn{ Kinds = {} }
local bag = world:get(e, "Kinds")
local a, b = bag.items, bag.items
check.eq(a == b, false)
check.eq(a[1] == a[1], true)
check.eq(a[1] == b[1], false)
a[1].n, a.sword, a[3] = 7, 1, { n = 3 }
check.eq(a, { { n = 7, k = "a" }, { n = 2 }, { n = 3 }, sword = 1 })
check.eq(b, { { n = 1, k = "a" }, { n = 2 } })
check.eq(bag.items, { { n = 1, k = "a" }, { n = 2 } })
bag.items = a
a[1].n = 8
check.eq(bag.items[1].n, 7)
world:get(f, "Kinds").items = a
a[1].n = 9
check.eq({ bag.items[1].n, world:get(f, "Kinds").items[1].n }, { 7, 8 })
bag.items = bag.items
check.eq(bag.items.sword, 1)
---
-- an assignment whose target begins with a view's field is stored
local bag = world:get(world:spawn{ Kinds = { items = { { n = 1, deep = { list = {} } }, { n = 2 } } } }, "Kinds")
bag.items.sword = 1
bag.items[1].n = bag.items[1].n + 5
bag.items[1].deep.list[#bag.items[1].deep.list + 1] = "x"
bag.items[1].deep.list[#bag.items[1].deep.list + 1] = "y"
local key = "shield"
bag.items[key], bag["items"].bow = 2, { 1, 2 }
check.eq(bag.items, { { n = 6, deep = { list = { "x", "y" } } }, { n = 2 }, sword = 1, shield = 2, bow = { 1, 2 } })
bag.items[2], bag.items.sword = nil, nil
check.eq(bag.items, { { n = 6, deep = { list = { "x", "y" } } }, shield = 2, bow = { 1, 2 } })
bag.items.bow, bag.items.shield, bag.items[1] = nil
check.eq(next(bag.items), nil)
check.eq(tostring(bag), "Kinds of 0v1 {f64 = 0, f32 = 0, i32 = 0, u32 = 0, i16 = 0, u16 = 0, i8 = 0, u8 = 0, flag = false, who = none, name = \"\", items = {}}")
---
-- a kept copy is the script's own, whatever it is called
local bag = world:get(world:spawn{ Kinds = { items = { { n = 1 } } } }, "Kinds")
local items = bag.items
items.sword, items[1].n = 1, 2
local first = bag.items[1]
first.n = 3
local function add(t) t.added = true; table.insert(t, 5) end
add(bag.items)
for _, it in ipairs(bag.items) do it.n = 4 end
local t = { items = bag.items }
t.items.sword = 2
check.eq(bag.items, { { n = 1 } })
check.eq(items, { { n = 2 }, sword = 1 })
check.eq(t.items, { { n = 1 }, sword = 2 })
bag.items = items
check.eq(bag.items, { { n = 2 }, sword = 1 })
---
-- the functions of the library table that change their argument store it
local bag = world:get(world:spawn{ Kinds = { items = { 3, 1, inner = { list = { 5 } } } } }, "Kinds")
local insert = table.insert
table.insert(bag.items, 2)
insert(bag.items, 1, 9)
insert(bag.items.inner.list, 6)
check.eq(bag.items, { 9, 3, 1, 2, inner = { list = { 5, 6 } } })
check.eq(table.remove(bag.items), 2)
check.eq(table.remove(bag.items, 1), 9)
table.sort(bag.items)
check.eq(bag.items, { 1, 3, inner = { list = { 5, 6 } } })
table.sort(bag.items, function(a, b) return a > b end)
check.eq(bag.items, { 3, 1, inner = { list = { 5, 6 } } })
check.eq(table.concat(bag.items, ","), "3,1")
insert(bag.items.inner.list, table.remove(bag.items))
check.eq(bag.items, { 3, inner = { list = { 5, 6, 1 } } })
local values = setmetatable({}, { __index = bag })
insert(values.items, "via")
values.items.x = 1
check.eq(bag.items, { 3, "via", inner = { list = { 5, 6, 1 } }, x = 1 })
check.eq({ pcall(table.insert, bag.items, 1) }, { true }) -- pcall calls it, with a copy
check.eq(#bag.items, 2)
---
-- what cannot be stored is refused with its path, and nothing changes
local e = world:spawn{ Kinds = { items = { { q = {} } } } }
local bag = world:get(e, "Kinds")
check.fails("set Kinds.items.f on 0v1: a function is not plain data", function() bag.items.f = print end)
check.fails("set Kinds.items[1].q[2][1][1] on 0v1: a function is not plain data", function() bag.items[1].q[2] = { { print } } end)
check.fails("set Kinds.items[1] on 0v1: a nil cannot be a key of plain data", function() bag.items[1][nil] = 1 end)
check.fails("set Kinds.items[NaN] on 0v1: a table key must not be NaN", function() bag.items[0 / 0] = 1 end)
check.fails("set Kinds.items on 0v1: a view of Kinds cannot be a key of plain data", function() bag.items[bag] = 1 end)
check.fails("set Kinds.items[2] on 0v1: a function is not plain data", function() table.insert(bag.items, print) end)
check.fails("set Kinds.items[1] on 0v1: a function is not plain data", function() table.insert(bag.items, 1, print) end)
check.fails("attempt to index a nil value (field \"nope\")", function() bag.items.nope.x = 1 end)
check.fails("attempt to index a number value", function() bag.f64.x = 1 end)
check.fails("bad argument #1 to 'insert' (table expected, got number)", function() table.insert(bag.f64, 1) end)
local deep = {}
for _ = 1, 30 do deep = { deep } end
check.fails("set Kinds.items[1].q.x on 0v1: plain data nests deeper than 32 tables", function() bag.items[1].q.x = deep end)
local cyclic = {}
cyclic[1] = cyclic
check.fails("set Kinds.items.c[1] on 0v1: the table contains itself", function() bag.items.c = cyclic end)
check.eq(bag.items, { { q = {} } })
check.fails("set Kinds.items[1].n on 0v1: the table that the statement began with is not stored any more", function()
  bag.items[1].n = (function() bag.items = {} return 1 end)()
end)
check.fails("set Kinds on 0v1: the entity is dead", function()
  bag.items.n = (function() world:despawn(e) return 1 end)()
end)
check.fails("get Kinds on 0v1: the entity is dead", function() bag.items.n = 1 end)
---
-- what is written is the table as it is when the assignment happens
local bag = world:get(world:spawn{ Kinds = { items = { n = 1 } } }, "Kinds")
bag.items.x = (function() bag.items.n = 2 return 5 end)()
check.eq(bag.items, { n = 2, x = 5 })
table.insert(bag.items, (function() bag.items.n = 3 return 7 end)())
check.eq(bag.items, { 7, n = 3, x = 5 })
---
-- writing while iterating: pairs walks a copy
local bag = world:get(world:spawn{ Kinds = { items = { 1, 2, 3, a = 1 } } }, "Kinds")
local seen = 0
for k, v in pairs(bag.items) do
  seen = seen + 1
  bag.items[k] = nil
  bag.items["new" .. tostring(k)] = v
end
check.eq(seen, 4)
check.eq(bag.items, { new1 = 1, new2 = 2, new3 = 3, newa = 1 })
---
-- inherited values
local base = world:spawn{ Kinds = { items = { n = 1 } } }
local e = world:spawn{ IsA = base }
local v = world:get(e, "Kinds")
check.eq(v.items.n, 1)
check.fails("Kinds.items", function() v.items.n = 2 end)
check.fails("Kinds.items", function() table.insert(v.items, 2) end)
check.eq(world:get(base, "Kinds").items, { n = 1 })
---
-- what an event holds stays as it is: a read is a copy, and a write to it an error
world:send("Hit", { extra = { list = { 1 } } })
for ev in world:read("Hit") do
  check.eq(pcall(function() ev.extra.x = 1 end), false)
  check.eq(pcall(function() table.insert(ev.extra.list, 1) end), false)
  local extra = ev.extra
  extra.x = 1
  check.eq(ev.extra, { list = { 1 } })
end
---
-- in coroutines
local bag = world:get(world:spawn{ Kinds = { items = { 1 } } }, "Kinds")
local co = coroutine.wrap(function()
  table.insert(bag.items, coroutine.yield())
  bag.items.x = coroutine.yield()
  local items = bag.items
  items.y = 1
end)
co() co(5) co(6)
check.eq(bag.items, { 1, 5, x = 6 })
---
-- functions that are assigned by name
local bag = world:get(world:spawn{ Kinds = {} }, "Kinds")
check.fails("set Kinds.items.f on 0v1: a function is not plain data", function() function bag.items.f() end end)
---
-- the order of pairs: the list, then other numbers, names and booleans
local bag = world:get(world:spawn{ Kinds = { items = { 10, 20, z = 1, a = 2, [0] = 3, [-1] = 4, [2.5] = 5, [true] = 6 } } }, "Kinds")
local keys = {}
for k in pairs(bag.items) do keys[#keys + 1] = tostring(k) end
check.eq(table.concat(keys, " "), "1 2 -1 0 2.5 a z true")
check.eq(#bag.items, 2)
bag.items = { [3] = 3, [1] = 1, x = 1 }
keys = {}
for k in pairs(bag.items) do keys[#keys + 1] = tostring(k) end
check.eq(table.concat(keys, " "), "1 3 x")
check.eq(#bag.items, 1)
---
local bag = world:get(world:spawn{ Kinds = {} }, "Kinds")
bag.items.a.b = 1 --! attempt to index a nil value (field "a")
---
local bag = world:get(world:spawn{ Kinds = {} }, "Kinds")
local x = bag.items.a.b --! attempt to index a nil value (field "a")
---
local bag = world:get(world:spawn{ Kinds = { items = { 1 } } }, "Kinds")
local x = bag.items + 1 --! attempt to perform arithmetic on a table value
---
local bag = world:get(world:spawn{ Kinds = { items = { 1 } } }, "Kinds")
bag.items() --! attempt to call a table value
---
-- looking into a field in every way that needs no copy of it
local bag = world:get(world:spawn{ Kinds = { items = { { w = 1, k = "a", on = true }, { w = 2, k = "b", t = { 5, { 6 } } }, n = 3, [0.5] = 4, [true] = 1 } } }, "Kinds")
local s = 0
for i = 1, #bag.items do s = s + bag.items[i].w end
for i, it in ipairs(bag.items) do s = s + i * it.w end
for _, it in pairs(bag.items[1]) do if it == "a" or it == true then s = s + 100 end end
for k in pairs(bag.items) do s = s + (k == "n" and 1000 or 0) end
check.eq(s, 3 + 5 + 200 + 1000)
local items = bag.items
for i, it in ipairs(items) do
  local t = it.t
  if t and t[2] and #t[2] == 1 then s = s + t[2][1] end
  if not it.missing then s = s + 1 end
end
check.eq(s, 1208 + 6 + 2)
check.eq({ items.n, items[0.5], items[true], items[false], items[3], items.nope, items[-1], items[0 / 0], items[nil] }, { 3, 4, 1 })
check.eq(bag.items[bag] or bag.items[print], nil)
check.eq(bag.items[2].t[2][1] .. bag.items[1].k, "6a")
local keys = ""
for k, v in pairs(items) do keys = keys .. tostring(k) .. (type(v) == "table" and "t" or "") .. " " end
check.eq(keys, "1t 2t 0.5 n true ")
local function first(t) for k, v in pairs(t) do return k, v end end
check.eq(first(bag.items), 1)
check.eq(next(bag.items), 1)
check.eq(type(bag.items), "table")
check.eq(#{ unpack(bag.items) }, 2)
check.eq(select("#", unpack(bag.items[2].t)), 2)
local deep = bag.items[2].t[2]
check.eq(deep == bag.items[2].t[2], false)
deep[1] = 7
check.eq(bag.items[2].t[2], { 6 })
local node = bag.items
while node[2] do node = node[2] node = node.t or node end
check.eq(node[1], 6)
local list = bag.items
list = list[2]
list.w = 9
check.eq({ list.w, bag.items[2].w }, { 9, 2 })
---
-- pairs and ipairs may be others
local bag = world:get(world:spawn{ Kinds = { items = { 1, 2 } } }, "Kinds")
local seen
local old = pairs
pairs = function(t) seen = t t.x = 1 return old(t) end
local n = 0
for k, v in pairs(bag.items) do n = n + v end
local items = bag.items
for k, v in pairs(items) do n = n + v end
check.eq(items.x, 1)
check.eq(items == seen, true)
check.eq(n, 8)
pairs = old
---
-- a value that was read and looked into stays what it was, whatever is stored then
local bag = world:get(world:spawn{ Kinds = { items = { { w = 1 } } } }, "Kinds")
local items = bag.items
bag.items[1].w = 2
bag.items = { { w = 3 } }
check.eq(items[1].w, 1)
local s = 0
for _, it in ipairs(bag.items) do
  bag.items[1].w = it.w + 1
  bag.items[2] = { w = 1 }
  s = s + it.w
end
check.eq(s, 3)
---
-- recursion
local bag = world:get(world:spawn{ Kinds = { items = { { w = 1, { w = 2, { w = 3 } } }, { w = 4 } } } }, "Kinds")
local function weigh(t)
  local s = t.w or 0
  for _, inner in ipairs(t) do s = s + weigh(inner) end
  return s
end
check.eq(weigh(bag.items), 10)
---
local bag = world:get(world:spawn{ Kinds = { items = { 1 } } }, "Kinds")
local x = bag.items[1].x.y --! attempt to index a number value
---
local bag = world:get(world:spawn{ Kinds = { items = { { 1 } } } }, "Kinds")
local x = bag.items[1] .. "" --! attempt to concatenate a table value
---
local bag = world:get(world:spawn{ Kinds = { items = { { 1 } } } }, "Kinds")
local x = bag.items[1] < bag.items[1] --! attempt to compare two table values
---
local bag = world:get(world:spawn{ Kinds = { items = { { 1 } } } }, "Kinds")
for i = 1, bag.items do end --! the limit of a for loop must be a number, not a table value
---
local bag = world:get(world:spawn{ Kinds = { items = { { 1 } } } }, "Kinds")
for _, x in ipairs(bag.items[1][1]) do end --! bad argument #1 to 'ipairs' (table expected, got number)
---
-- table.insert and table.remove at the end of lists of every kind
local bag = world:get(world:spawn{ Kinds = {} }, "Kinds")
for i = 1, 3 do table.insert(bag.items, { i }) end
table.insert(bag.items, nil)
bag.items.name = "n"
table.insert(bag.items, 4)
check.eq(bag.items, { { 1 }, { 2 }, { 3 }, 4, name = "n" })
check.eq({ table.remove(bag.items), table.remove(bag.items) }, { 4, { 3 } })
check.eq({ table.remove(bag.items), table.remove(bag.items), table.remove(bag.items) }, { { 2 }, { 1 } })
check.eq(bag.items, { name = "n" })
bag.items = { 1, [3] = 3, [0] = 0 } -- # is 1
table.insert(bag.items, 4)
check.eq(bag.items, { 1, 4, 3, [0] = 0 })
check.eq(table.remove(bag.items), 3)
check.eq(bag.items, { 1, 4, [0] = 0 })
---
-- a field as an operand of and and or
local bag = world:get(world:spawn{ Kinds = { items = { 1 } } }, "Kinds")
local function pick() return bag.nothing or bag.items end
local function both() local x = bag.flag and bag.f64 or bag.items return x end
check.fails('Kinds has no field "nothing"', pick)
local items = both()
items[1] = 2
check.eq({ items, bag.items }, { { 2 }, { 1 } })
local t = { x = bag.flag or bag.items }
t.x[1] = 3
check.eq({ t.x, bag.items }, { { 3 }, { 1 } })
---
-- whole numbers that are far from the list are keys like others
local t = {}
for y = 1, 30 do t[y * 1000 + y] = y end
check.eq(#t, 0)
check.eq(t[7007], 7)
check.eq(t[7008], nil)
local n = 0
for k, v in pairs(t) do
  n = n + 1
  check.eq(k, n * 1001)
  check.eq(v, n)
end
check.eq(n, 30)
t = { [5] = "e", [3] = "c", "a" }
local function keys(of)
  local out = {}
  for k in pairs(of) do out[#out + 1] = tostring(k) end
  return table.concat(out, " ")
end
check.eq(keys(t), "1 5 3")
check.eq(#t, 1)
t[2] = "b"
check.eq(keys(t), "1 2 3 5")
check.eq(#t, 3)
table.insert(t, "d")
check.eq(keys(t), "1 2 3 4 5")
check.eq(#t, 5)
check.eq(table.remove(t), "e")
t[9] = 9 t[8] = 8 t[5] = "e"
check.eq(keys(t), "1 2 3 4 5 9 8")
t[9] = nil
check.eq(keys(t), "1 2 3 4 5 8")
t[9] = 1
check.eq(keys(t), "1 2 3 4 5 9 8")
check.eq(next(t, 9), 8)
check.eq(next(t, 5), 9)
check.eq({ unpack(t, 8, 9) }, { 8, 1 })
check.eq(rawget(t, 8), 8)
rawset(t, 7, 7)
check.eq(keys(t), "1 2 3 4 5 9 8 7")
check.eq(table.maxn(t), 9)
local inherits = setmetatable({}, { __index = t, __newindex = t })
check.eq(inherits[8], 8)
inherits[20] = 20
check.eq(t[20], 20)
check.eq({ [3] = "x", "a", "b", "c" }, { "a", "b", "c" })
local bag = world:get(world:spawn{ Kinds = {} }, "Kinds")
bag.items = t
check.eq(bag.items[20], 20)
bag.items[6] = 6
check.eq(#bag.items, 9)
check.eq(bag.items[21], nil)
bag.items[1000000] = 1
check.eq(#bag.items, 9)
check.eq(keys(bag.items), "1 2 3 4 5 6 7 8 9 20 1000000")
