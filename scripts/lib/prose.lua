-- Words for the reports.
local ecs = require("ecs")

local prose = {}

-- number writes 1234567 as "1,234,567".
function prose.number(n)
  local s = string.format("%d", n)
  local parts = {}
  while #s > 3 do
    table.insert(parts, 1, s:sub(-3))
    s = s:sub(1, -4)
  end
  table.insert(parts, 1, s)
  return table.concat(parts, ",")
end

-- many writes "one soldier", "no soldiers", "1,204 soldiers".
function prose.many(n, one, several)
  if n == 0 then return "no " .. several end
  if n == 1 then return "one " .. one end
  return prose.number(n) .. " " .. several
end

-- sentence makes the first letter large.
function prose.sentence(s) return s:sub(1, 1):upper() .. s:sub(2) end

-- percent writes a share of a whole, "37%".
function prose.percent(part, whole)
  if whole == 0 then return "0%" end
  return string.format("%d%%", math.floor(100 * part / whole + 0.5))
end

-- clock turns a frame into the time of day: the battle begins at six, and night falls at eight in the evening.
function prose.clock(frame, nightfall)
  local minutes = math.floor(14 * 60 * frame / nightfall)
  return string.format("%02d:%02d", 6 + math.floor(minutes / 60), minutes % 60)
end

-- pick chooses one of several ways to say a thing, from the calling system's own random stream.
function prose.pick(list) return list[ecs.random(#list)] end

-- fill replaces {name} by the values given.
function prose.fill(text, values)
  return (text:gsub("{([%w_]+)}", function(name) return tostring(values[name]) end))
end

return prose
