-- Runs a program or a row of the page "General Lua code" without ecsrun:
--
--   lua5.4 tests/bench/general/run.lua queens 200            the program, 200 times
--   lua5.4 tests/bench/general/run.lua rows.byte 20 100000   the row, 20 times with n = 100,000
local folder = string.match(arg[0], "^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path
local name, times, n = arg[1], tonumber(arg[2]), tonumber(arg[3] or 1)
local module, row = string.match(name, "^(%a+)%.(.+)$")
local run = require(module or name)
if row then run = run[row] end
local result
for _ = 1, times do result = run(n) end
print(tostring(result))
