-- shuffle draws from the end to the front, and returns the list
local list = {}
for i = 1, 9 do list[i] = i * 10 end
math.randomseed(3)
local same = ecs.shuffle(list)
check.eq(same == list, true)
math.randomseed(3)
local want = {}
for i = 1, 9 do want[i] = i * 10 end
for i = #want, 2, -1 do
  local j = ecs.random(i)
  want[i], want[j] = want[j], want[i]
end
check.eq(list, want)
local after = ecs.random()
math.randomseed(3)
check.eq(ecs.shuffle({}), {})
check.eq(ecs.shuffle({ "one" }), { "one" })
for i = 9, 2, -1 do ecs.random(i) end
check.eq(ecs.random(), after)
---
-- a list in the world is shuffled there
local e = world:spawn{ Kinds = { items = { 1, 2, 3, 4, 5, 6, 7, 8 } } }
local bag = world:get(e, "Kinds")
math.randomseed(8)
local out = ecs.shuffle(bag.items)
check.eq(bag.items, out)
math.randomseed(8)
check.eq(out, ecs.shuffle({ 1, 2, 3, 4, 5, 6, 7, 8 }))
local shuffle = ecs.shuffle
local copy = bag.items
shuffle(copy)
check.eq(bag.items, out)
---
-- pick draws once, and not at all of an empty list
math.randomseed(5)
local list = { "a", "b", "c", "d" }
local got = {}
for i = 1, 20 do got[i] = ecs.pick(list) end
math.randomseed(5)
for i = 1, 20 do check.eq(got[i], list[ecs.random(#list)]) end
local next = ecs.random()
math.randomseed(5)
for i = 1, 20 do ecs.random(4) end
check.eq(ecs.pick({}), nil)
check.eq(ecs.random(), next)
---
-- sample is a new list of different items
local list = { 1, 2, 3, 4, 5 }
math.randomseed(11)
local got = ecs.sample(list, 3)
check.eq(list, { 1, 2, 3, 4, 5 })
check.eq(#got, 3)
math.randomseed(11)
local t = { 1, 2, 3, 4, 5 }
for i = 1, 3 do
  local j = ecs.random(i, 5)
  t[i], t[j] = t[j], t[i]
end
check.eq(got, { t[1], t[2], t[3] })
local all = ecs.sample(list, 50)
table.sort(all)
check.eq(all, list)
check.eq(ecs.sample(list, 0), {})
check.eq(ecs.sample({}, 2), {})
---
-- normal draws two numbers
math.randomseed(2)
local a, b, c = ecs.normal(), ecs.normal(10), ecs.normal(10, 3)
math.randomseed(2)
local function normal(mean, sd)
  local u, v = ecs.random(), ecs.random()
  return mean + sd * math.sqrt(-2 * math.log(1 - u)) * math.cos(2 * math.pi * v)
end
check.eq(a, normal(0, 1))
check.eq(b, normal(10, 1))
check.eq(c, normal(10, 3))
check.eq(ecs.normal(5, 0), 5)
---
-- world:pick gives the row of the plain loop
local rows = {}
for i = 1, 200 do
  local e = world:spawn{ Position = { x = i } }
  if i % 3 == 0 then world:set(e, "Velocity", { dx = i }) end
  if i % 7 == 0 then world:tag(e, "player") end
end
local parent = world:spawn{}
for e, p in world:each("Position") do
  if p.x % 5 == 0 then rows[#rows + 1] = e end
end
for _, e in ipairs(rows) do world:relate(e, "ChildOf", parent) end
local function same(...)
  local list = {}
  for e in world:each(...) do list[#list + 1] = e end
  math.randomseed(9)
  local want = {}
  for i = 1, 30 do want[i] = list[ecs.random(#list)] end
  math.randomseed(9)
  for i = 1, 30 do check.eq((world:pick(...)), want[i]) end
end
same("Position")
same("Position", "Velocity")
same(ecs.query{ "Position", tagged = { "player" } })
same(ecs.query{ "Position", untagged = { "player" } })
same("Position", "ChildOf", parent)
same(ecs.query{ "Position", tagged = { "player" } }, "ChildOf", parent)
same()
local e, p, v = world:pick("Position", "Velocity")
check.eq(p.x, v.dx)
check.eq(world:get(e, "Position"), p)
math.randomseed(4)
local next = ecs.random()
math.randomseed(4)
check.eq(world:pick("Marker"), nil)
check.eq(ecs.random(), next)
---
ecs.shuffle(5) --! bad argument #1 to 'shuffle' (table expected, got number)
---
ecs.pick("list") --! bad argument #1 to 'pick' (table expected, got string)
---
ecs.sample({ 1 }, 1.5) --! bad argument #2 to 'sample' (a whole number from 0 on expected, got 1.5)
---
ecs.sample({ 1 }, -1) --! bad argument #2 to 'sample' (a whole number from 0 on expected, got -1)
---
ecs.sample({ 1 }) --! bad argument #2 to 'sample' (number expected, got no value)
---
ecs.normal("x") --! bad argument #1 to 'normal' (number expected, got string)
---
world:pick("Positon") --! "Positon" is not declared; did you mean "Position"?
