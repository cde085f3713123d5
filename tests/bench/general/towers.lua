-- The towers of Hanoi with thirteen disks, as linked lists.
local Towers = {}
Towers.__index = Towers

function Towers:push(disk, pile)
  local top = self.piles[pile]
  if top and disk.size >= top.size then error("a disk cannot lie on a smaller one") end
  disk.next = top
  self.piles[pile] = disk
end

function Towers:pop(pile)
  local top = self.piles[pile]
  if not top then error("no disk in this pile") end
  self.piles[pile] = top.next
  top.next = nil
  return top
end

function Towers:move(disks, from, to)
  if disks == 1 then
    self:push(self:pop(from), to)
    self.moves = self.moves + 1
    return
  end
  local other = 6 - from - to
  self:move(disks - 1, from, other)
  self:move(1, from, to)
  self:move(disks - 1, other, to)
end

return function()
  local t = setmetatable({ piles = {}, moves = 0 }, Towers)
  for size = 13, 1, -1 do t:push({ size = size }, 1) end
  t:move(13, 1, 2)
  return t.moves
end
