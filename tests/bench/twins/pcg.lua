-- The random numbers of ecsrun (ecs/random.go) in plain Lua: PCG-DXSM, one stream for each system, derived from the seed and the system's
-- name. Numbers of 64 and 128 bits are lists of 16-bit digits, the lowest first, because Lua 5.1 has doubles only. It is slow, so it serves
-- the sums and not the times.
local floor = math.floor

-- digits gives the 16-bit digits of a hexadecimal number, n of them.
local function digits(hex, n)
  hex = string.rep("0", 4 * n - #hex) .. hex
  local d = {}
  for i = 1, n do d[i] = tonumber(string.sub(hex, -4 * i, -4 * i + 3), 16) end
  return d
end

-- multiply gives a * b + c modulo 2^(16 n).
local function multiply(a, b, c, n)
  local p, carry = {}, 0
  for i = 1, n do
    local t = carry + c[i]
    carry = 0
    for j = 1, i do
      t = t + a[j] * b[i + 1 - j]
    end
    p[i] = t % 65536
    carry = floor(t / 65536)
  end
  return p
end

-- xor of two numbers below 2^16.
local function xor(a, b)
  local r, bit = 0, 1
  while a > 0 or b > 0 do
    if a % 2 ~= b % 2 then r = r + bit end
    a, b, bit = floor(a / 2), floor(b / 2), bit * 2
  end
  return r
end

local ZERO = { 0, 0, 0, 0 }
local STEP = digits("2360ed051fc65da44385df649fccf645", 8)
local ADD = digits("5851f42d4c957f2d14057b7ef767814f", 8)
local MIX = digits("da942042e4dd58b5", 4)
local FNV, PRIME = digits("cbf29ce484222325", 4), digits("100000001b3", 4)

-- hash is FNV-1a of the seed's eight bytes and the name.
local function hash(seed, name)
  local h = { FNV[1], FNV[2], FNV[3], FNV[4] }
  local function take(byte)
    h[1] = xor(h[1], byte)
    h = multiply(h, PRIME, ZERO, 4)
  end
  for _ = 1, 8 do
    take(seed % 256)
    seed = floor(seed / 256)
  end
  for i = 1, #name do take(string.byte(name, i)) end
  return h
end

-- The file returns a function of a seed below 2^16 and a system's name that returns the stream: a function with the arguments of ecs.random.
return function(seed, name)
  local lo = hash(seed, name)
  local state = { lo[1], lo[2], lo[3], lo[4], seed, 0, 0, 0 }

  local function next()
    state = multiply(state, STEP, ADD, 8)
    local odd = { state[1] + 1 - state[1] % 2, state[2], state[3], state[4] }
    local hi = { xor(state[5], state[7]), xor(state[6], state[8]), state[7], state[8] }
    hi = multiply(hi, MIX, ZERO, 4)
    hi[1] = xor(hi[1], hi[4])
    return multiply(hi, odd, ZERO, 4)
  end

  return function(m, n)
    local x = next()
    if not m then
      return (x[4] * 2 ^ 37 + x[3] * 2 ^ 21 + x[2] * 32 + floor(x[1] / 2048)) / 2 ^ 53
    end
    if not n then m, n = 1, m end
    -- The high half of x * (n - m + 1). ecsrun draws again for about one number in 2^57, to be free of bias; that is left out.
    local range, carry = n - m + 1, 0
    for i = 1, 4 do carry = floor((x[i] * range + carry) / 65536) end
    return m + carry
  end
end
