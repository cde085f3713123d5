package luabind

import "testing"

// vectorHead declares vectors with operators, and two of them in members with short names.
const vectorHead = `local V = {} V.__index = V
local function vec(x, y) return setmetatable({ x = x, y = y }, V) end
function V.__add(a, b) return vec(a.x + b.x, a.y + b.y) end
function V.__unm(a) return vec(-a.x, -a.y) end
function V.__len(a) return a.x end
function V.__concat(a, b) return tostring(a) .. tostring(b) end
function V.__tostring(a) return "(" .. a.x .. "," .. a.y .. ")" end
function V.__mul(a, b) if type(b) == "number" then return vec(a.x * b, a.y * b) end return a.x * b.x + a.y * b.y end
local bodies = { { p = vec(1, 1), v = vec(1, 2) }, { p = vec(0, 0), v = vec(2, 2) } }
local plain, odd = setmetatable({}, {}), setmetatable({}, { __tostring = function() return 5 end, __unm = function() error("no") end, __len = function() return "long" end, __concat = function() return nil end })`

// tablesHead declares tables with functions in __index and __newindex.
const tablesHead = `local seven = setmetatable({ [1] = 5 }, { __index = function(t, k) return 7 end })
local lists = setmetatable({}, { __index = function(t, k) local v = {} rawset(t, k, v) return v end })
local function defaults(f) return setmetatable({}, { __index = function(t, k) local v = f(k) t[k] = v return v end }) end
local counters, sizes = defaults(function() return { n = 0 } end), defaults(function(k) return #tostring(k) end)
local shape = setmetatable({ w = 2, h = 3 }, { __index = function(t, k) if k == "area" then return t.w * t.h end end })
local Base = setmetatable({}, { __index = function(t, k) if k ~= "none" then return k .. "?" end end }) Base.__index = Base
local derived, M = setmetatable({ own = 1 }, Base), { inner = { seven = seven, shape = shape } }
local twice = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v * 2) end })
local data = { x = 0 } local proxy = setmetatable({}, { __index = data, __newindex = data })
local gate = setmetatable({}, { __index = function(_, k) return data[k] end, __newindex = function(_, k, v) data[k] = v total = total + 1 end })
local strict = setmetatable({ n = 1 }, { __index = function(t, k) error("no member " .. tostring(k)) end, __newindex = function(t, k) error("new member " .. tostring(k)) end })
local chain = setmetatable({}, { __newindex = setmetatable({}, { __newindex = function(t, k, v) data[k] = v end }) })`

// classHead declares helpers that make classes.
const classHead = `local function class(base) local C = {} C.__index = C return setmetatable(C, { __index = base }) end
local C = class() function C:new(x) local o = setmetatable({}, self) o.x = x if o.init then o:init(x) end return o end function C:get() return self.x end
local D = class(C) function D:init(x) self.x = x + 1 end function D:get() return self.x * 2 end
local function made() local K = {} K.__index = K function K.new(x) local o = setmetatable({}, K) if o.init then o:init(x) end return o end return K end
local K = made() function K:init(x) self.x = x end function K:get() return self.x end
local hooks = { { go = function(x) total = total + x end }, { go = false }, {} }`

