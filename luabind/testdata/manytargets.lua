-- targets keep the order in which they came; twice changes nothing
ecs.relation("Knows", { targets = "many" })
local function list(next)
  local out = {}
  for e in next do out[#out + 1] = e end
  return out
end
local e, a, b, c = world:spawn{}, world:spawn{}, world:spawn{}, world:spawn{}
check.eq(world:related(e, "Knows"), nil)
check.eq(list(world:targets(e, "Knows")), {})
check.eq(world:relate(e, "Knows", b), true)
check.eq(world:relate(e, "Knows", a), true)
check.eq(world:relate(e, "Knows", c), true)
check.eq(world:relate(e, "Knows", a), true)
check.eq(list(world:targets(e, "Knows")), { b, a, c })
check.eq(world:related(e, "Knows"), b)
check.eq(world:relates(e, "Knows", c), true)
check.eq(world:relates(c, "Knows", e), false)
check.eq(world:unrelate(e, "Knows", b), true)
check.eq(world:unrelate(e, "Knows", b), false)
check.eq(world:related(e, "Knows"), a)
check.eq(world:relate(e, "Knows", b), true)
check.eq(list(world:targets(e, "Knows")), { a, c, b })
world:despawn(c)
check.eq(list(world:targets(e, "Knows")), { a, b })
check.eq(ecs.describe(world, e), "entity 0v1 (Knows 1v1, Knows 2v1)")
check.eq(world:unrelate(e, "Knows"), true)
check.eq(world:unrelate(e, "Knows"), false)
check.eq(world:has(e, "Knows"), false)
check.eq(world:relates(e, "Knows", a), false)
---
-- one target, too
local e, a, b = world:spawn{}, world:spawn{}, world:spawn{}
world:relate(e, "ChildOf", a)
check.eq(world:relates(e, "ChildOf", a), true)
for t in world:targets(e, "ChildOf") do check.eq(t, a) end
check.eq(world:unrelate(e, "ChildOf", b), false)
check.eq(world:unrelate(e, "ChildOf", a), true)
check.eq(world:related(e, "ChildOf"), nil)
---
-- spawn takes an entity or a list
ecs.relation("Knows", { targets = "many" })
local a, b, c = world:spawn{}, world:spawn{}, world:spawn{}
local function list(e)
  local out = {}
  for t in world:targets(e, "Knows") do out[#out + 1] = t end
  return out
end
check.eq(list(world:spawn{ Knows = { b, a, b } }), { b, a })
check.eq(list(world:spawn{ Knows = c }), { c })
check.eq(list(world:spawn{ Knows = {} }), {})
local friends = { a, c }
check.eq(list(world:spawn{ Knows = friends, Position = { x = 1 } }), { a, c })
local made = world:spawn_many(3, { Knows = { a, b } }, function(i) if i == 2 then return { Knows = { c } } end end)
check.eq(list(made[1]), { a, b })
check.eq(list(made[2]), { c })
check.eq(list(made[3]), { a, b })
check.fails('relation "Knows" takes an entity as its target, not boolean true', function() world:spawn{ Knows = { a, true } } end)
check.fails('relation "Knows" takes a list of entities; the table has the key string "a"', function() world:spawn{ Knows = { a = a } } end)
check.fails('relation "ChildOf" takes an entity as its target, not a table; one with targets = "many" takes a list', function() world:spawn{ ChildOf = { a } } end)
---
-- loops with a target find those who have it among theirs, and yield the first
ecs.relation("Knows", { targets = "many" })
local a, b = world:spawn{}, world:spawn{}
local e = world:spawn{ Position = { x = 1 }, Knows = { a, b } }
local f = world:spawn{ Position = { x = 2 }, Knows = b }
world:spawn{ Position = { x = 3 }, Knows = a }
local xs = {}
for s, p in world:each("Position", "Knows", b) do xs[#xs + 1] = p.x end
check.eq(xs, { 1, 2 })
local firsts = {}
for s, p, first in world:each("Position", "Knows") do firsts[#firsts + 1] = first end
check.eq(firsts, { a, b, a })
check.eq(world:count("Position", "Knows", b), 2)
check.eq(world:first("Position", "Knows", b), e)
local sources = {}
for s in world:sources("Knows", b) do sources[#sources + 1] = s end
check.eq(sources, { e, f })
---
-- declarations
ecs.relation("Knows", { targets = "many" })
ecs.relation("Knows", { targets = "many" })
ecs.relation("Likes", { targets = "one" })
check.fails("it has many targets, not one target", function() ecs.relation("Knows") end)
check.fails('targets must be "one" or "many", not string "two"', function() ecs.relation("Two", { targets = "two" }) end)
check.fails('a relation has targets, not string "target"', function() ecs.relation("Two", { target = "many" }) end)
check.fails("it has one target", function() ecs.relation("ChildOf", { targets = "many" }) end)
