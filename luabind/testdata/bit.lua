-- what luajit prints
check.eq(bit.band(0x12345678, 0xff), 0x78)
check.eq(bit.bor(1, 2, 4), 7)
check.eq(bit.bxor(0xa5a5f0f0, 0xaa55ff00), 0x0ff00ff0)
check.eq(bit.bnot(0), -1)
check.eq(bit.tobit(0xffffffff), -1)
check.eq(bit.tobit(1099511629010), 1234)
check.eq(bit.tobit(-9007199254740992), 0)
check.eq(bit.lshift(1, 8), 256)
check.eq(bit.lshift(1, 40), 256)
check.eq(bit.lshift(0x87654321, 12), 0x54321000)
check.eq(bit.rshift(256, 8), 1)
check.eq(bit.rshift(-256, 8), 16777215)
check.eq(bit.arshift(-256, 8), -1)
check.eq(bit.arshift(0x87654321, 12), -493996)
check.eq(bit.rol(0x12345678, 12), 0x45678123)
check.eq(bit.ror(0x12345678, 12), 0x67812345)
check.eq(bit.bswap(0x12345678), 0x78563412)
check.eq(bit.bswap(0x78563492), bit.tobit(0x92345678))
check.eq(bit.tohex(1), "00000001")
check.eq(bit.tohex(-1), "ffffffff")
check.eq(bit.tohex(0x87654321, 4), "4321")
check.eq(bit.tohex(0x87654321, -3), "321")
check.eq(bit.tohex(0xcafe, -4), "CAFE")
check.eq(bit.tohex(5, 100), "00000005")
check.eq(require("bit") == bit, true)
check.eq(bit.band(5), 5)
check.eq(bit.band(-1, 2 ^ 32), 0)
---
-- in a loop
for i = 1, 40 do world:spawn{ Kinds = { u32 = 4294967295 - i * 77777, i8 = i - 20, f64 = i * 12345678 } } end
local band, bxor = bit.band, bit.bxor
local want = {}
for e, k in world:each("Kinds") do
  want[e] = { band(k.u32, 0xff00), bxor(k.i8, k.u32, 5), bit.lshift(k.i8, k.u32), bit.bswap(bit.bnot(k.u32)), bit.rol(k.f64, 3) }
end
for e, k in world:each("Kinds") do
  k.i32 = bit.bor(band(k.u32, 0xff00), bxor(k.i8, k.u32, 5))
end
for e, k in world:each("Kinds") do check.eq(k.i32, bit.bor(want[e][1], want[e][2])) end
local n = 0
for e, k in world:each("Kinds") do
  local ok = pcall(bit.band, k.f64 + 0.5, 1)
  if not ok then n = n + 1 end
end
check.eq(n, 40)
---
bit.band(1.5, 1) --! bad argument #1 to 'band' (a whole number within ±2^53 expected, got 1.5)
---
bit.bor(1, "2") --! bad argument #2 to 'bor' (number expected, got string)
---
bit.lshift(1) --! bad argument #2 to 'lshift' (number expected, got no value)
---
bit.bnot(2 ^ 60) --! bad argument #1 to 'bnot' (a whole number within ±2^53 expected, got 1.1529215046068e+18)
---
bit.bnot(0 / 0) --! bad argument #1 to 'bnot' (a whole number within ±2^53 expected, got nan)
---
bit.xor(1, 2) --! LuaJIT has no bit.xor; did you mean bit.bor?
