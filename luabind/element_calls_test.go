package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// elementSource is a file with tables of functions and of tables that can be called, and with objects whose methods a function in __index returns.
const elementSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "u8", s = "string" })
local made, log = 0, {}
local brains = {
  novice = function(x, k) return x + k end,
  clever = function(x, k, z) if k == 3 then return nil end return x * 2, k end,
}
setmetatable(brains, { __index = function(t, year) return year >= 4 and t.clever or t.novice end })
local Spell = {}
Spell.__index = Spell
Spell.__call = function(s, x, k) made = made + 1 return s.effect(s, x, k) end
local registry = {}
for i, name in ipairs{ "fire", "ice", "mend" } do
  registry[name] = setmetatable({ cost = i, effect = i == 2 and function(s, x) return x - s.cost, "cold" end or function(s, x, k) return x + s.cost * k end }, Spell)
end
local mixed = { setmetatable({ effect = function() return 1 end }, Spell), function(x) return x end, any = "s" }
local names = { "fire", "ice", "mend" }
local steps = setmetatable({ function(x) return x + 1 end, function(x) return x - 1 end, function(x, k) return k end, n = 3, any = {} }, { __len = function() return 3 end })
local Occ = {}
Occ.__index = function(t, k) return Occ[k] end
function Occ.new() return setmetatable({ cells = {}, any = "s" }, Occ) end
function Occ:get(k) return self.cells[k] end
function Occ:set(k, v) self.cells[k] = v end
function Occ:move(a, b) local v = self:get(a) self:set(a, nil) self:set(b, v) return v end
function Occ:count() local n = 0 for _ in pairs(self.cells) do n = n + 1 end return n end
local Lazy = {}
local lazy = setmetatable({ n = 2 }, { __index = function(t, k) made = made + 1 return Lazy[k] or function(self) return k end end })
function Lazy:twice(x) return self.n * x end
local functions = { a = function(x) return x + 1 end, b = function() return 2 end, c = function(x) return x - 1 end }
local occ = Occ.new()
return { init = function(world) for i = 1, 90 do world:spawn{ P = { x = i, k = i % 5, s = names[i % 3 + 1] } } end end, update = function(world, dt)
  local sum, text, frame = 0, "", world.frame
  if frame == 3 then functions.b = nil end
  for e, p in world:each("P") do BODY end
  print(sum, text, made, occ:count())
end }`

// A row calls the function that an element of a table is, or that the element is called with, and the methods that a function in __index returns.
func TestCallsOfElements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`local think = brains[p.k] local a, b = think(p.x, p.k) sum = sum + (a or 100) + (b or 7)`, true},
		{`sum = sum + (brains[p.k](p.x, p.k) or 100)`, true},
		{`local think = brains[p.k] think(p.x, p.k)`, true},
		{`local s = registry[p.s] local a, b = s(p.x, p.k) sum = sum + a if b then text = b end`, false}, // made is used in two ways
		{`local s = registry[p.s] sum = sum + s.effect(s, p.x, p.k)`, true},
		{`local step = steps[p.k % 3 + 1] p.x = step(p.x, p.k)`, true},
		{`p.x = steps[p.k % 3 + 1](p.x, p.k)`, true},
		{`local step = steps[p.k] if step then p.x = step(p.x, p.k) end`, true},
		{`local step = steps[p.k % 4 + 1] p.x = step(p.x, p.k)`, false},
		{`local step = steps[p.s] or steps[1] p.x = step(p.x, p.k)`, false},
		{`local m = mixed[p.k % 2 + 1] sum = sum + m(p.x, 1)`, false},
		{`occ:set(p.k, p.x) sum = sum + (occ:get(p.k) or 0)`, true},
		{`local v = occ:get(p.k) if not v then occ:set(p.k, p.x) elseif p.x % 4 == 0 then occ:move(p.k, p.k + 1) end sum = sum + occ:count()`, true},
		{`if not occ:get(e) then occ:set(e, { p.x }) else sum = sum + occ:get(e)[1] end`, true},
		{`local o = Occ.new() o:set(1, p.x) sum = sum + o:get(1) + o:count()`, false},
		{`sum = sum + lazy:twice(p.x) text = lazy:other()`, false},
		{`sum = sum + lazy:twice(p.x)`, false},
		{`if p.x == 40 and frame == 3 then Occ.get = function(self, k) return 5 end end sum = sum + (occ:get(p.k) or 0)`, false},
		{`if p.x == 40 and frame == 3 then brains.novice = function(x) return -x end end sum = sum + (brains[1](p.x, p.k) or 0)`, false},
		{`if p.x == 40 and frame == 3 then occ.get = function(self, k) return 6 end end sum = sum + (occ:get(p.k) or 0)`, false},
		{`if p.x == 40 then setmetatable(brains, nil) end local b = brains[p.k] if b then sum = sum + b(p.x, p.k) end`, false},
		{`local ok, err = pcall(brains[p.k], nil, p.k) if not ok then sum = sum + 1 end`, false},
		{`local think = brains[p.k] if p.x > 70 then think = steps[1] end sum = sum + (think(p.x, p.k) or 0)`, false},
		{`for i = 1, 3 do local step = steps[i] sum = sum + step(p.x, p.k) end`, true},
		{`local function call(f, x) return f(x, 2) end sum = sum + call(steps[p.k % 3 + 1], p.x)`, false},
		{`local a, b = steps[1], steps[p.k % 3 + 1] sum = sum + a(b(p.x, p.k), 1)`, false},
		{`p.x = functions[p.x > 9 and "a" or "c"](p.x) functions.b(1)`, false},
		{`sum = sum + math.max(functions[p.x > 9 and "a" or "c"](p.x), functions.b(1))`, false},
		{`sum = sum + steps[p.k % 3 + 1](steps[(p.k + 1) % 3 + 1](p.x, 1), 2)`, true},
		{`local think = p.k < 3 and brains[p.k] sum = sum + (think and think(p.x, 1) or 0)`, false},
	} {
		source := strings.Replace(elementSource, "BODY", c.body, 1)
		sameCompiled(t, source, c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left == 0 && did.Machine+did.Closures >= 350
		})
	}
}
