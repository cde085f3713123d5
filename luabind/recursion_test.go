package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// recursionTree makes a tree of the entities of the loops below, once: each has two sources in the relation ChildOf.
const recursionTree = `local ids = {} for e in world:each("P") do coroutine.running() ids[#ids + 1] = e end
  if not conf.built then conf.built = true for i = 2, #ids do world:relate(ids[i], "ChildOf", ids[math.floor(i / 2)]) end end
  local tree = { v = 1, { v = 2, { v = 3 }, { v = 4, { v = 5 } } }, { v = 6 } }
  local bin = { v = 4, l = { v = 2, l = { v = 1 }, r = { v = 3 } }, r = { v = 8, l = { v = 6 } } }
  `

// recursionSource is a script with a loop and the tree, in a world with a grid.
func recursionSource(body, pattern, call string) string {
	const grid = `ecs.grid("g", { component = "P", x = "x", y = "k", cell = 4 }) `
	return strings.Replace(exitSource(recursionTree+body, pattern, call), `ecs.tag("red")`, grid+`ecs.tag("red")`, 1)
}

// recursions are functions that call themselves, and loops that call them.
var recursions = []string{
	`local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end for e, p in world:each("P") do sum = sum + fact(p.x % 7) p.u = fact(p.k) % 200 end`,
	`local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end for e, p in world:each("P") do p.x = p.x + fib(p.x % 8) sum = sum + p.x end`,
	`local function gcd(a, b) if b == 0 then return a end return gcd(b, a % b) end for e, p in world:each("P") do sum = sum + gcd(math.floor(p.x), p.k * 6) end`,
	`local even, odd function even(n) if n == 0 then return true end return odd(n - 1) end function odd(n) if n == 0 then return false end return even(n - 1) end for e, p in world:each("P") do if even(p.k) then sum = sum + 1 else p.x = p.x + 1 end end`,
	`local function total(world, e) local p = world:get(e, "P") local s = p.x for child in world:sources("ChildOf", e) do s = s + total(world, child) end p.x = p.x + 1 return s end for e, p in world:each("P") do if p.k == 2 then sum = sum + total(world, e) end p.u = p.u - 1 end`,
	`local function total(world, e, deep) local s = nums[world:get(e, "P").k] for child in world:sources("ChildOf", e) do local q = world:get(child, "Q") q.y = q.y + deep s = s + total(world, child, deep + 1) q.y = q.y + s end return s end for e, p in world:each("P") do if p.x > 140 then sum = sum + total(world, ids[70 + p.k], 0) end p.x = p.x + 1 end`,
	`local function move(world, e, v) for child in world:sources("ChildOf", e) do local w = world:get(child, "P") w.x = v.x + 1 v.x = v.x + 0.25 move(world, child, w) w.x = w.x + v.x end end for e, p in world:each("P") do if p.k == 3 then move(world, e, p) end if not nums[p.k] then up = up + 1 end end`,
	`local function depth(t) if not t then return 0 end return 1 + math.max(depth(t.l), depth(t.r)) end for e, p in world:each("P") do sum = sum + depth(bin) bin.r.r = p.k == 2 and { v = p.x } or nil end`,
	`local function find(t, v) if t == nil or t.v == v then return t end if v < t.v then return find(t.l, v) end return find(t.r, v) end for e, p in world:each("P") do local t = find(bin, p.k * 2) if t then t.n = (t.n or 0) + 1 sum = sum + t.n end end`,
	`local function add(t, v) if not t then return { v = v } end if v < t.v then t.l = add(t.l, v) else t.r = add(t.r, v) end return t end local root for e, p in world:each("P") do root = add(root, (p.x * 7) % 31) end local function show(t) return t and show(t.l) .. t.v .. "," .. show(t.r) or "" end print(show(root))`,
	`local function power(t, from) local s = t.v for i, c in ipairs(t) do s = s + power(c, s) * i end return s + from end for e, p in world:each("P") do sum = sum + power(tree, p.x) if nums[p.k] then tree[1].v = tree[1].v + nums[p.k] end end`,
	`local function visit(t, out) out[#out + 1] = t.v for k, c in pairs(t) do if type(c) == "table" then visit(c, out) end end return out end for e, p in world:each("P") do local l = visit(tree, {}) sum = sum + #l + l[3] p.x = p.x + l[#l] + nums[p.k] end`,
	`local grid = {} for i = 1, 25 do grid[i] = i % 3 end local function flood(i, from, to) if i < 1 or i > 25 or from == to or grid[i] ~= from then return 0 end grid[i] = to return 1 + flood(i - 1, from, to) + flood(i + 1, from, to) + flood(i - 5, from, to) + flood(i + 5, from, to) end for e, p in world:each("P") do local i = math.floor(p.x) % 25 + 1 sum = sum + flood(i, grid[i], p.k + 3) if p.x > 100 then sum = sum + nums[p.k] end end print(table.concat(grid, " "))`,
	`local calls = 0 local function count(n) calls = calls + 1 if n > 0 then count(n - 1) calls = calls + n end end for e, p in world:each("P") do count(p.k) sum = sum + nums[p.k] + calls end print(calls)`,
	`local function say(n) if n == 0 then return "z" end return say(n - 1) .. n end for e, p in world:each("P") do text = say(p.k) sum = sum + #text end`,
	`local function deep(n) if n > 0 then return deep(n - 1) + 1 end return 0 end for e, p in world:each("P") do sum = sum + deep(p.x > 146 and 100 + p.x or p.k) end`,
	`local function endless(n) return endless(n + 1) + 1 end for e, p in world:each("P") do if p.x == 75 then p.u = endless(1) end p.x = p.x + 1 end`,
	`local function fail(n) if n == 0 then return nil + 1 end return fail(n - 1) end for e, p in world:each("P") do p.x = p.x + 1 if p.k > 3 and p.x > 60 then fail(4) end end`,
	`local function bad(n, t) if n == 0 then return t.a.b end return bad(n - 1, t) end for e, p in world:each("P") do p.x = p.x + 1 up = up + 1 if p.x % 70 == 0 then sum = sum + bad(3, tree) end end`,
	`local function roll(n) local r = ecs.random() if r < 0.4 or n == 0 then return r end return r + roll(n - 1) + ecs.random() end for e, p in world:each("P") do p.x = roll(p.k) world:send("Out", { n = p.x }) if nums[p.k] then sum = sum + p.x end end`,
	`local function mark(world, e, n) world:tag(e, "red") if n > 0 then for c in world:sources("ChildOf", e) do mark(world, c, n - 1) break end world:untag(e, "red") end end for e, p in world:each("P") do mark(world, e, p.k % 3) if nums[p.k] then sum = sum + (world:tagged(e, "red") and 1 or 0) end end`,
	`local function first(world, e, n) if n == 0 then return e end for c in world:sources("ChildOf", e) do local f = first(world, c, n - 1) if f then return f end end return nil end for e, p in world:each("P") do local f = first(world, e, p.k % 3) if f then local q = world:get(f, "Q") q.y = q.y + 1 sum = sum + q.y end end`,
	`local Tree = {} Tree.__index = Tree function Tree.new(v) return setmetatable({ v = v, kids = {} }, Tree) end function Tree:insert(v) local i = v % 2 + 1 if self.kids[i] then self.kids[i]:insert((v - v % 2) / 2) else self.kids[i] = Tree.new(v) end end function Tree:sum() local s = self.v for i = 1, 2 do if self.kids[i] then s = s + self.kids[i]:sum() end end return s end local root = Tree.new(1) for e, p in world:each("P") do root:insert(p.k * 3 + math.floor(p.x) % 16) if p.x > 140 then sum = sum + root:sum() end end print(root:sum())`,
	`local function each(t, f, n) f(t, n) for _, c in ipairs(t) do each(c, f, n + 1) end end for e, p in world:each("P") do each(tree, function(t, n) sum = sum + t.v * n p.x = p.x + n end, p.k) end`,
	`local function opt(n, x) if n == 0 then return x or 7 end return opt(n - 1, n == 2 and x or nil) end for e, p in world:each("P") do sum = sum + opt(p.k % 4, p.x) + opt(2) end`,
	`local function kind(n) if n == 0 then return "s" elseif n == 1 then return 1 elseif n == 2 then return true end return kind(n - 3) end for e, p in world:each("P") do local k = kind(p.k) last = k if k == 1 then sum = sum + 1 end end`,
	`local function walk(world, e) local n = 0 for f, q in world:each("Q", "R") do n = n + 1 if n > 2 then break end end for c in world:sources("ChildOf", e) do n = n + walk(world, c) end return n end for e, p in world:each("P") do if p.x > 120 then sum = sum + walk(world, e) end end`,
	`local function a(n) local x = n * 2 if n > 0 then local function b(m) if m > 0 then return b(m - 1) + x end return a(n - 1) end return b(2) + x end return 1 end for e, p in world:each("P") do sum = sum + a(p.k) end`,
	`local best local function scan(world, e) local p = world:get(e, "P") if not best or p.x > best.x then best = p end for c in world:sources("ChildOf", e) do scan(world, c) best.x = best.x + 1 end p.x = p.x + 2 end for e, p in world:each("P") do best = nil if p.x > 130 then scan(world, ids[p.k + 60]) sum = sum + best.x end end`,
	`for e, p in world:each("P") do local best, n = nil, 0 local function scan(world, e) local p = world:get(e, "P") n = n + 1 if not best or p.x > best.x then best = p end for c in world:sources("ChildOf", e) do scan(world, c) best.x = best.x + 1 n = n + p.x end end if p.x > 120 then scan(world, ids[p.k + 60]) sum = sum + best.x + n end end`,
	`local function spend(n) res.total = res.total + n res.steps = res.steps + 1 if n > 0 then spend(n - 1) res.total = res.total - up end up = up + 1 end for e, p in world:each("P") do spend(p.k) end`,
	`local low local function least(t) for _, c in ipairs(t) do least(c) if not low or c.v < low then low = c.v end end return low end for e, p in world:each("P") do tree[1].v = p.k low = nil sum = sum + least(tree) + nums[p.k] end`,
	`local function up_to(world, e, n) local parent = world:related(e, "ChildOf") if not parent or n == 0 then return e end return up_to(world, parent, n - 1) end for e, p in world:each("P") do local root = up_to(world, e, p.k) local q = world:get(root, "Q") q.y = q.y + p.x end`,
	`local function copy(t) if type(t) ~= "table" then return t end local c = {} for k, v in pairs(t) do c[k] = copy(v) end return c end local l = {} for e, p in world:each("P") do if p.x % 10 == 0 then l[#l + 1] = copy(tree) l[#l].v = p.x end sum = sum + nums[p.k] end for i = 1, #l do sum = sum + l[i].v + l[i][1].v end`,
	`local function search(world, e, x, seen) seen[#seen + 1] = e local p, q = world:get(e, "P"), world:get(e, "Q") if p.x == x then return q end for c in world:sources("ChildOf", e) do local f = search(world, c, x, seen) if f then p.u = p.u - 1 return f end end end for e, p in world:each("P") do if p.x > 146 then local seen = {} local q = search(world, ids[2], p.x % 80, seen) if q then q.y = q.y + #seen end sum = sum + #seen end end`,
	`local function grow(world, n) if n > 0 then local f = world.commands:spawn{ Q = { y = n } } world.commands:set(f, "P", { x = n, k = 1 }) grow(world, n - 1) world:send("Out", { n = n }) end end for e, p in world:each("P") do if p.x % 50 == 0 then grow(world, p.k) end sum = sum + nums[p.k] end`,
	`local Quad = {} Quad.__index = Quad function Quad.new(x, size) return setmetatable({ x = x, size = size, points = {}, n = 0 }, Quad) end function Quad:place(v) self.kids[v.x < self.x and 1 or 2]:insert(v) end function Quad:insert(v) self.n = self.n + 1 if self.kids then self:place(v) elseif #self.points < 4 or self.size < 1 then table.insert(self.points, v) else self:split(v) end end function Quad:split(v) local h = self.size / 2 self.kids = { Quad.new(self.x - h, h), Quad.new(self.x + h, h) } local old = self.points self.points = {} for _, q in ipairs(old) do self:place(q) end self:place(v) end
  function Quad:ask(x, r, out) out = out or {} if x + r < self.x - self.size * 2 or x - r > self.x + self.size * 2 then return out end for _, q in ipairs(self.points) do if (q.x - x) ^ 2 < r * r then out[#out + 1] = q end end if self.kids then for _, kid in ipairs(self.kids) do kid:ask(x, r, out) end end return out end
  function Quad:pull(x) if self.n == 0 then return 0, 0 end if not self.kids then local f = 0 for _, q in ipairs(self.points) do f = f + q.x - x end return f, #self.points end local a, b = 0, 0 for _, kid in ipairs(self.kids) do local c, d = kid:pull(x + 1) a, b = a + c, b + d end return a, b end
  local root = Quad.new(75, 75) for e, p in world:each("P") do root:insert({ x = p.x % 150, e = e }) sum = sum + (nums[p.k] or 1) end for e, p in world:each("P") do local hits = root:ask(p.x % 150, p.k * 3) table.sort(hits, function(a, b) return a.x > b.x or a.x == b.x and a.e < b.e end) local fx, n = root:pull(p.x) p.x = p.x + fx / 1e6 sum = sum + #hits + n if hits[1] then conf.n = hits[1].x end end`,
	`local function minmax(t) local lo, hi = t.v, t.v for _, c in ipairs(t) do local a, b = minmax(c) lo, hi = math.min(lo, a), math.max(hi, b) end return lo, hi end for e, p in world:each("P") do tree[1].v = p.x local lo, hi = minmax(tree) sum = sum + hi - lo + (nums[p.k] or 1) end`,
	`local function split(n) if n < 2 then return n, "leaf", n == 1 end local a, kind = split(n - 1) local b, other, one = split(n - 2) return a + b, kind .. #other, one end for e, p in world:each("P") do local n, kind, one = split(p.x % 7) sum = sum + n text = kind flag = one if one then up = up + 1 end end`,
	`local function tail(n, a, b) if n == 0 then return a, b end return tail(n - 1, b, a + n) end for e, p in world:each("P") do local a, b = tail(p.k, 1, p.x) sum = sum + a * 2 + b p.x = p.x + (tail(p.k, b, 0)) end`,
	`local function seek(t, v) for i, c in ipairs(t) do if c.v == v then return c, i end local found, at = seek(c, v) if found then return found, at end end end for e, p in world:each("P") do local t, at = seek(tree, p.k + 2) if t then t.n = (t.n or 0) + at sum = sum + t.n + p.k end up = up + 1 end`,
	`local one, two function one(n, x) if n <= 0 then return x, 1, 2 end return two(n - 1, x + 1) end function two(n, x) if n % 3 == 0 then return x end return one(n - 1, x * 2) end for e, p in world:each("P") do local a, b, c = one(p.k + 3, p.x % 5) sum = sum + a last = b if c then up = up + c end local d, f = two(p.k, 2) if f then sum = sum + f end sum = sum + d end`,
	`local function spread(world, e, n) local p = world:get(e, "P") local s, many = p.x, 0 if n == 0 then return s end for f, q, r in world:each("Q", "R") do q.y = q.y + 1 s = s + q.y + spread(world, f, n - 1) q.y = q.y - 0.5 r.z = r.z + s many = many + 1 if many > 2 then break end end p.x = p.x + 1 return s end for e, p in world:each("P") do tree[1].v = p.k sum = sum + spread(world, e, p.k % 3) up = up + (nums[p.k] or 0) end`,
	`local function infect(world, e, n, deep) local p = world:get(e, "P") p.u = (p.u + 1) % 200 local found = 0 for other, d2 in world:near("g", p.x, p.k, 1.5) do found = found + 1 + d2 local q = world:get(other, "Q") q.y = q.y + found if n > 0 then found = found + infect(world, other, n - 1, deep + 1) end q.y = q.y + d2 if found > 1e5 then break end end return found end for e, p in world:each("P") do tree[1].v = p.k sum = sum + infect(world, e, p.k % 3, 0) if p.k > 3 then sum = sum + nums[p.k] end end`,
	`local function weigh(t) local kids = {} for i, c in ipairs(t) do kids[i] = c end table.sort(kids, function(a, b) return weigh(a) < weigh(b) end) local s = t.v for i, c in ipairs(kids) do s = s + i * weigh(c) end return s end for e, p in world:each("P") do tree[1].v = p.x % 20 sum = sum + weigh(tree) + nums[p.k] end`,
	`local A, B = {}, {} A.__index = A B.__index = B function A:size(n) local s = 1 for _, c in ipairs(self) do s = s + c:size(n + 1) end return s + n end function B:size(n) return self[1] and self[1]:size(n) + self.v or self.v end local t = setmetatable({ setmetatable({ v = 2, setmetatable({}, A) }, B), setmetatable({ v = 5 }, B), setmetatable({}, A) }, A) for e, p in world:each("P") do t[2].v = p.k sum = sum + t:size(0) + (nums[p.k] or 0) end`,
	`local N = {} N.__index = N function N:visit(f, n) f(self, n) if self.l then self.l:visit(f, n + 1) end if self.r then self.r:visit(f, n + 1) end return self end for e, p in world:each("P") do bin.r.r = p.k == 2 and { v = p.x } or nil end local function class(t) if t then setmetatable(t, N) class(t.l) class(t.r) end end class(bin) for e, p in world:each("P") do local s = 0 local same = bin:visit(function(t, n) s = s + t.v * n t.n = (t.n or 0) + 1 end, p.k) sum = sum + s + same.n end`,
	`local function reach(world, e, x, n) local s = 0 for o, d2 in world:near("g", x, 2, 3) do s = s + d2 if n > 0 and o ~= e then s = s + reach(world, o, x + 1, n - 1) end end return s end for e, p in world:each("P") do if p.x % 9 == 1 then sum = sum + reach(world, e, p.x, 1) end end`,
	`local function crowd(world, e, n) local p = world:get(e, "P") if not p then return 0 end local s = 0 for o in world:near("g", p.x, p.k, 2) do if o > e then s = s + 1 + (n > 0 and crowd(world, o, n - 1) or 0) end end return s end for e, p in world:each("P") do p.u = crowd(world, e, 2) % 200 sum = sum + p.u end`,
}

