-- Twin of 22-classes: 8,000 creatures, each with an object, with inheritance by metatables.
local function class(base)
  local c = {}
  c.__index = c
  if base then setmetatable(c, { __index = base }) end
  c.new = function(...)
    local o = setmetatable({}, c)
    o:init(...)
    return o
  end
  return c
end

local Animal = class()
function Animal:init(e)
  self.e = e
  self.pos = e.Position
  self.body = e.Creature
end
function Animal:speed() return 1 end
function Animal:move(dt)
  self.pos.x = self.pos.x + self:speed() * dt
end
function Animal:update(dt)
  self:move(dt)
  self.body.age = self.body.age + dt
end

local Bird = class(Animal)
function Bird:speed() return 5 end
function Bird:move(dt)
  Animal.move(self, dt)
  self.pos.y = self.pos.y + math.sin(self.body.age) * dt
end

local Fish = class(Animal)
function Fish:speed() return self.body.hp > 10 and 2 or 0.5 end

local creatures = { Animal = Animal, Bird = Bird, Fish = Fish }
local SPECIES = { "Animal", "Bird", "Fish" }

return function(stream)
  local random = stream("start")
  local living, born, objects = {}, {}, {}

  local function spawn(x, y, species, age)
    local e = { row = #living + 1, Position = { x = x, y = y }, Creature = { species = species, hp = 20, age = age } }
    living[e.row] = e
    born[#born + 1] = { who = e }
  end

  local function start()
    for i = 1, 8000 do
      local x, y = random() * 50, random() * 50
      spawn(x, y, SPECIES[i % 3 + 1], random() * 9)
    end
  end

  local function update(dt)
    for i = 1, #born do
      local e = born[i].who
      objects[e] = creatures[e.Creature.species].new(e)
    end
    born = {}
    for i = 1, #living do
      local o = objects[living[i]]
      if o then o:update(dt) end
    end
  end

  local function replace_old()
    local old = {}
    for i = 1, #living do
      if living[i].Creature.age > 10 then old[#old + 1] = living[i] end
    end
    for _, e in ipairs(old) do
      local last = living[#living]
      living[e.row] = last
      last.row = e.row
      living[#living] = nil
      spawn(e.Position.x, e.Position.y, e.Creature.species, 0)
    end
  end

  return {
    frames = 30, dt = 0.1, seed = 101, start = start,
    systems = { { run = update }, { run = replace_old } },
    entities = function() return { living } end,
    sums = { "Position.x", "Position.y", "Creature.species", "Creature.hp", "Creature.age" },
  }
end
