-- The path of the creeps, as corners, and the way from a length walked to a place on it.
local corners = { { 0, 3 }, { 20, 3 }, { 20, 12 }, { 40, 12 }, { 40, 5 }, { 59, 5 } }
local path = { corners = corners, length = 0, sites = {} }

for i = 2, #corners do
  local a, b = corners[i - 1], corners[i]
  path.length = path.length + math.abs(b[1] - a[1]) + math.abs(b[2] - a[2])
end

-- Where a creep is that has walked so far. All parts of the path go straight right, up or down.
function path.at(walked)
  for i = 2, #corners do
    local a, b = corners[i - 1], corners[i]
    local dx, dy = b[1] - a[1], b[2] - a[2]
    local length = math.abs(dx) + math.abs(dy)
    if walked <= length then return a[1] + dx / length * walked, a[2] + dy / length * walked end
    walked = walked - length
  end
  local last = corners[#corners]
  return last[1], last[2]
end

-- Where towers may be built, in the order of building.
path.sites = { { 18, 6 }, { 23, 9 }, { 37, 9 }, { 43, 7 }, { 10, 6 }, { 30, 10 }, { 50, 8 }, { 17, 1 } }

return path
