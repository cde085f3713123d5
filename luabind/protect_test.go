package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// protectedBodies are loops that catch errors and raise them.
var protectedBodies = []string{
	`for e, p in world:each("P") do local ok, err = pcall(function() p.x = p.x + nums[p.k] end) if not ok then print(err) p.u = 0 end sum = sum + p.x end`,
	`local function half(x) if x > 70 and x < 73 then error("too far: " .. x) end return x / 2, x end for e, p in world:each("P") do local ok, a, b = pcall(half, p.x) if ok then sum = sum + a + b else print(a) end end`,
	`local function half(x) if x > 70 and x < 73 then error({ x = x }) end return x / 2 end for e, p in world:each("P") do local ok, a = pcall(half, p.x) if ok then sum = sum + a else sum = sum - a.x end end`,
	`for e, p in world:each("P") do if pcall(error, "x") then sum = sum + 1 end end`,
	`for e, p in world:each("P") do if p.k > 3 then error("k is " .. p.k) end sum = sum + p.x end`,
	`local function must(v) return v or error("missing", 2) end for e, p in world:each("P") do sum = sum + must(nums[p.k]) end`,
	`for e, p in world:each("P") do local v = nums[p.k] or error("no number for " .. e) sum = sum + v end`,
	`for e, p in world:each("P") do pcall(function() world:send("Out", { n = p.x }) p.u = p.u + p.k end) sum = sum + p.u end`,
	`for e, p in world:each("P") do local ok, err = xpcall(function() return nums[p.k] * 2 end, function(m) return "handled: " .. m end) if ok then sum = sum + err else print(err) end end`,
	`local function mul(a, b) return a * b end for e, p in world:each("P") do local ok, v = xpcall(mul, print, p.x, nums[p.k]) if ok then sum = sum + v end end`,
	`local function all(...) return select("#", ...), ... end for e, p in world:each("P") do sum = sum + select(2, pcall(all, p.x, p.k)) + select("#", pcall(all, p.x, p.k)) end`,
	`local function try(f, ...) local ok, v = pcall(f, ...) if ok then return v end return -1 end for e, p in world:each("P") do sum = sum + try(function(a, b) return a + nums[b] end, p.x, p.k) + try(math.floor, p.x / 2) end`,
	`for e, p in world:each("P") do local ok = pcall(function() if p.k > 3 then error() end last = p.x end) flag = ok end`,
	`for e, p in world:each("P") do local ok, v = pcall(math.sqrt, nums[p.k]) if ok then sum = sum + v end local t, u = pcall(tostring, p.x) text = u end`,
	`local log = {} for e, p in world:each("P") do local ok, err = pcall(function() if p.k > 3 then error("far", 0) end end) if not ok then log[#log + 1] = err end end print(#log, log[1])`,
	`for e, p in world:each("P") do local ok, a = pcall(function() local ok, b = pcall(function() return nums[p.k] + 1 end) return ok and b or error("inner") end) if ok then sum = sum + a else print(a) end end`,
	`for e, p in world:each("P") do pcall(print, p.x) sum = sum + 1 end`,
	`for e, p in world:each("P") do local ok, err = pcall(nil) sum = sum + (ok and 1 or 2) text = err end`,
	`for e, p in world:each("P") do local t = { pcall(function() return p.x, nums[p.k] end) } sum = sum + #t + t[2] end`,
	`local C = {} C.__index = C function C:hit(n) self.n = self.n + nums[n] return self.n end local o = setmetatable({ n = 0 }, C) for e, p in world:each("P") do local ok, v = pcall(o.hit, o, p.k) if ok then sum = sum + v end end`,
	`for hit in world:read("Hit") do local ok, err = pcall(function() sum = sum + nums[hit.k] end) if not ok then print(err) end end`,
}

// Loops with pcall and error do in kernels what they do interpreted, whichever rows raise errors.
func TestProtectedCallsAlike(t *testing.T) {
	t.Parallel()
	interpreted := 0
	for i, body := range protectedBodies {
		ran := 0
		did := patternsAlike(t, i, body, exitSource)
		ran += did.Machine + did.Closures
		if ran < 100*patternsTried() {
			t.Logf("no kernel: %s", body)
			interpreted++
		}
	}
	if interpreted > 2 && effort.More() { // else there are few patterns, some of which leave all rows
		t.Errorf("%d loops are interpreted", interpreted)
	}
}
