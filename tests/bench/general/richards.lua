-- A small operating system: tasks with states and priorities pass packets to each other, after the description of the Richards benchmark.
local Packet = {}
Packet.__index = Packet

function Packet.new(link, task, kind)
  return setmetatable({ link = link, task = task, kind = kind, datum = 1, data = { 0, 0, 0, 0 } }, Packet)
end

-- appended returns the queue with the packet at its end.
function Packet:appended(queue)
  self.link = nil
  if not queue then return self end
  local last = queue
  while last.link do last = last.link end
  last.link = self
  return queue
end

local idler, worker, handlerA, handlerB, deviceA, deviceB = 1, 2, 3, 4, 5, 6
local forDevice, forWork = 1, 2

local Task = {}
Task.__index = Task

function Task.new(link, id, priority, work, state, handle, data)
  return setmetatable({
    link = link, id = id, priority = priority, input = work, handle = handle, data = data,
    pending = state.pending, waiting = state.waiting, holding = false,
  }, Task)
end

function Task:held() return self.holding or (not self.pending and self.waiting) end

function Task:wake(packet, by)
  if not self.input then
    self.input, self.pending = packet, true
    if self.priority > by.priority then return self end
  else
    self.input = packet:appended(self.input)
  end
  return by
end

-- step runs the task, and returns the one that is to run next.
function Task:step(scheduler)
  local packet
  if self.pending and self.waiting then
    packet = self.input
    self.input = packet.link
    self.pending, self.waiting = self.input ~= nil, false
  end
  return self.handle(scheduler, packet, self.data, self)
end

local Scheduler = {}
Scheduler.__index = Scheduler

function Scheduler:add(id, priority, work, state, handle, data)
  local task = Task.new(self.first, id, priority, work, state, handle, data)
  self.first, self.table[id] = task, task
end

function Scheduler:find(id)
  local task = self.table[id]
  if not task then error("no task " .. tostring(id)) end
  return task
end

function Scheduler:wait()
  self.current.waiting = true
  return self.current
end

function Scheduler:hold()
  self.holds = self.holds + 1
  self.current.holding = true
  return self.current.link
end

function Scheduler:release(id)
  local task = self:find(id)
  task.holding = false
  if task.priority > self.current.priority then return task end
  return self.current
end

function Scheduler:queue(packet)
  local task = self:find(packet.task)
  self.queued = self.queued + 1
  packet.link, packet.task = nil, self.current.id
  return task:wake(packet, self.current)
end

function Scheduler:run()
  self.current = self.first
  while self.current do
    if self.current:held() then
      self.current = self.current.link
    else
      self.current = self.current:step(self)
    end
  end
end

local function idle(scheduler, _, data)
  data.count = data.count - 1
  if data.count == 0 then return scheduler:hold() end
  if data.control % 2 == 0 then
    data.control = data.control / 2
    return scheduler:release(deviceA)
  end
  local half, flipped, bit = (data.control - 1) / 2, 0, 1
  local mask = 53256
  for _ = 1, 16 do -- exclusive or
    if half % 2 ~= mask % 2 then flipped = flipped + bit end
    half, mask, bit = math.floor(half / 2), math.floor(mask / 2), bit * 2
  end
  data.control = flipped
  return scheduler:release(deviceB)
end

local function work(scheduler, packet, data)
  if not packet then return scheduler:wait() end
  data.target = data.target == handlerA and handlerB or handlerA
  packet.task, packet.datum = data.target, 1
  for i = 1, 4 do
    data.letter = data.letter % 26 + 1
    packet.data[i] = 64 + data.letter
  end
  return scheduler:queue(packet)
end

local function handle(scheduler, packet, data)
  if packet then
    if packet.kind == forWork then
      data.work = packet:appended(data.work)
    else
      data.device = packet:appended(data.device)
    end
  end
  local full = data.work
  if full then
    if full.datum > 4 then
      data.work = full.link
      return scheduler:queue(full)
    end
    local free = data.device
    if free then
      data.device = free.link
      free.datum = full.data[full.datum]
      full.datum = full.datum + 1
      return scheduler:queue(free)
    end
  end
  return scheduler:wait()
end

local function device(scheduler, packet, data)
  if packet then
    data.pending = packet
    return scheduler:hold()
  end
  packet = data.pending
  if not packet then return scheduler:wait() end
  data.pending = nil
  return scheduler:queue(packet)
end

local running, waiting, waitingWithPacket = {}, { waiting = true }, { waiting = true, pending = true }

return function()
  local s = setmetatable({ table = {}, queued = 0, holds = 0 }, Scheduler)
  s:add(idler, 0, nil, running, idle, { control = 1, count = 2000 })
  local queue = Packet.new(nil, worker, forWork)
  queue = Packet.new(queue, worker, forWork)
  s:add(worker, 1000, queue, waitingWithPacket, work, { target = handlerA, letter = 0 })
  for i, id in ipairs { handlerA, handlerB } do
    queue = nil
    for _ = 1, 3 do queue = Packet.new(queue, i == 1 and deviceA or deviceB, forDevice) end
    s:add(id, i * 1000 + 1000, queue, waitingWithPacket, handle, {})
  end
  s:add(deviceA, 4000, nil, waiting, device, {})
  s:add(deviceB, 5000, nil, waiting, device, {})
  s:run()
  return s.queued .. " " .. s.holds
end
