package luabind

import (
	"slices"
	"testing"
)

// varargs are loops that call functions with `...`.
var varargs = []string{
	`local function add(...) local s = 0 for i = 1, select("#", ...) do s = s + (select(i, ...)) end return s end for e, p in world:each("P") do sum = sum + add(p.x, p.k) + add() + add(1, p.x, 2) end`,
	`local function add(...) local s = 0 for i = 1, select("#", ...) do local v = select(i, ...) if v then s = s + v end end return s end for e, p in world:each("P") do sum = sum + add(p.x, nums[p.k], p.k) end`,
	`local function add(...) local s = 0 for _, v in ipairs({ ... }) do s = s + v end return s end for e, p in world:each("P") do sum = sum + add(p.x, p.k, 3) p.x = add(sum, 1) end`,
	`local function add(...) local s = 0 for _, v in ipairs({ ... }) do s = s + v end return s end for e, p in world:each("P") do sum = sum + add(p.x, nums[p.k], 3) end`,
	`local function low(...) return math.min(...) end local function span(...) return math.max(...) - low(...) end for e, p in world:each("P") do sum = sum + span(p.x, p.k, 7) + span(p.x) end`,
	`local function swap(...) local a, b = ... return b, a end for e, p in world:each("P") do local x, y = swap(p.x, p.k) sum = sum + x p.x = y local u, v = swap(p.x) last = v if u then sum = sum + u end end`,
	`local function count(...) return select("#", ...) end local function two() return 1, 2 end for e, p in world:each("P") do sum = sum + count() + count(nil) + count(nil, nil, p.x) + count(two()) + count(p, two()) + count((two())) end`,
	`local function count(...) return select("#", ...) end local function maybe(x) if x > 70 then return x, x end return x end for e, p in world:each("P") do sum = sum + count(maybe(p.x)) end`,
	`local function pass(f, ...) return f(...) end local function mul(a, b) return a * b end for e, p in world:each("P") do sum = sum + pass(mul, p.x, p.k) + pass(math.sqrt, p.x) end`,
	`local function rest(a, ...) if select("#", ...) == 0 then return a end return ... end for e, p in world:each("P") do local a, b = rest(p.x, p.k, 4) sum = sum + a + b + rest(p.x) end`,
	`local function last(...) local n = select("#", ...) return (select(n, ...)), (select(-1, ...)), select(2, ...) end for e, p in world:each("P") do local a, b, c, d = last(p.x, p.k, 5) sum = sum + a + b + c + d end`,
	`local function pick(i, ...) return (select(i, ...)) end for e, p in world:each("P") do sum = sum + pick(p.k, 10, 20, p.x) end`,
	`local function pick(i, ...) local v = select(i, ...) return v end for e, p in world:each("P") do local v = pick(p.k, 10, "ten", p.x > 50) text = tostring(v) end`,
	`local function pick(i, ...) return (select(i, ...)) end for e, p in world:each("P") do if p.x == 60 then sum = sum + pick(-1, 1, 2) + pick(0, 3) end end`,
	`local function say(fmt, ...) text = string.format(fmt, ...) end for e, p in world:each("P") do say("%d", p.k) say("none") say("%s %s", p.x, "b") end`,
	`local function note(...) print("note", ...) end for e, p in world:each("P") do if p.k < 4 then note(p.x, e) note() end end`,
	`local function packed(...) return { n = select("#", ...), ... } end local held = {} for e, p in world:each("P") do local t = packed(p.x, p.k) sum = sum + t.n + #t + t[1] held[#held + 1] = packed(e, "x") end print(#held, held[1][2], held[9].n)`,
	`local function list(...) local t = { ... } return #t, t[1] end for e, p in world:each("P") do local n, x = list(p.x, p.k, 3) sum = sum + n + x end`,
	`local function list(...) local t, s = { ... }, 0 for i = 1, #t do s = s + t[i] end return s end for e, p in world:each("P") do sum = sum + list(p.x, p.k, 3) end`,
	`local function join(sep, ...) return table.concat({ ... }, sep) end for e, p in world:each("P") do text = join(",", p.k, "a", p.x) end`,
	`local C = {} C.__index = C function C.new(...) local o = setmetatable({}, C) o:init(...) return o end function C:init(a, b, ...) self.a, self.b, self.n = a, b, select("#", ...) end for e, p in world:each("P") do local o = C.new(p.x, p.k, 1, 2) sum = sum + o.a + o.b + o.n end`,
	`local V = {} V.__index = V local function vec(...) return setmetatable({ ... }, V) end function V:len() return math.sqrt(self[1] * self[1] + self[2] * self[2]) end for e, p in world:each("P") do sum = sum + vec(p.x, p.k):len() end`,
	`local A = {} A.__index = A function A.new(class, ...) local o = setmetatable({}, class) o.v = class.start(...) return o end function A.start(x, y) return x + (y or 1) end for e, p in world:each("P") do sum = sum + A.new(A, p.x).v + A.new(A, p.x, p.k).v end`,
	`local M = { all = function(...) local s = 0 for i, v in ipairs({ ... }) do s = s + i * v end return s end, one = function(a) return a end } for e, p in world:each("P") do sum = sum + M.all(p.x, p.k) + M.one(p.x) end`,
	`local F = { [1] = function(...) return ... end, [2] = function(a, ...) return select("#", ...) end, [3] = function() return 3 end } for e, p in world:each("P") do local f = F[p.k] if f then sum = sum + f(p.x, p.k) end end`,
	`local function moved(dx, ...) for _, v in ipairs({ ... }) do v.x = v.x + dx end end for e, p in world:each("P") do moved(1, p) end`,
	`local function first(...) local v = ... return v.x end for e, p, q in world:each("P", "Q") do sum = sum + first(p, q) end`,
	`local function add(...) local s = 0 for i = 1, select("#", ...) do s = s + (select(i, ...)) end return s end for e, p in world:each("P") do if p.x == 60 then sum = add(1, nil, p.x) end end`,
	`local function add(...) local s = 0
  for i, v in ipairs({ ... }) do
    s = s + v
  end
  return s
end for e, p in world:each("P") do if p.x == 60 then sum = sum + add(1, "x", p.x) end sum = sum + add(p.x, p.k) end`,
	`local function old(...) return arg.n end for e, p in world:each("P") do sum = sum + old(p.x, p.k) end`,
	`local function inner(a, ...) return a + select("#", ...) end local function outer(...) return inner(...) + inner(1, ...) + inner(..., 2) end for e, p in world:each("P") do sum = sum + outer(p.x) + outer(p.x, p.k) end`,
	`local function each(f, ...) for i = 1, select("#", ...) do f((select(i, ...))) end end for e, p in world:each("P") do each(function(v) sum = sum + v end, p.x, p.k) end`,
	`local function made(...) local args = { ... } return function(x) return args[1] + x end end for e, p in world:each("P") do sum = sum + made(p.x)(2) end`,
	`local function make(...) return { a = { ... }, b = (...) } end for e, p in world:each("P") do local t = make(p.x, p.k) sum = sum + t.a[2] + t.b end`,
	`local function many(...) local t t = ... return t end for e, p in world:each("P") do last = many() sum = sum + many(p.x, 2) end`,
	`local function rep(n, ...) if n == 0 then return 0 end local s = 0 for _, v in ipairs{...} do s = s + v * n end return s end for hit in world:read("Hit") do sum = sum + rep(hit.k, hit.n, hit.n, 1) + rep(0) end`,
	`local held = { { a = 1, b = 2, c = 3 }, { a = 1, c = 3 }, { a = 4 } } for e, p in world:each("P") do local t = held[p.k] if t then for i, v in ipairs({ t.a, t.b, t.c }) do sum = sum + i * v end local l = { t.a, t.b, t.c } for i, v in ipairs(l) do sum = sum + i * v end end end`,
	`local function two(x) return x, 2 end local function list(...) return #{ ... } end for e, p in world:each("P") do local t = { p.k, two(p.x) } sum = sum + t[2] + t[3] + #{ two(1) } + #{ (two(1)) } + list(two(3)) end`,
	`local function none() end local function two(x) return x, 2 end local held = {} for e, p in world:each("P") do held[#held + 1] = { two(p.x) } held[#held + 1] = { 1, none() } end print(#held, #held[1], #held[2])`,
	`local function maybe(x) if x < 70 then return x end end local function list(...) return #{ ... } end for e, p in world:each("P") do sum = sum + #{ maybe(p.x) } end`,
	`local function count(...) return select("#", ...) end for e, p in world:each("P") do sum = sum + count(world:get(e, "R")) + select("#", world:get(e, "R")) + count(world:has(e, "R")) end`,
	`local function count(...) return select("#", ...) end for e, p in world:each("P") do sum = sum + count(world:related(e, "ChildOf")) end`,
	`local function count(...) return select("#", ...) end local list = { 1 } for e, p in world:each("P") do sum = sum + count(table.remove(list)) + count(table.remove(list)) + count(next(list)) end`,
	`local function count(...) return select("#", ...) end for e, p in world:each("P") do sum = sum + count(tonumber("x")) + count(("a"):find("b")) + count(("a"):upper()) + count(math.floor(p.x)) + count(ecs.random()) end`,
	`local function count(...) return select("#", ...) end for e, p in world:each("P") do sum = sum + count(world:first("R")) + count(world:count("R")) end`,
	`local function sends(name, ...) world:send(name, { n = (select("#", ...)) + (...) }) end for e, p in world:each("P") do sends("Out", p.x, p.k) end`,
}

