-- A solver of one-way constraints that keeps a plan as constraints come and go, after the description of the DeltaBlue algorithm.
local required, strong, preferred, default, weakest = 1, 2, 4, 6, 8

local Variable = {}
Variable.__index = Variable

function Variable.new(value)
  return setmetatable({ value = value, constraints = {}, by = nil, mark = 0, strength = weakest, stay = true }, Variable)
end

function Variable:drop(c)
  for i, other in ipairs(self.constraints) do
    if other == c then
      table.remove(self.constraints, i)
      break
    end
  end
  if self.by == c then self.by = nil end
end

-- A class has the methods of its base, and metatables of objects find them through __index.
local function class(base)
  local c = setmetatable({}, { __index = base })
  c.__index = c
  return c
end

local Constraint = class(nil)

function Constraint:attach()
  for _, v in ipairs(self.variables) do v.constraints[#v.constraints + 1] = self end
end

function Constraint:detach()
  for _, v in ipairs(self.variables) do v:drop(self) end
end

-- satisfy makes the constraint hold if it is strong enough, and returns the one that it has replaced.
function Constraint:satisfy(mark, planner)
  self:choose(mark)
  if not self:satisfied() then
    if self.strength == required then error("a required constraint cannot hold") end
    return nil
  end
  self:inputs(function(v) v.mark = mark end)
  local out = self:output()
  local replaced = out.by
  if replaced then replaced:unsatisfy() end
  out.by = self
  if not planner:propagate(self, mark) then error("a cycle") end
  out.mark = mark
  return replaced
end

function Constraint:known(mark)
  local all = true
  self:inputs(function(v)
    if not (v.mark == mark or v.stay or v.by == nil) then all = false end
  end)
  return all
end

-- A constraint on one variable: to stay, or to be edited.
local Unary = class(Constraint)

function Unary.new(v, strength, input)
  return setmetatable({ strength = strength, variables = { v }, variable = v, input = input, on = false }, Unary)
end

function Unary:choose(mark) self.on = self.variable.mark ~= mark and self.strength < self.variable.strength end
function Unary:satisfied() return self.on end
function Unary:unsatisfy() self.on = false end
function Unary:inputs() end
function Unary:output() return self.variable end
function Unary:execute() end

function Unary:recalculate()
  self.variable.strength = self.strength
  self.variable.stay = not self.input
end

-- A constraint between two variables, in either direction.
local Binary = class(Constraint)

function Binary:choose(mark)
  local a, b = self.variables[1], self.variables[2]
  self.from, self.to = nil, nil
  if a.mark == mark then
    if b.mark ~= mark and self.strength < b.strength then self.from, self.to = a, b end
  elseif b.mark == mark then
    if a.mark ~= mark and self.strength < a.strength then self.from, self.to = b, a end
  elseif a.strength > b.strength then
    if self.strength < a.strength then self.from, self.to = b, a end
  elseif self.strength < b.strength then
    self.from, self.to = a, b
  end
end

function Binary:satisfied() return self.to ~= nil end
function Binary:unsatisfy() self.from, self.to = nil, nil end
function Binary:inputs(visit) visit(self.from) end
function Binary:output() return self.to end

function Binary:recalculate()
  self.to.strength = math.max(self.strength, self.from.strength)
  self.to.stay = self.from.stay
  if self.to.stay then self:execute() end
end

local Equal = class(Binary)

function Equal.new(a, b, strength) return setmetatable({ strength = strength, variables = { a, b } }, Equal) end
function Equal:execute() self.to.value = self.from.value end

-- The second variable is the first one times scale plus offset.
local Scaled = class(Binary)

function Scaled.new(a, b, scale, offset, strength)
  return setmetatable({ strength = strength, variables = { a, b }, scale = scale, offset = offset }, Scaled)
end

function Scaled:execute()
  if self.to == self.variables[2] then
    self.to.value = self.from.value * self.scale.value + self.offset.value
  else
    self.to.value = (self.from.value - self.offset.value) / self.scale.value
  end
end

local Planner = class(nil)

function Planner:next()
  self.mark = self.mark + 1
  return self.mark
end

function Planner:add(c)
  c:attach()
  local mark = self:next()
  local replaced = c:satisfy(mark, self)
  while replaced do replaced = replaced:satisfy(mark, self) end
  return c
end

function Planner:remove(c)
  local out = c:output()
  c:unsatisfy()
  c:detach()
  for _, other in ipairs(self:without(out)) do
    local mark = self:next()
    local replaced = other:satisfy(mark, self)
    while replaced do replaced = replaced:satisfy(mark, self) end
  end
end

-- consumers appends the constraints that use a variable.
local function consumers(v, to)
  for _, c in ipairs(v.constraints) do
    if c ~= v.by and c:satisfied() then to[#to + 1] = c end
  end
end

function Planner:propagate(c, mark)
  local todo = { c }
  while #todo > 0 do
    local d = table.remove(todo)
    local out = d:output()
    if out.mark == mark then return false end
    d:recalculate()
    consumers(out, todo)
  end
  return true
end

-- without takes away what depends on a variable, and returns the constraints that may hold now, the strongest first.
function Planner:without(out)
  local unsatisfied, todo = {}, { out }
  out.by, out.strength, out.stay = nil, weakest, true
  while #todo > 0 do
    local v = table.remove(todo)
    for _, c in ipairs(v.constraints) do
      if not c:satisfied() then unsatisfied[#unsatisfied + 1] = c end
    end
    local using = {}
    consumers(v, using)
    for _, c in ipairs(using) do
      c:recalculate()
      todo[#todo + 1] = c:output()
    end
  end
  table.sort(unsatisfied, function(a, b) return a.strength < b.strength end)
  return unsatisfied
end

-- plan returns the constraints to execute, in order, when a constraint gives a new value.
function Planner:plan(source)
  local mark, plan, todo = self:next(), {}, {}
  if source.input and source:satisfied() then todo[1] = source end
  while #todo > 0 do
    local c = table.remove(todo)
    local out = c:output()
    if out.mark ~= mark and c:known(mark) then
      plan[#plan + 1] = c
      out.mark = mark
      consumers(out, todo)
    end
  end
  return plan
end

local function change(planner, v, value)
  local edit = planner:add(Unary.new(v, strong, true))
  local plan = planner:plan(edit)
  for _ = 1, 10 do
    v.value = value
    for _, c in ipairs(plan) do c:execute() end
  end
  planner:remove(edit)
end

-- chain is n variables, each equal to the next.
local function chain(n)
  local planner, variables = setmetatable({ mark = 0 }, Planner), {}
  for i = 0, n do
    variables[i] = Variable.new(0)
    if i > 0 then planner:add(Equal.new(variables[i - 1], variables[i], required)) end
  end
  planner:add(Unary.new(variables[n], default, false))
  local edit = planner:add(Unary.new(variables[0], preferred, true))
  local plan = planner:plan(edit)
  for value = 1, 20 do
    variables[0].value = value
    for _, c in ipairs(plan) do c:execute() end
    if variables[n].value ~= value then error("the chain does not hold") end
  end
  planner:remove(edit)
end

-- projection is n pairs, one of each pair the other scaled and moved.
local function projection(n)
  local planner, scale, offset, source, target, targets = setmetatable({ mark = 0 }, Planner), Variable.new(10), Variable.new(1000), nil, nil, {}
  for i = 1, n do
    source, target = Variable.new(i), Variable.new(i)
    targets[i] = target
    planner:add(Unary.new(source, default, false))
    planner:add(Scaled.new(source, target, scale, offset, required))
  end
  change(planner, source, 17)
  if target.value ~= 1170 then error("forward: " .. target.value) end
  change(planner, target, 1050)
  if source.value ~= 5 then error("backward: " .. source.value) end
  return targets[1].value
end

return function()
  chain(200)
  return projection(200)
end
