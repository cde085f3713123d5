package luabind

import (
	"testing"
)

// storedFunctions are loops that choose functions, and that call functions which they find in tables.
var storedFunctions = []string{
	`local function a(x) return x + 1 end local function b(x) return x * 2 end for e, p in world:each("P") do local f = p.k > 2 and a or b sum = sum + f(p.x) end`,
	`local function a(x) return x + 1 end local function b(x) return x, 2 end local function c() return 3 end for e, p in world:each("P") do local f = p.k > 2 and a or p.x > 40 and b or c local x, y = f(p.x) sum = sum + x + (y or 1) end`,
	`local function apply(f, x) return f(x) end local function up(x) return x + 1 end local function down(x) return nums[x % 3 + 1] - 1 end for e, p in world:each("P") do sum = sum + apply(p.k > 2 and up or down, p.x) end`,
	`local function other(q) q.x = q.x - 1 end local RULES = { { when = function(p) return p.x > 10 end, add = 1 }, { add = 2 }, { add = 3, act = function(p) p.x = p.x + nums[p.k] end } } for e, p in world:each("P") do for _, r in ipairs(RULES) do if not r.when or r.when(p) then sum = sum + r.add end if r.when and not r.when(p) then up = up + 1 end if r.act then r.act(p) end local ok = r.when and r.when(p) if ok then sum = sum + 1 end local act = r.act or other act(p) end end`,
	`for e, p in world:each("P") do local f = p.k > 3 and math.floor or math.sqrt sum = sum + f(p.x / 3) end`, // not compiled
	`local B = {} B.__index = B function B:fire(x) for _, fn in ipairs(self.list) do fn(x) end end local bus = setmetatable({ list = { function(x) sum = sum + x end, function(x) last = nums[x % 4 + 1] end } }, B) for e, p in world:each("P") do bus:fire(p.x) end`,
	`local all = { hit = { function(x) sum = sum + x end } } local function emit(name, x) local l = all[name] if l then for _, fn in ipairs(l) do fn(x) end end end for e, p in world:each("P") do emit(p.k > 3 and "miss" or "hit", p.x) end`,
	`local items = { { cb = function(x) sum = sum + x end, left = 2 }, { left = 3 } } for e, p in world:each("P") do for _, t in ipairs(items) do t.left = t.left - 1 if t.cb then t.cb(p.x) end end end`,
	`local items = { { cb = function(x) sum = sum + x end, left = 2 }, { left = 3 } } for e, p in world:each("P") do for _, t in ipairs(items) do t.left = t.left - 1 if t.left < 0 and t.cb ~= nil then sum = sum + 1 end if not t.cb then sum = sum + 2 end if t.cb == nil then sum = sum + 4 end end end`,
	`local items = { { cb = function(x) return x, nums[x % 3 + 1] end }, { cb = function(x) return 1, 2 end } } for e, p in world:each("P") do local t = items[p.k > 2 and 1 or 2] local a, b = t.cb(p.x) sum = sum + a + b end`,
	`local function make(n) return { n = n, step = function(self, x) self.n = self.n + x * n return self.n end } end local items = { make(1), make(2), make(3) } for e, p in world:each("P") do local t = items[p.k] if t then sum = sum + t.step(t, p.x) + t:step(1) end end`,
	`local items = { { cb = function(...) return select("#", ...) end }, { cb = 5 }, {} } for e, p in world:each("P") do local t = items[p.k] if t then local ok, v = pcall(function() return t.cb(p.x, 1) end) if ok then sum = sum + v else print(v) end end end`,
	`local items = {} for i = 1, 3 do items[i] = { cb = function(x) return x + i end } end for e, p in world:each("P") do if p.x == 75 then items[2].cb = function() return 0.5 end end local t = items[p.k] if t then sum = sum + t.cb(p.x) end end`,
	`local items = { { cb = function(x) return x end }, { cb = function(x) return x * 2 end } } for e, p in world:each("P") do local t = items[p.k] if p.x > 20 and p.k < 3 or p.x == 75 then sum = sum + t.cb(p.x) end end`,
	`local items = setmetatable({}, { __index = function(t, k) return { cb = function(x) return x + k end } end }) for e, p in world:each("P") do local t = items[p.k] if t.cb then sum = sum + t.cb(p.x) end end`,
	`local D = { cb = function(x) return x + 0.25 end } local items = { setmetatable({}, { __index = D }), { cb = function(x) return x end } } for e, p in world:each("P") do local t = items[p.k] if t and t.cb then sum = sum + t.cb(p.x) end end`,
}

// Functions that are chosen, or found in tables, are called in kernels as interpreted.
func TestStoredFunctionsAlike(t *testing.T) {
	t.Parallel()
	interpreted := 0
	for i, body := range storedFunctions {
		ran := 0
		did := patternsAlike(t, i, body, exitSource)
		ran += did.Machine + did.Closures
		if ran < 100*patternsTried() {
			t.Logf("no kernel: %s", body)
			interpreted++
		}
	}
	if interpreted > 4 {
		t.Errorf("%d loops are interpreted", interpreted)
	}
}
