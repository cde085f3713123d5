package luabind

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// viewValues are loops that put views and events into tables and variables of the script, and read and write them there.
var viewValues = []string{
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end for _, v in ipairs(l) do sum = sum + v.x v.x = v.x + 1 end for e, p in world:each("P") do local v = l[p.k] if v then v.x = v.x + p.x v.u = v.u - 1 end end`,
	`local l = {} for e, p, q in world:each("P", "Q") do l[#l + 1] = { e = e, p = p, q = q } end for e, p in world:each("P") do for i = 1, 3 do local o = l[i] if o and o.e ~= e and o.p.x < p.x then o.q.y = o.q.y + 1 sum = sum + o.q.y end end end`,
	`local by = {} for e, p in world:each("P") do local c = by[p.k] if not c then c = {} by[p.k] = c end c[#c + 1] = p end for e, p in world:each("P") do for _, o in ipairs(by[p.k]) do if o ~= p and o.x == p.x + 1 then o.x = o.x - 0.5 end end end for k, c in pairs(by) do print(k, #c) end`,
	`local of = {} for e, p in world:each("P") do of[e] = p end for e, q in world:each("Q") do local p = of[e] if p then p.x = p.x + q.y q.y = p.x end end`,
	`local best = {} for e, p in world:each("P") do if not best.view or p.x > best.view.x then best.view = p best.e = e end end print(best.view.x, best.e)`,
	`local best, second for e, p in world:each("P") do local t = { v = p } if not best or p.x > best.x then second = best best = t.v end if second then second.x = second.x + 1 end end print(best.x, second and second.x)`,
	`local l = {} for e, p in world:each("P") do local q = world:get(e, "Q") l[#l + 1] = q or p end for e, p in world:each("P") do local o = l[p.k] if o and o ~= p then sum = sum + (o.y or 0) end end`,
	`local l = {} for e, p, q, r in world:each(some) do l[#l + 1] = { r = r, p = p } end for e, p in world:each("P") do local o = l[p.k] if o and o.r then o.r.z = o.r.z + 1 end end for _, o in ipairs(l) do if o.r then sum = sum + o.r.z end end`,
	`local seen = {} for e, p in world:each("P") do seen[p] = true if seen[p] then sum = sum + 1 end end local n = 0 for v in pairs(seen) do n = n + v.x end print(n)`,
	`local l = {} for e, p in world:each("P") do l[1] = p l[2] = p if l[1] == l[2] then sum = sum + 1 end if l[1] == p then sum = sum + 1 end if l[1] ~= 1 then sum = sum + 1 end end print(rawequal(l[1], l[2]))`,
	`for e, p in world:each("P") do local q = p.x > 20 and world:get(e, "Q") if q then q.y = q.y + 1 end if not q and p.k == 2 then p.x = p.x + 1 end local o = q or p.k == 1 and world:get(e, "P") sum = sum + (o and 1 or 0) end`,
	`for e, p in world:each("P") do local q = p.x > 20 and world:get(e, "Q") if p.x == 40 then sum = sum + (q == nil and 1 or 2) end if p.x == 10 then print(q) end if p.x == 5 then q.y = 1 end end`,
	`local function pick(p) return p.k == 1 and world:get(0, "P") end for e, p in world:each("P") do local q = pick(p) if q then sum = sum + 1 end if p.x == 9 then print(q, q == false, q == nil) end end`,
	`for e, p in world:each("P") do local m = p.k == 1 and "x" if p.k == 2 then m = nil end local v = m and world:get(e, "Q") last = v == nil if last then sum = sum + 1 end end`,
	`local flags = { true, false } for e, p in world:each("P") do local m = flags[p.k] local q = m and world:get(e, "Q") if q == nil then sum = sum + 1 elseif q == false then sum = sum + 100 else q.y = q.y + 1 end end`,
	`local on, t = { is = false }, {} for e, p in world:each("P") do local q = on.is and world:get(e, "Q") t[1] = q if q == nil then sum = sum + 1 elseif q == false then sum = sum + 100 else q.y = q.y + 1 end if p.x == 20 then on.is = nil elseif p.x == 40 then on.is = true end end print(t[1])`,
	`local function adjust(v, changes) for f, d in pairs(changes) do v[f] = v[f] + d sum = sum + d end end for e, p in world:each("P") do adjust(p, { k = 1, x = p.x * 0.5 }) local c = { 3, x = 2, 4, k = p.k } c.x = c.x + 1 for f, d in pairs(c) do c.k = c.k + 1 sum = sum + d if p.x > 200 then print(f, d) end end end`,
	`for e, p in world:each("P") do for f, d in pairs({ x = 1, k = nums[p.k] }) do sum = sum + d if f == "k" then p.k = 2 end end end`,
	`for e, p in world:each("P") do local n = p if n == p then sum = sum + 1 end local o = p.k == 2 and p or n if o ~= n then sum = sum + 100 end end`,
	`local l = {} for e, p in world:each("P") do local q = world:get(e, "P") l[1] = p l[2] = q sum = sum + (rawequal(p, q) and 1 or 2) + (rawequal(p, p) and 4 or 8) + (rawequal(l[1], p) and 16 or 32) + (rawequal(l[2], p) and 64 or 128) + (rawequal(q, l[2]) and 256 or 0) end`,
	`local of = {} for e, p in world:each("P") do of[e] = p end for e, p in world:each("P") do if rawequal(of[e], p) then sum = sum + 1 end if of[e] == p then sum = sum + 10 end if rawequal(of[e], of[e]) then sum = sum + 100 end end`,
	`local l, m = {}, {} for e, p, q in world:each("P", "Q") do l[#l + 1] = p m[e] = { p = p, q = q, n = { p, p } } end for _, p in ipairs(l) do p.x = p.x + 1 end for e, t in pairs(m) do print(rawequal(t.p, t.n[1]), t.p == l[1], t.n[2].x) t.q.y = t.p.x end`,
	`for i = 1, 2 do local l = {} for e, p, q, r in world:each(some) do if r then l[#l + 1] = { r, p } else l[#l + 1] = p end end for _, v in ipairs(l) do sum = sum + (type(v) == "table" and v[2].x or v.x) end end`,
	`local l = {} for e, p in world:each("P") do if p.x > 50 then l[#l + 1] = p end p.x = p.x + 1 end for i = #l, 1, -1 do l[i].x = l[i].x * 2 end print(#l)`,
	`local o = { list = {} } function o:add(v) self.list[#self.list + 1] = v self.last = v end for e, p in world:each("P") do o:add(p) if o.last.x > 100 then o.last.x = 100 end end print(#o.list)`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end for e, q in world:each("Q") do local a, b = l[1], l[2] if a and b then a.x, b.x = b.x, a.x q.y = a.x - b.x end end`,
	`local l = {} for e, p in world:each("P") do table.insert(l, p) end for e, q in world:each("Q") do local v = table.remove(l) if v then q.y = q.y + v.x v.x = q.y end end print(#l)`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end local k = "x" for e, q in world:each("Q") do local v = l[3] if v then v[k] = v[k] + 1 sum = sum + v["k"] end end`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end for e, q in world:each("Q") do local v = l[3] if v then v.u = v.u + 90 end end`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end for e, q in world:each("Q") do local v = l[3] if v and q.y == -30 then sum = sum + v.nope end end`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end for e, q in world:each("Q") do local v = l[3] if v and q.y == -30 then v.x = "text" end if v and q.y == -40 then v.x = nil end end`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end world:despawn(last) for e, q in world:each("Q") do for i = 1, #l do if i > 140 then l[i].x = l[i].x + 1 end end end`,
	`for e, p in world:each("P") do if p.k > 1 then world:send("Out", { n = p.x }) end end local l = {} for ev in world:peek("Out") do l[#l + 1] = ev end for e, p in world:each("P") do local ev = l[p.k] if ev then p.x = p.x + ev.n if p.x == 40 then ev.n = 1 end end end`,
	`for e, p in world:each("P") do world:send("Out", { n = p.x }) end local most, log = nil, {} for ev in world:read("Out") do if not most or ev.n > most.n then most = ev end log[ev.n] = ev end print(most and most.n, log[3] and log[3].n)`,
	`for e, p in world:each("P") do world:send("Out", { n = p.x }) end local a, b for ev in world:drain("Out") do a = ev if not b then b = ev end if a == b then sum = sum + 1 end end print(a and a.n, b and b.n, a == b)`,
	`local l = {} for e, p in world:each("P") do for f, q in world:each("Q", "R") do if q.y < -130 then l[#l + 1] = q end end end print(#l) for e, p in world:each("P") do local q = l[p.k] if q then q.y = q.y + 1 end end`,
	`local function far(a, b) return a.x - b.x > 10 end local l = {} for e, p in world:each("P") do l[#l + 1] = p if far(p, l[1]) then l[1] = p end end print(l[1].x)`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end table.sort(l, function(a, b) if a.k ~= b.k then return a.k < b.k end return a.x > b.x end) for e, q in world:each("Q") do q.y = l[1].x + l[#l].x end`,
	`local l = {} for e, p in world:each("P") do local b for i = 1, 2 do if p.k == i then b = p end end l[#l + 1] = b if b then sum = sum + b.x end end print(#l) for i = 1, #l do sum = sum + l[i].x end`,
	`local l, b0 = {} for e, p in world:each("P") do local b = p.k == 2 and p or b0 l[p] = 1 if b then l[b] = 2 end end local n = 0 for v, k in pairs(l) do n = n + v.x * k end print(n)`,
	`local l = {} for e, p in world:each("P") do local b = world:get(e, "P") if p.k == 2 then b = p elseif p.k == 3 then b = nil end l[#l + 1] = { b = b } end for i = 1, #l do local b = l[i].b if b then b.x = b.x + 1 end end`,
	`local seen = {} for e, p in world:each("P") do local b = p if p.k == 2 then b = world:get(e, "P") end seen[p] = 1 seen[b] = 2 end local n = 0 for v, k in pairs(seen) do n = n + v.x * k end print(n)`,
	`local l = {} for e, p in world:each("P") do l[#l + 1] = p end for e, p in world:each(moved) do local v = l[1] v.x = v.x + 1 p.u = p.u + 1 end for e, p in world:each(moved) do sum = sum + 1 end`,
}

// Views and events in tables and variables of the script are the same values for kernels and for the interpreter, whichever
// rows are left to the interpreter.
func TestViewValuesAlike(t *testing.T) {
	t.Parallel()
	ran := 0
	for i, body := range viewValues {
		did := patternsAlike(t, i, body, exitSource)
		ran += did.Machine + did.Closures
	}
	if ran < 1000*len(viewValues)*patternsTried() {
		t.Errorf("the test tests little: kernels ran %d rows", ran)
	}
}

// viewsOfTwoOrigins put a view into a table that is the row's in some rows, and is looked up in others.
var viewsOfTwoOrigins = []string{
	`local l = {} for e, p in world:each("P") do local v if p.k > 1 then v = world:get(e, "P") else v = p end if v then l[#l + 1] = v end end for i = 1, #l do sum = sum + l[i].x end`,
	`local l = {} for e, p in world:each("P") do local v if p.k > 1 then v = p else v = world:get(e, "P") end l[1] = v if l[1] then sum = sum + l[1].x end end`,
	`local l = {} for e, p in world:each("P") do local v = p if p.k > 1 then v = world:get(e, "P") end l[p.k] = v sum = sum + l[p.k].x end`,
	`local l = {} for e, p in world:each("P") do local v = world:get(e, "P") if not v then v = p end l[p.k] = v if l[3] then sum = sum + l[3].x end end`,
	`local l = {} for e, p in world:each("P") do local v for i = 1, p.k do if v then v = world:get(e, "P") else v = p end end l[p.k] = v if l[2] == v then sum = sum + l[2].x end end`,
}

// Loops with such views are compiled.
func TestViewsOfTwoOrigins(t *testing.T) {
	t.Parallel()
	for _, body := range viewsOfTwoOrigins {
		sameCompiled(t, exitSource(body, exitPatterns["none"], exitCalls[0]), body, func(_ Impl, did loops.Tally) bool {
			return did.Machine+did.Closures >= 450
		})
	}
}

// A valueWriter writes random loops that put views and events into the tables l, by and o and the variable v, of rows with P, Q and
// an optional R.
type valueWriter struct{ *rand.Rand }

func (r valueWriter) of(list ...string) string { return list[r.IntN(len(list))] }

// found returns an expression that may be a view, nil, or something else.
func (r valueWriter) found() string {
	return r.of("l[p.k]", "l[#l]", "l[1]", "by[p.k]", "by[e]", "o.last", "v", "v", "o.list[p.k]", "o.it and o.it.p", "world:get(e, \"P\")", "p", "keep(p)")
}

func (r valueWriter) statement(depth int) string {
	if depth < 2 && r.IntN(4) == 0 {
		otherwise := ""
		if r.IntN(2) == 0 {
			otherwise = "else " + r.block(depth+1)
		}
		cond := r.of("l[p.k]", "not v", "v and v.x > p.x", "p.k > 2", "by[e]", "o.last == p", "v ~= p", "o.last and o.last ~= v", "#l > 5", "r", fmt.Sprintf("p.x > %d", r.IntN(150)), "nums[p.k]")
		return "if " + cond + " then " + r.block(depth+1) + otherwise + " end"
	}
	f := r.found()
	return r.of("l[#l + 1] = p", "l[p.k] = p", "by[e] = p", "by[p.k] = "+f, "v = p", "v = "+f, "v = nil", "o.last = p", "o.it = { p = p, q = q }", "table.insert(o.list, p)", "o.list[#o.list + 1] = "+f,
		"local n = "+f+" if n then n.x = n.x + 1 sum = sum + n.k end", "local n = "+f+" if n and n.u < 250 then n.u = n.u + 1 end", "if o.it then o.it.q.y = o.it.q.y + p.x end", "p.x = p.x + (v and v.x * 0.25 or 1)",
		"local n = "+f+" if n == p then sum = sum + 1 end", "local n = "+f+" sum = sum + n.x", "if v and v.x > 1e6 then break end", "for _, n in ipairs(l) do sum = sum + n.x if n.k == p.k then break end end",
		"local n = table.remove(l) if n then n.x = n.x - 1 end", "world:send(\"Out\", { n = v and v.x or 0 })", fmt.Sprintf("if p.x == %d then print(p.x, v == nil, #l) end", r.IntN(150)),
		"o.r = r if o.r then o.r.z = o.r.z + 1 end", "p.u = p.u + 20", "if v then v.u = v.u + 20 end", "l[1], l[2] = l[2], l[1]", "local w = world:get(e, \"Q\") o.q = w if o.q then o.q.y = o.q.y + 1 end", "keep(p)", "seen[p] = e sum = sum + (seen[p] and 1 or 0)")
}

func (r valueWriter) block(depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(4-depth) {
		b.WriteString(r.statement(depth) + " ")
	}
	return b.String()
}

func (r valueWriter) loop() string {
	loop := `for e, p, q, r in world:each(some) do ` + r.block(0) + `end`
	if r.IntN(2) == 0 {
		loop += ` for e, p, q, r in world:each(some) do ` + r.block(0) + `end`
	}
	return `local l, by, seen, o, v = {}, {}, {}, { list = {} }
local function keep(x) o.kept = x return o.kept end
` + loop + "\nprint(v and v.x, #l, o.last and o.last.x, #o.list) for i = 1, #l do print(l[i] == l[1], l[i] and l[i].x) end for _, n in pairs(by) do sum = sum + n.x end"
}

// Random loops that put views into tables do the same with every implementation, whichever rows are left to the interpreter and
// whatever fails.
func TestViewValuesRandom(t *testing.T) {
	t.Parallel()
	ran := 0
	programs := effort.Of(600)
	for seed := range uint64(programs) {
		r := valueWriter{rand.New(rand.NewPCG(seed, 20261124))}
		pattern := r.of("false", "false", "i == 70", "i % 31 == 5", "i % 4 == 1")
		source := exitSource(r.loop(), pattern, exitCalls[r.IntN(len(exitCalls))])
		did := exitsAlike(t, "seed "+strconv.FormatUint(seed, 10), source)
		if t.Failed() {
			return
		}
		ran += did.Machine + did.Closures
	}
	if ran < 300*programs {
		t.Errorf("the test tests little: kernels ran %d rows of %d programs", ran, programs)
	}
}

// What a kernel writes through a view in a table is observed as what the script writes.
func TestViewValuesAreObserved(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"observed": `for e, q in world:each("Q") do local v = l[3] v.x = v.x + 1 end`,
	} {
		source := `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64" }) ecs.component("Q", { y = "f64" })
local sum = 0
return { init = function(world)
  for i = 1, 60 do world:spawn{ P = { x = i }, Q = { y = i } } end
  if "` + name + `" == "observed" then world:on("set", "P", function(world, e, p) sum = sum * 2 % 1000 + p.x end) end
end, update = function(world)
  local l = {}
  for e, p in world:each("P") do l[#l + 1] = p end
  ` + body + `
  print(sum, l[3].x, l[5].y)
end }`
		want, _ := exitTrace(t, source, Lua, Limits{})
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := exitTrace(t, source, impl, Limits{}); got != want {
				t.Errorf("%s, %v: got\n%.2000s\ninterpreted\n%.2000s", name, impl, got, want)
			}
		}
	}
}
