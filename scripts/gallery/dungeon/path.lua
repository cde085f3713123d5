-- A*: the shortest way between two places of a layer, in steps to the four sides. 1 is a wall.
local heap = require("gallery.dungeon.heap")

local path = {}

-- Writes into the layer walked how many steps each place is away, counted from 1; what no search has come to stays 0.
local function search(rock, walked, x, y, goal)
  local open = heap.new()
  walked:fill(0)
  walked:set(x, y, 1)
  open:push({ x = x, y = y }, 0)
  while true do
    local place = open:pop()
    if not place then return false end
    if place.x == goal.x and place.y == goal.y then return true end
    local steps = walked:get(place.x, place.y) + 1
    for nx, ny, wall in rock:around(place.x, place.y, 1, "neumann") do
      local before = walked:get(nx, ny)
      if wall ~= 1 and (before == 0 or steps < before) then
        walked:set(nx, ny, steps)
        open:push({ x = nx, y = ny }, steps + math.abs(goal.x - nx) + math.abs(goal.y - ny))
      end
    end
  end
end

-- Returns the places of the way, from the first step to the goal; nil if there is no way.
function path.find(layers, from, to)
  local walked = layers.walked
  if not search(layers.rock, walked, from.x, from.y, to) then return nil end
  local way, x, y = {}, to.x, to.y
  for i = walked:get(x, y) - 1, 1, -1 do
    way[i] = { x = x, y = y }
    for nx, ny, steps in walked:around(x, y, 1, "neumann") do
      if steps == i then x, y = nx, ny; break end
    end
  end
  return way
end

return path
