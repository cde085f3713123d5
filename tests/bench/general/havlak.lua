-- Finds the loops of a control flow graph, after Havlak's algorithm (as Ramalingam writes it).
local Block = {}
Block.__index = Block

local Graph = {}
Graph.__index = Graph

function Graph.new() return setmetatable({ blocks = {}, edges = 0 }, Graph) end

function Graph:block()
  local b = setmetatable({ name = #self.blocks + 1, into = {}, out = {} }, Block)
  self.blocks[b.name] = b
  return b
end

function Block:to(other)
  self.out[#self.out + 1] = other
  other.into[#other.into + 1] = self
end

function Graph:connect(a, b)
  a:to(b)
  self.edges = self.edges + 1
  return b
end

function Graph:diamond(from)
  local left, right, join = self:block(), self:block(), self:block()
  self:connect(from, left)
  self:connect(from, right)
  self:connect(left, join)
  self:connect(right, join)
  return join
end

function Graph:straight(from, n)
  for _ = 1, n do from = self:connect(from, self:block()) end
  return from
end

-- nested is a loop around a diamond, around a loop.
function Graph:nested(from)
  local header = self:straight(from, 1)
  local inner = self:straight(self:diamond(header), 1)
  local body = self:straight(self:diamond(inner), 1)
  self:connect(body, inner)
  local last = self:straight(body, 1)
  self:connect(last, header)
  return self:straight(last, 1)
end

-- A node of the union of blocks into loops.
local Node = {}
Node.__index = Node

function Node.new(block, number) return setmetatable({ block = block, number = number, loop = nil, parent = nil }, Node) end

function Node:find()
  local node, passed = self, {}
  while node.parent and node.parent ~= node do
    passed[#passed + 1] = node
    node = node.parent
  end
  for _, p in ipairs(passed) do p.parent = node end
  return node
end

function Node:union(header) self.parent = header end

local Finder = {}
Finder.__index = Finder

function Finder.new(graph) return setmetatable({ graph = graph, numbers = {}, nodes = {}, last = {}, loops = {} }, Finder) end

-- number numbers the blocks in the order of a walk, and notes the last one below each.
function Finder:number(block, n)
  self.nodes[n] = Node.new(block, n)
  self.numbers[block] = n
  local last = n
  for _, to in ipairs(block.out) do
    if not self.numbers[to] then last = self:number(to, last + 1) end
  end
  self.last[n] = last
  return last
end

function Finder:above(w, v) return w <= v and v <= self.last[w] end

-- include appends a number to a list that does not have it.
local function include(list, n)
  for _, other in ipairs(list) do
    if other == n then return end
  end
  list[#list + 1] = n
end

function Finder:edges()
  self.back, self.other = {}, {}
  for w = 1, #self.nodes do
    self.back[w], self.other[w] = {}, {}
    for _, from in ipairs(self.nodes[w].block.into) do
      local v = self.numbers[from]
      if v then
        if self:above(w, v) then
          table.insert(self.back[w], v)
        else
          include(self.other[w], v)
        end
      end
    end
  end
end

function Finder:find()
  self:number(self.graph.blocks[1], 1)
  self:edges()
  for w = #self.nodes, 1, -1 do
    local pool, inPool, irreducible = {}, {}, false
    local own = false
    for _, v in ipairs(self.back[w]) do
      if v == w then
        own = true
      else
        local node = self.nodes[v]:find()
        if not inPool[node] then
          pool[#pool + 1] = node
          inPool[node] = true
        end
      end
    end
    local work, at = {}, 1
    for i, node in ipairs(pool) do work[i] = node end
    while at <= #work do
      local x = work[at]
      at = at + 1
      for _, y in ipairs(self.other[x.number]) do
        local node = self.nodes[y]:find()
        if not self:above(w, node.number) then
          irreducible = true
          include(self.other[w], node.number)
        elseif node.number ~= w and not inPool[node] then
          inPool[node] = true
          pool[#pool + 1] = node
          work[#work + 1] = node
        end
      end
    end
    if #pool > 0 or own then
      local loop = { header = self.nodes[w].block, inside = {}, reducible = not irreducible, blocks = 1 }
      self.nodes[w].loop = loop
      for _, node in ipairs(pool) do
        node:union(self.nodes[w])
        if node.loop then
          node.loop.parent = loop
          loop.inside[#loop.inside + 1] = node.loop
        else
          loop.blocks = loop.blocks + 1
        end
      end
      self.loops[#self.loops + 1] = loop
    end
  end
  return self.loops
end

return function()
  local graph = Graph.new()
  local at = graph:block()
  for _ = 1, 40 do
    local start = at
    for _ = 1, 5 do at = graph:nested(at) end
    graph:connect(at, start)
    at = graph:straight(at, 1)
  end
  local loops = Finder.new(graph):find()
  local blocks = 0
  for _, loop in ipairs(loops) do blocks = blocks + loop.blocks end
  return #loops .. " " .. blocks
end
