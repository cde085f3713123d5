-- The module say: texts by key, in namespaces.
local texts, current, fallback = { en = {} }, "en", "en"

local function open(name)
  texts[name] = texts[name] or {}
  return name
end

local say = { _registry = texts }
function say:set_namespace(name) current = open(name) end
function say:set_fallback(name) fallback = open(name) end
function say:set(key, text) texts[current][key] = text end

local function get(_, key, vars)
  if vars ~= nil and type(vars) ~= "table" then
    error(("expected parameter table to be a table, got '%s'"):format(type(vars)), 2)
  end
  local text = texts[current][key]
  if text == nil then text = texts[fallback][key] end
  if text == nil then return nil end
  local shown, n = {}, 0
  if vars then
    vars.n = math.max(vars.n or 0, #vars)
    n = vars.n
  end
  for i = 1, n do shown[i] = tostring(vars[i]) end
  text = tostring(text)
  if n == 0 then return text end
  return text:format(unpack(shown, 1, n))
end

return setmetatable(say, { __call = get, __index = function(_, name) return texts[name] end })
