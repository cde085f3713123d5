--- load
ecs.prefab("goblin", {
  base = "monster",
  components = { Health = { current = 7 }, Marker = {} },
  tags = { "player" },
  children = {
    { name = "sword", components = { Kinds = { u8 = 3, name = "blade", items = { 1, { 2 } } } }, children = { { name = "gem" } } },
    { name = "tail", components = { "Velocity" } },
  },
})
ecs.prefab("monster", { components = { Health = { current = 10, max = 12 } }, tags = { "enemy" }, children = { { name = "tail", components = { Position = { x = 1 } } } } })
ecs.prefab("empty", {})
local all = ecs.query{ "Health", prefabs = true }
local marked = ecs.query{ "Health", tagged = { "enemy" }, prefabs = false }
return function(world)
  local goblin, monster = world:prefab("goblin"), world:prefab("monster")
  check.eq(world:count(), 0)
  check.eq(world:count("Health"), 0)
  check.eq(world:count(all), 2)
  check.eq(world:count(marked), 0)
  check.eq(world:first("Health"), nil)
  check.eq({ world:get(goblin, "Health").current, world:get(goblin, "Health").max }, { 7, 12 })
  check.eq(world:tags(goblin), { "player", "enemy" })
  check.eq(world:related(goblin, "IsA"), monster)
  check.eq(world:get(world:child(world:child(goblin, "sword"), "gem"), "Kinds"), nil)
  check.eq(world:get(world:child(goblin, "tail"), "Position").x, 1)

  local e = world:instance("goblin", { Position = { x = 3 }, Health = { max = 20 }, "selected" })
  check.eq(world:related(e, "IsA"), goblin)
  check.eq(world:tags(e), { "player", "enemy", "selected" })
  check.eq({ world:get(e, "Health").current, world:get(e, "Health").max }, { 7, 20 })
  check.eq(world:get(e, "Position").y, 0)
  check.eq(world:has(e, "Marker"), true)
  local sword = world:child(e, "sword")
  check.eq(world:related(sword, "ChildOf"), e)
  check.eq({ world:get(sword, "Kinds").name, world:get(sword, "Kinds").items[2][1] }, { "blade", 2 })
  check.eq(world:child(e, "hat"), nil)
  check.eq(world:child(sword, "sword"), nil)
  check.eq(world:count(), 4)
  local order = {}
  for c in world:sources("ChildOf", e) do order[#order + 1] = c end
  check.eq(order, { world:child(e, "tail"), sword })

  world:set(monster, "Position", { y = 8 })
  check.eq(world:get(e, "Position").y, 0)
  check.eq(world:get(world:instance("goblin"), "Position").y, 8)
  world:get(goblin, "Health").current = 6
  local n = 0
  for o, health in world:each("Health") do
    n = n + health.current
  end
  check.eq(n, 13)
  for o, health in world:each(all) do n = n + 1 end
  check.eq(n, 17)
  world:despawn(e)
  check.eq(world:alive(sword), false)
  check.eq(world:child(e, "sword"), nil)

  local queued = world.commands:instance("monster", { Position = { x = 1 }, "selected", ChildOf = world:instance("empty") })
  world.commands:set(queued, "Velocity", { dx = 2 })
  check.eq(world:alive(queued), false)
  check.eq(world:child(queued, "tail"), nil)
end
--- load
ecs.prefab("goblin", { components = { Health = {} } })
ecs.prefab("goblin", { components = { Health = {} } })
return function(world)
  check.fails('prefab "gobln" is not declared; did you mean "goblin"?', function() world:prefab("gobln") end)
  check.fails('prefab "x" is not declared', function() world:instance("x") end)
  check.fails('prefab "x" is not declared', function() world.commands:instance("x", { Position = {} }) end)
  check.fails('Position has no field "z"', function() world:instance("goblin", { Position = { z = 1 } }) end)
  check.fails('component "Positio" is not declared', function() world:instance("goblin", { Positio = { x = 1 } }) end)
  check.fails("the base of an instance is its prefab", function() world:instance("goblin", { IsA = world:spawn{} }) end)
  check.fails("the base of an instance is its prefab", function() world.commands:instance("goblin", { IsA = world:spawn{} }) end)
  local goblin = world:prefab("goblin")
  check.fails("it is a prefab", function() world:despawn(goblin) end)
  check.fails("it is a prefab", function() world:relate(goblin, "ChildOf", world:spawn{}) end)
  check.fails("it is a prefab", function() world:spawn{ ChildOf = goblin } end)
  check.fails("prefabs are made before startup", function() ecs.prefab("late", {}) end)
  check.eq(world:count(), 3)
  for e in world:each() do
    check.fails("world.commands:instance", function() world:instance("goblin") end)
    world.commands:instance("goblin", { Position = { x = 2 } })
  end
  check.eq(world:count(), 3)
end
--- load
ecs.prefab("goblin", {})
return function(world)
  world.commands:despawn(world:prefab("goblin")) --! it is a prefab
end
--- load
ecs.prefab("goblin", { components = { Helth = {} } }) --! prefab "goblin": component "Helth" is not declared; did you mean "Health"?
return function(world) end
--- load
ecs.prefab("goblin", { components = { Health = { curent = 1 } } }) --! prefab "goblin": Health has no field "curent"; did you mean "current"?
return function(world) end
--- load
ecs.prefab("goblin", { components = { Kinds = { u8 = 300 } } }) --! prefab "goblin": set Kinds.u8: 300 does not fit u8
return function(world) end
--- load
ecs.prefab("goblin", { components = { IsA = 1 } }) --! prefab "goblin": "IsA" is a relation
return function(world) end
--- load
ecs.prefab("goblin", { tags = { "enmy" } }) --! prefab "goblin": tag "enmy" is not declared; did you mean "enemy"?
return function(world) end
--- load
ecs.prefab("goblin", { base = "monstr" }) --! prefab "goblin": prefab "monstr" is not declared
return function(world) end
--- load
ecs.prefab("goblin", { childs = {} }) --! prefab "goblin" has the keys base, children, components and tags, not string "childs"
return function(world) end
--- load
ecs.prefab("goblin", { children = { sword = {} } }) --! prefab "goblin": children is a list of tables, as in { { name = "sword" } }
return function(world) end
--- load
ecs.prefab("goblin", { children = { { components = {} } } }) --! prefab "goblin": a child needs a name of letters, digits and _, not nil
return function(world) end
--- load
ecs.prefab("goblin", { children = { { name = "sword", tag = "x" } } }) --! child "sword" of prefab "goblin" has the keys name, base, children, components and tags, not string "tag"
return function(world) end
--- load
ecs.prefab("goblin", { base = 3 }) --! prefab "goblin": base is a name, not number 3
return function(world) end
--- load
ecs.prefab("goblin", { components = 3 }) --! prefab "goblin": components is a table, not number 3
return function(world) end
--- load
ecs.prefab("a b", {}) --! "a b" is no name
return function(world) end
--- load
ecs.prefab("a", { base = "b" })
ecs.prefab("b", { children = { { name = "c", base = "a" } } }) --! prefab "b" is made of itself
return function(world) end
--- load
ecs.prefab("a", { tags = { "enemy" } })
ecs.prefab("a", { tags = { "player" } }) --! prefab "a" is declared differently at
return function(world) end
--- load
local q = ecs.query{ "Health", prefabs = 1 } --! ecs.query: prefabs is true or false, not number 1
return function(world) end
--- load
ecs.prefab("goblin", {})
return function(world)
  world:spawn{ "goblin" } --! tag or component "goblin" is not declared; "goblin" is a prefab: write world:instance("goblin", { … })
end
--- load
ecs.prefab("goblin", {})
return function(world)
  world:spawn("goblin") --! bad argument #1 to 'spawn' (table expected, got string; "goblin" is a prefab: write world:instance("goblin"))
end