// metamethodCases are bodies that call metamethods.
var metamethodCases = []cellCase{
	{body: `local a = -vec(c.x, c.y) sum = sum + a.x`, head: vectorHead},
	{body: `local a = vec(c.x, c.y) sum = sum + #a + #"ab" + #A`, head: vectorHead},
	{body: `word = tostring(vec(c.x, c.y))`, head: vectorHead},
	{body: `word = vec(c.x, c.y) .. "!"`, head: vectorHead},
	{body: `word = "at " .. vec(c.x, c.y) .. c.s .. c.k`, head: vectorHead},
	{body: `word = c.s .. c.k .. vec(1, 2)`, head: vectorHead},
	{body: `local o = { p = vec(c.x, 1), v = vec(1, 1) } o.p = o.p + o.v sum = sum + o.p.x`, head: vectorHead},
	{body: `local p, v = vec(c.x, 1), vec(2, 2) sum = sum + (p + v).x + (p * 2).y`, head: vectorHead},
	{body: `local b = bodies[c.k % 2 + 1] b.p = b.p + b.v * 0.1 sum = sum + b.p.x`, head: vectorHead},
	{body: `for i, b in ipairs(bodies) do b.p = -b.p + b.v sum = sum + b.p * b.v end`, head: vectorHead},
	{body: `local v = c.b and vec(1, 2) or c.x word = tostring(v) .. "|" .. tostring(c.s)`, head: vectorHead},
	{body: `t.v = vec(c.x, c.y) word = tostring(t.v) sum = sum + #t.v`, head: vectorHead},
	{body: `word = tostring(odd)`, head: vectorHead},
	{body: `word = tostring(plain)`, head: vectorHead},
	{body: `if c.k == 3 then local x = -odd end sum = sum + 1`, head: vectorHead},
	{body: `local x = #odd word = tostring(x)`, head: vectorHead},
	{body: `local x = odd .. "a" word = tostring(x)`, head: vectorHead},
	{body: `sum = sum + #(c.b and plain or odd)`, head: vectorHead},
	{body: `local x = c.k == 3 and plain or c.x sum = sum - -x`, head: vectorHead},
	{body: `word = "a" .. (c.k == 3 and plain or c.s)`, head: vectorHead},
	// __index
	{body: `sum = sum + seven[c.k] + M.inner.seven[c.s]`, head: tablesHead},
	{body: `lists[c.s][#lists[c.s] + 1] = c.x local l = lists[c.k] l[1] = e sum = sum + #lists[c.s]`, head: tablesHead},
	{body: `counters[c.s].n = counters[c.s].n + 1 sum = sum + counters[c.k].n + sizes[c.s]`, head: tablesHead},
	{body: `sum = sum + shape.area + M.inner.shape.w if shape.none == nil then sum = sum + 1 end shape.w = c.k`, head: tablesHead},
	{body: `word = derived[c.s] .. derived.other sum = sum + derived.own if not derived.none then sum = sum + 1 end`, head: tablesHead},
	{body: `t[c.k] = t[c.k] or seven[c.k] seven[c.k] = c.x`, head: tablesHead},
	{body: `if c.k == 3 then sum = sum + strict.other end sum = sum + strict.n`, head: tablesHead},
	{body: `local n = c.k == 3 and strict.n or strict[c.s] sum = sum + n`, head: tablesHead},
	{body: `seven = setmetatable({}, { __index = function() return 9 end }) sum = sum + seven[c.k]`, head: tablesHead},
	{body: `sum = sum + seven[c.k] M.inner.seven = shape local x = M.inner.seven[c.s] if x then sum = sum + 1 end`, head: tablesHead},
	// __newindex
	{body: `twice[c.s] = c.x sum = sum + twice[c.s]`, head: tablesHead},
	{body: `twice.v = c.x sum = sum + (twice.v or 0) twice.v = nil`, head: tablesHead},
	{body: `proxy.x = c.x proxy[c.s] = e sum = sum + data.x + proxy.x`, head: tablesHead},
	{body: `gate.x = c.x gate[c.s] = (gate[c.s] or 0) + 1 sum = sum + gate.x`, head: tablesHead},
	{body: `chain[c.s] = c.x sum = sum + data[c.s]`, head: tablesHead},
	{body: `strict.n = strict.n + 1 if c.k == 3 then strict.m = c.x end sum = sum + strict.n`, head: tablesHead},
	{body: `twice[c.k] = c.k == 3 and c.s or c.x sum = sum + 1`, head: tablesHead},
	{body: `local g = c.b and twice or gate g.z = c.x sum = sum + 1`, head: tablesHead},
	// classes
	{body: `local o, d = C:new(c.x), D:new(c.x) sum = sum + o:get() + d:get()`, head: classHead},
	{body: `local o = K.new(c.x) sum = sum + o:get()`, head: classHead},
	{body: `local h = hooks[c.k % 3 + 1] if h.go then sum = sum + 1 end if not h.none then sum = sum + 10 end`, head: classHead},
}

// Metamethods do the same with every implementation.
func TestMetamethods(t *testing.T) {
	t.Parallel()
	sameCells(t, metamethodCases)
}
