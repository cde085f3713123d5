local M = {}
local function show(v)
  if type(v) == "string" then return string.format("%q", v) end
  if type(v) ~= "table" then return tostring(v) end
  local parts = {}
  for k, x in pairs(v) do parts[#parts + 1] = "[" .. show(k) .. "] = " .. show(x) end
  return "{" .. table.concat(parts, ", ") .. "}"
end
local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end
function M.eq(got, want)
  if not same(got, want) then error("got " .. show(got) .. ", want " .. show(want), 2) end
end
function M.fails(text, fn, ...)
  local ok, err = pcall(fn, ...)
  if ok then error("no error; want " .. text, 2) end
  if not string.find(tostring(err), text, 1, true) then error("got the error " .. tostring(err) .. "; want " .. text, 2) end
end
return M
