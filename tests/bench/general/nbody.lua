-- Five bodies of the solar system under gravity.
local days, mass = 365.24, 4 * math.pi ^ 2

local function body(x, y, z, vx, vy, vz, m)
  return { x = x, y = y, z = z, vx = vx * days, vy = vy * days, vz = vz * days, mass = m * mass }
end

local function system()
  local bodies = {
    body(0, 0, 0, 0, 0, 0, 1),
    body(4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609),
    body(8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411024, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812),
    body(12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298),
    body(15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451),
  }
  local px, py, pz = 0, 0, 0
  for _, b in ipairs(bodies) do
    px, py, pz = px + b.vx * b.mass, py + b.vy * b.mass, pz + b.vz * b.mass
  end
  local sun = bodies[1]
  sun.vx, sun.vy, sun.vz = -px / mass, -py / mass, -pz / mass
  return bodies
end

local function advance(bodies, dt)
  local n = #bodies
  for i = 1, n do
    local a = bodies[i]
    for j = i + 1, n do
      local b = bodies[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      local squared = dx * dx + dy * dy + dz * dz
      local pull = dt / (squared * math.sqrt(squared))
      a.vx = a.vx - dx * b.mass * pull
      a.vy = a.vy - dy * b.mass * pull
      a.vz = a.vz - dz * b.mass * pull
      b.vx = b.vx + dx * a.mass * pull
      b.vy = b.vy + dy * a.mass * pull
      b.vz = b.vz + dz * a.mass * pull
    end
  end
  for _, b in ipairs(bodies) do
    b.x, b.y, b.z = b.x + dt * b.vx, b.y + dt * b.vy, b.z + dt * b.vz
  end
end

local function energy(bodies)
  local e = 0
  for i, a in ipairs(bodies) do
    e = e + 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
    for j = i + 1, #bodies do
      local b = bodies[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      e = e - a.mass * b.mass / math.sqrt(dx * dx + dy * dy + dz * dz)
    end
  end
  return e
end

return function()
  local bodies = system()
  for _ = 1, 1000 do advance(bodies, 0.01) end
  return string.format("%.9f", energy(bodies))
end