// Functions that call themselves do in kernels what they do in the interpreter, whichever rows are left to the interpreter.
func TestRecursionsAlike(t *testing.T) {
	t.Parallel()
	for i, body := range recursions {
		ran := 0
		did := patternsAlike(t, i, body, recursionSource)
		ran += did.Machine + did.Closures
		if ran < 300*patternsTried() && !testing.Short() && !strings.Contains(body, "flood") {
			t.Errorf("kernels ran %d rows: %s", ran, body)
		}
	}
}

// A recursionMaker makes random functions that call themselves.
type recursionMaker struct {
	*rand.Rand
	outer bool // the function f, which calls g, too
}

// pick returns one of some texts.
func (m recursionMaker) pick(list ...string) string { return list[m.IntN(len(list))] }

// value is an expression of numbers. calls is how many calls of the function may be in it.
func (m recursionMaker) value(calls int) string {
	switch m.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", m.value(calls), m.pick("+", "-", "*"), m.value(0))
	case 1:
		if calls > 0 {
			call := m.pick("f(n - 1, x)", "f(n - 1, x + 1)", "f(n - 2, y)", "g(n - 1, x)", "f(n - 1, n)", "(f(n - 1, x % 3))")
			if !m.outer {
				return strings.ReplaceAll(call, "f(", "g(")
			}
			return call
		}
	case 2:
		return m.pick("up", "p0.x", "nums[2]", "v", "nums[y]")
	}
	return m.pick("n", "x", "y", "1", "0.5")
}

