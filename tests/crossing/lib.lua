local ecs = require("ecs")
ecs.component("Label", { s = "string" })
ecs.component("Pos", { x = "f64", y = "f64" })
ecs.component("Hp", { now = "f64", max = { type = "i32", default = 9 } })
ecs.component("Bag", { items = "table", n = "u8", owner = "entity" })
ecs.component("Mark", {})
ecs.component("Spot", { x = "i32", y = "i32" })
ecs.component("Belt", { slots = "entity[3]", heat = "f32[4]" })
ecs.index("spots", { component = "Spot", fields = { "x", "y" }, width = 5, height = 4, wrap = true })
ecs.index("named", { component = "Label", fields = { "s" } })
ecs.index("owners", { component = "Bag", fields = { "owner" } })
ecs.layer("ground", { type = "u8", width = 6, height = 5, default = 1 })
ecs.layer("before", { type = "u8", width = 6, height = 5 })
ecs.layer("owner", { type = "entity", width = 4, height = 3, wrap = true })
ecs.resource("map", "u8[10]")
ecs.tag("a")
ecs.tag("b")
ecs.tag("hot")
ecs.event("Hit", { who = "entity", n = "f64" })
ecs.event("Note", { text = "string", data = "table" })
ecs.resource("score", "i32")
ecs.resource("born", "i32")
ecs.resource("fuel", "i32")
ecs.resource("board", "table")
ecs.relation("OwnedBy")
ecs.relation("Knows", { targets = "many" })
ecs.grid("places", { component = "Pos", cell = 3 })
ecs.grid("marked", { component = "Pos", query = ecs.query{ "Label", without = { "Mark" }, tagged = { "a" } } })

ecs.prefab("crate", {
  components = { Hp = { now = 5 }, Bag = { items = { 1, { k = 2 } } }, Mark = {} }, tags = { "a" },
  children = { { name = "lid", components = { Mark = {}, Label = { s = "lid" } } } },
})
ecs.prefab("box", { base = "crate", components = { Hp = { max = 20 } }, tags = { "b" }, children = { { name = "lock", tags = { "hot" } }, { name = "lid", children = { { name = "hinge" } } } } })

local M = {}
local ghosts = {}

-- label returns a name that does not depend on numbers of entities.
function M.label(world, e)
  if e == nil or e == ecs.none or not world:alive(e) then return "-" end
  local l = world:get(e, "Label")
  return l and l.s or "?"
end

function M.born(world)
  world.resources.born = world.resources.born + 1
  return { s = "e" .. world.resources.born }
end

function M.spawn(world, what)
  what.Label = M.born(world)
  return world:spawn(what)
end

function M.queue(world, what)
  what.Label = M.born(world)
  return world.commands:spawn(what)
end

-- instance makes an entity of a prefab, with values of its own, because loops write them.
function M.instance(world, name, what)
  what.Label, what.Hp, what.Bag = M.born(world), what.Hp or {}, what.Bag or {}
  return world:instance(name, what)
end

function M.place(world, name, what)
  what.Label, what.Hp, what.Bag = M.born(world), what.Hp or {}, what.Bag or {}
  return world.commands:instance(name, what)
end

-- nth returns an entity, and none of an empty world.
function M.nth(world, n)
  local count = world:count("Label")
  if count == 0 then return ecs.none end
  n = n % count
  for e in world:each("Label") do
    if n == 0 then return e end
    n = n - 1
  end
end

-- spend is true a few times a turn: observers that wake each other come to an end.
function M.spend(world)
  if world.resources.fuel <= 0 then return false end
  world.resources.fuel = world.resources.fuel - 1
  return true
end

-- ghost notes an entity of a turn that is about to fail.
function M.ghost(e) ghosts[#ghosts + 1] = e end

-- open opens the readers of a system: what a failed turn was to read first, the next one reads.
function M.open(world)
  for _, name in ipairs{ "Hit", "Note" } do
    for _ in world:read(name) do break end
  end
end

function M.haunted(world)
  for _, e in ipairs(ghosts) do
    if world:alive(e) then print("GHOST", ecs.name(e)) end
  end
end

-- text writes a value so that equal values have equal texts.
function M.text(world, v)
  if type(v) ~= "table" then
    if type(v) == "number" and v >= 2 ^ 32 then return M.label(world, v) end
    return tostring(v)
  end
  local out = {}
  for k, x in pairs(v) do out[#out + 1] = tostring(k) .. "=" .. M.text(world, x) end
  return "{" .. table.concat(out, " ") .. "}"
end

function M.dump(world)
  local lines, all = {}, {}
  for _, name in ipairs{ "crate", "box" } do
    local prefab = world:prefab(name)
    all[#all + 1] = prefab
    all[#all + 1] = world:child(prefab, "lid")
  end
  for e in world:each() do all[#all + 1] = e end
  for _, e in ipairs(all) do
    local parts = { M.label(world, e) }
    for _, name in ipairs(world:components(e)) do
      if name ~= "Label" then
        local view = world:get(e, name)
        parts[#parts + 1] = name
        if name ~= "Mark" then
          local f = ecs.fields(view)
          for _, k in ipairs{ "x", "y", "now", "max", "items", "n", "owner", "slots", "heat" } do
            if f[k] ~= nil then parts[#parts + 1] = k .. "=" .. M.text(world, f[k]) end
          end
        end
      end
    end
    for _, t in ipairs(world:tags(e)) do parts[#parts + 1] = "#" .. t end
    for _, r in ipairs{ "ChildOf", "IsA", "OwnedBy", "Knows" } do
      for to in world:targets(e, r) do parts[#parts + 1] = r .. ":" .. M.label(world, to) end
    end
    for _, c in ipairs{ "Pos", "Hp" } do
      if world:has(e, c) then parts[#parts + 1] = "has" .. c end
    end
    lines[#lines + 1] = table.concat(parts, " ")
  end
  print(table.concat(lines, " | "))
  print("resources", world.resources.score, world.resources.born, M.text(world, world.resources.board), world:count())
  local cells = {}
  for _, _, v in world.layers.ground:each() do cells[#cells + 1] = v end
  for _, _, e in world.layers.owner:each() do cells[#cells + 1] = M.label(world, e) end
  print("cells", table.concat(cells, " "), world.states.mode, table.concat(world.resources.map, ""))
  for e in world:all("spots", 1, 1) do print("here", M.label(world, e)) end
  for ev in world:peek("Hit") do print("peek", M.label(world, ev.who), ev.n) end
  for ev in world:peek("Note") do print("peek", ev.text, M.text(world, ev.data)) end
end

return M
