-- Twin of 27-weather: 10,000 clouds drift on value noise and rain on 10,000 fields.
local floor, sin, max = math.floor, math.sin, math.max

local function hash(x, y)
  local h = sin(x * 127.1 + y * 311.7) * 43758.5453
  return h - floor(h)
end
local function smooth(t) return t * t * (3 - 2 * t) end
local function noise(x, y)
  local ix, iy = floor(x), floor(y)
  local fx, fy = smooth(x - ix), smooth(y - iy)
  local a, b = hash(ix, iy), hash(ix + 1, iy)
  local c, d = hash(ix, iy + 1), hash(ix + 1, iy + 1)
  return (a + (b - a) * fx) + ((c + (d - c) * fx) - (a + (b - a) * fx)) * fy
end

local DRYING = { spring = 0.02, summer = 0.08, autumn = 0.03, winter = 0.01 }
local TEMP = { spring = 12, summer = 24, autumn = 10, winter = -4 }
local NEXT = { spring = "summer", summer = "autumn", autumn = "winter", winter = "spring" }

return function(stream)
  local random = stream("start")
  local clouds, fields, wet = {}, {}, {}
  local resources = { rain = 0, season = "spring" }
  local time = 0

  local function start()
    for i = 1, 10000 do
      clouds[i] = { Cloud = { x = random() * 200, y = random() * 200, water = random(), kind = 0 } }
    end
    for y = 0, 99 do
      for x = 0, 99 do fields[#fields + 1] = { Field = { x = x, y = y, wet = 0, temp = 12 } } end
    end
  end

  local function drift(dt)
    local t = time * 0.1
    for i = 1, #clouds do
      local cloud = clouds[i].Cloud
      local wx = noise(cloud.x * 0.05 + t, cloud.y * 0.05) - 0.5
      local wy = noise(cloud.x * 0.05, cloud.y * 0.05 + t) - 0.5
      cloud.x = (cloud.x + wx * 8 * dt) % 200
      cloud.y = (cloud.y + wy * 8 * dt) % 200
      cloud.water = cloud.water + 0.05 * dt
      if cloud.water < 0.3 then cloud.kind = 0 elseif cloud.water < 0.8 then cloud.kind = 1 else cloud.kind = 2 end
    end
    time = time + dt
  end

  local function rain(dt)
    local total = 0
    for i = 1, 10000 do wet[i] = 0 end
    for i = 1, #clouds do
      local cloud = clouds[i].Cloud
      if cloud.kind == 2 then
        local drop = cloud.water * 0.5 * dt
        cloud.water = cloud.water - drop
        local x, y = floor(cloud.x / 2), floor(cloud.y / 2)
        local at = y * 100 + x + 1
        wet[at] = wet[at] + drop
        total = total + drop
      end
    end
    for i = 1, #fields do
      local field = fields[i].Field
      field.wet = field.wet + wet[field.y * 100 + field.x + 1]
    end
    resources.rain = total
  end

  local function dry(dt)
    local season = resources.season
    local rate = DRYING[season]
    for i = 1, #fields do
      local field = fields[i].Field
      field.wet = max(0, field.wet - rate * dt)
      if field.temp < TEMP[season] then field.temp = field.temp + 1
      elseif field.temp > TEMP[season] then field.temp = field.temp - 1 end
    end
  end

  local function seasons()
    resources.season = NEXT[resources.season]
    print("it is " .. resources.season)
  end

  return {
    frames = 40, dt = 0.5, seed = 151, start = start,
    systems = { { run = drift }, { run = rain }, { run = dry }, { run = seasons, every = 10 } },
    entities = function() return { clouds, fields } end,
    resources = resources,
    sums = { "Cloud.x", "Cloud.y", "Cloud.water", "Cloud.kind", "Field.x", "Field.y", "Field.wet", "Field.temp", "resources.rain", "resources.season" },
    tolerance = 1e-5, -- the mod keeps x, y, water and wet in 32 bits, plain Lua in 64
  }
end