// statement is a statement of a function.
func (m recursionMaker) statement(depth int) string {
	switch k := m.IntN(18); {
	case k == 0 && depth > 0:
		return fmt.Sprintf("if %s %s %s then %s else %s end", m.value(1), m.pick("<", "==", ">="), m.value(0), m.statement(depth-1), m.statement(depth-1))
	case k == 1 && depth > 0:
		return fmt.Sprintf("for i = 1, 2 do local v = i %s %s end", m.statement(depth-1), m.statement(depth-1))
	case k == 2 && depth > 0:
		return fmt.Sprintf("for c in world:sources('ChildOf', ids[%s]) do local q = world:get(c, 'Q') %s q.y = q.y + y break end", m.pick("1", "2", "40"), m.statement(depth-1))
	case k == 3 && depth > 0:
		return fmt.Sprintf("for i, c in ipairs(tree) do local v = c.v %s c.v = c.v + y end", m.statement(depth-1))
	case k == 4 && depth > 0:
		return fmt.Sprintf("for k, v in pairs(list2) do %s y = y + v end", m.statement(depth-1))
	case k == 5:
		return fmt.Sprintf("local q = world:get(ids[%s], 'P') q.x = q.x + 1 y = y + %s q.x = q.x - y", m.pick("3", "5", "1"), m.value(1))
	case k == 6:
		return fmt.Sprintf("up = up + %s", m.value(0))
	case k == 7:
		return fmt.Sprintf("local t = { v = %s } y = y + t.v", m.value(1))
	case k == 11 && depth > 0:
		return fmt.Sprintf("for c, q in world:each('Q', 'R') do local v = q.y %s q.y = q.y + y %% 3 if q.y %% 4 < 2 then break end end", m.statement(depth-1))
	case k == 12 && depth > 0:
		return fmt.Sprintf("for c, d in world:near('g', %s, 2, 2) do local v, q = d, world:get(c, 'Q') %s q.y = q.y + y %% 3 if q.y %% 4 < 2 then break end end", m.pick("7", "x", "n"), m.statement(depth-1))
	case k == 13:
		call := "g"
		if m.outer {
			call = m.pick("f", "g")
		}
		return fmt.Sprintf("local a, b = %s(n - 1, x) y = y + a + (b or 2)", call)
	case k == 14 && depth > 0:
		return fmt.Sprintf("table.sort(list2, function(a, b) local v = a %s return a > b end)", m.statement(0))
	case k == 8:
		return "v = v + 1 p0.x = p0.x + v"
	case k == 9 && depth < 2:
		return fmt.Sprintf("if y > 20 then return %s%s end", m.value(1), m.pick("", "", ", y"))
	case k == 10:
		return fmt.Sprintf("local z = %s y = z + %s", m.value(1), m.value(1))
	}
	return fmt.Sprintf("y = %s", m.value(1))
}