// passedParts are loops that pass on parts of lists, and all values of calls.
var passedParts = []string{
	`local list = { "a", 2, "c", 4 } for e, p in world:each("P") do text = table.concat(list, ",", 2) .. table.concat(list, "", 1, 3) .. table.concat(list, "-", 3, 2) .. table.concat(list, nil, 2, nil) end`,
	`local list = { "a", 2, "c", 4 } for e, p in world:each("P") do if p.k < 4 then text = text:sub(1, 50) .. table.concat(list, ",", p.k, 3) end end`,
	`local list = { "a", 2, "c", 4 } for e, p in world:each("P") do if p.x == 60 then text = table.concat(list, ",", 3, 5) end text = table.concat(list, ",", p.x == 40 and 0.5 or 1) end`,
	`local list = { "a", 2, "c", 4 } for e, p in world:each("P") do text = table.concat(list, ",", p.x > 40 and p.x < 50 and 0 or 1) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do local a, b, c = unpack(list, 2) sum = sum + a + b + (c or 1) local d, f = unpack(list, 3, 3) sum = sum + d + (f or 2) end`,
	`local list = { 5, 6, 7 } for e, p in world:each("P") do local a, b = unpack(list, p.k - 1, 3) sum = sum + (a or 1) + (b or 2) end`,
	`local list = { 5, 6, 7 } local function three(a, b, c) return a * b + (c or 1) end for e, p in world:each("P") do sum = sum + three(unpack(list)) + three(1, unpack(list)) + three(unpack(list, 2)) + three(unpack({ p.x, p.k })) end`,
	`local function two(x) return x, 2 end local function three(a, b, c) return a * b + (c or 1) end for e, p in world:each("P") do sum = sum + three(two(p.x)) + three(1, two(p.x)) + three((two(p.x)), 1) + three(two(p.x), 1) end`,
	`local function three(a, b, c) return (a or 0) + (b or 0) + (c or 1) end for e, p in world:each("P") do sum = sum + three(("a b"):find(" ")) + three(1, ("a b"):find("c")) end`,
	`local F = { three = function(a, b, c) return a + (b or 0) + (c or 1) end, low = math.min } local list = { 5, 6, 7, 1 } for e, p in world:each("P") do local f = F[p.k == 1 and "low" or "three"] sum = sum + f(unpack(list)) end`,
	`local all = {} for e, p in world:each("P") do table.insert(all, 1, p.x) table.insert(all, #all, p.k) table.insert(all, p.k) end sum = sum + all[1] + all[2] + all[#all] + #all`,
	`local all = { 1, 2 } for e, p in world:each("P") do if p.x == 60 then table.insert(all, 0, p.x) end table.insert(all, 2, p.x) end sum = #all`,
	`local all = {} for e, p in world:each("P") do table.insert(all, { p.x, e }) table.insert(all, 1, { 0, e }) end sum = all[1][1] + all[#all][1] + #all`,
}

// Functions with `...`, and calls that pass on parts of lists, give in kernels what they give interpreted. All of these loops but a few are compiled.
func TestVarargsAlike(t *testing.T) {
	t.Parallel()
	interpreted := 0
	for i, body := range slices.Concat(varargs, passedParts) {
		ran := 0
		did := patternsAlike(t, i, body, exitSource)
		ran += did.Machine + did.Closures
		if ran < 100*patternsTried() {
			t.Logf("no kernel: %s", body)
			interpreted++
		}
	}
	if interpreted > 30 {
		t.Errorf("%d loops are interpreted", interpreted)
	}
}
