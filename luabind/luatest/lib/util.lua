-- The module luassert.util: what assertions of a test use. native has what only the runner knows.
local native = ...
local util = { is_arglist = native.is_arglist, make_arglist = native.make_arglist, callable = native.callable, hastostring = native.hastostring }

function util.pack(...) return { n = select("#", ...), ... } end
function util.unpack(t, from, to) return unpack(t, from or 1, to or t.n or #t) end
function util.errorlevel() return 2 end

function util.deepcompare(a, b, ignore_metatable)
  local same, crumbs = native.deepcompare(a, b, ignore_metatable and true or false)
  if same then return true end
  return false, crumbs
end

function util.shallowcopy(t)
  if type(t) ~= "table" then return t end
  local copy = {}
  for k, v in next, t do copy[k] = v end
  return setmetatable(copy, getmetatable(t))
end

function util.deepcopy(t, copies_metatable, seen)
  if type(t) ~= "table" then return t end
  seen = seen or {}
  if seen[t] then return seen[t] end
  local copy, mt = {}, getmetatable(t)
  seen[t] = copy
  for k, v in next, t do copy[k] = native.is_spy(v) and v or util.deepcopy(v, copies_metatable, seen) end
  if type(mt) ~= "table" then return copy end
  return setmetatable(copy, copies_metatable and util.deepcopy(mt, false, seen) or mt)
end

function util.copyargs(args)
  local copy = {}
  for k, v in pairs(args) do copy[k] = (native.is_matcher(v) or native.is_spy(v)) and v or util.deepcopy(v) end
  return { vals = setmetatable(copy, getmetatable(args)), refs = util.shallowcopy(args) }
end

function util.tinsert(t, ...)
  local pos, value = ...
  t.n = (t.n or #t) + 1
  if select("#", ...) < 2 then
    pos, value = t.n, pos
  elseif pos > t.n then
    t.n = pos
  end
  for i = t.n, pos + 1, -1 do t[i] = t[i - 1] end
  t[pos] = value
end

function util.tremove(t, pos)
  t.n = t.n or #t
  pos = pos or t.n
  local removed = t[pos]
  if pos > t.n then
    t[pos] = nil
    return removed
  end
  for i = pos, t.n do t[i] = t[i + 1] end
  t[t.n] = nil
  t.n = t.n - 1
  return removed
end

function util.cleararglist(list)
  for i = list.n, 1, -1 do util.tremove(list, i) end
  list.n = nil
end

local function matches(call, specs)
  local function fits(i)
    local value, spec = call.vals[i], specs[i]
    if native.is_matcher(spec) then
      if native.is_ref_matcher(spec) then value = call.refs[i] end
      return spec(value)
    end
    return util.deepcompare(value, spec)
  end
  for i in pairs(call.vals) do if not fits(i) then return false end end
  for i in pairs(specs) do if not fits(i) then return false end end
  return true
end

function util.matchargs(list, specs)
  for i = #list, 1, -1 do
    if matches(list[i], specs) then return list[i] end
  end
end

function util.matchoncalls(cases, args)
  for _, case in ipairs(cases) do
    if matches({ vals = args, refs = args }, case.vals) then return case end
  end
end

return util