// source is a loop with functions that call themselves.
func (m recursionMaker) source() string {
	body := func() string { // m.outer may change between two calls
		return fmt.Sprintf("if n <= 0 or deep > 60 then return %s end deep = deep + 1 local y = %s %s %s %s return %s", m.pick("x", "1", "n", "x", "nums[n + 3]"), m.pick("1", "x", "n"), m.statement(2), m.statement(2), m.statement(1), m.value(2))
	}
	inner := body()
	m.outer = true
	return fmt.Sprintf(`local v, p0, deep, list2 = 0, { x = 1 }, 0, { 1, 2, a = 3 }
  local function g(n, x) %s end
  local function f(n, x) %s end
  for e, p in world:each("P") do deep = 0 if p.k < 9 then p.x = f(p.k, p.x %% 7) else up = up + g(2, p.u) up = up + nums[p.k] end if p.x ~= p.x or p.x > 1e6 or p.x < -1e6 then p.x = 1 end end
  up, sum = up %% 1000, p0.x`, inner, body())
}

// Random functions that call themselves do in kernels what they do in the interpreter.
func TestRandomRecursions(t *testing.T) {
	t.Parallel()

	ran, tried := 0, effort.Of(90)
	for i := range tried {
		m := recursionMaker{Rand: rand.New(rand.NewPCG(uint64(i), 7))}
		name, body := patternNames[i%len(patternNames)], m.source()
		source := recursionSource(body, exitPatterns[name], exitCalls[i%len(exitCalls)])
		did := exitsAlike(t, fmt.Sprint(i, " ", name), source)
		ran += did.Machine + did.Closures
	}
	if ran < 150*tried && !testing.Short() { // -short: too few patterns, some of which leave all rows
		t.Errorf("the test tests little: kernels ran %d rows in %d loops", ran, tried)
	}
	t.Logf("%d rows in %d loops", ran, tried)
}
