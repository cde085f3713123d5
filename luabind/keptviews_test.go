package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// keptViews are loops that keep a view in a variable from around them, as modders look for the best, the last and the next.
var keptViews = []string{
	`local best for e, p in world:each("P") do if not best or p.x < best.x then best = p end end if best then sum = best.x best.x = best.x + 500 end`,
	`local best for e, p in world:each("P") do if best == nil then best = p elseif p.x * p.k > best.x * best.k then best = p end end print(best and best.x)`,
	`local before for e, p in world:each("P") do if before then before.x = before.x + p.x * 0.5 p.x = p.x - before.k end before = p end print(before.x)`,
	`local first, second for e, p in world:each("P") do if not first or p.x > first.x then second = first first = p end end print(first.x, second and second.x)`,
	`local best for e, p in world:each("P") do if p.k > 1 and (not best or best.x < p.x) then best = p end if nums[p.k] then sum = sum + 1 end p.u = p.u - 1 end if best then print(best.x, best.k) end`,
	`local held for e, p in world:each("P") do if held and p.k == 3 then held = nil elseif p.k == 2 then held = p end if held then sum = sum + held.x held.x = held.x + 1 end end print(held == nil)`,
	`local r0 for e, p, q, r in world:each(some) do r0 = r if r0 then r0.z = r0.z + 1 sum = sum + 1 end if r0 ~= nil and r then sum = sum + r0.z end end print(r0 == nil)`,
	`local q0 for e, p in world:each("P") do local q = world:get(e, "Q") if q and (q0 == nil or q.y < q0.y) then q0 = q end end print(q0.y)`,
	`local q0 for e, q in world:each("Q") do if not q0 or q.y < q0.y then q0 = q end local other = world:get(e, "P") if other then other.x = other.x + q0.y end end print(q0.y)`,
	`local best for e, p in world:each("P") do if p.x == 40 then sum = sum + best.x end if p.x > 20 then best = p end end`,
	`local best for e, p in world:each("P") do if p.x == 40 then best.u = best.u + 300 end if p.x > 20 then best = p end end`,
	`local best for e, p in world:each("P") do best = p p.x = p.x * 2 best.x = best.x + p.x sum = sum + p.x + best.x end print(best.x)`,
	`local best for e, p in world:each("P") do if not best then best = p end best.x = best.x + 1 if p.x > 60 then break end end print(best.x, best.u)`,
	`local best for e, p in world:each("P") do best = p if p.x > 60 then return best.x end end`,
	`local v, w for e, p in world:each("P") do if p.k == 2 then w = v end v = p if w then sum = sum + w.x end end print(w and w.x)`,
	`for i = 1, 3 do local best for e, p in world:each("P") do if not best or p.k > best.k then best = p end end if best then best.k = 0 sum = sum + best.x end end`,
	`local best for e, p in world:each(moved) do if not best or p.x > best.x then best = p end p.x = p.x + 1 end print(best and best.x)`,
	`local best for e, p in world:each("P") do for f, q in world:each("Q", "R") do if best and q.y == -best.x then sum = sum + q.y end end if nums[p.k] then best = p end end print(best.x)`,
	`local function better(a, b) return not b or a.x * a.k > b.x * b.k end local best for e, p in world:each("P") do if better(p, best) then best = p end end print(best.x)`,
	`local best, count = nil, 0 for e, p in world:each("P") do if best and best.x > p.x then count = count + 1 else best = p end world:send("Out", { n = best.x }) end print(best.x, count)`,
	`local best = world:get(0, "P") for e, p in world:each("P") do if not best or p.x > best.x then best = p end end print(best.x)`,
	`local e0 for e in world:each("P") do e0 = e end local best = world:get(e0, "P") for e, p in world:each("P") do if not best or p.x > best.x then best = p end sum = sum + best.k end print(best.x)`,
	`local e0 for e in world:each("P") do e0 = e end local best = world:get(e0, "P") for e, p in world:each("P") do if best and p.k == 2 then best = nil elseif p.k == 3 then best = p end if best then sum = sum + best.x end end print(best and best.x)`,
	`local e0 for e in world:each("P") do e0 = e end local best = world:get(e0, "P") world:despawn(e0) for e, p in world:each("P") do if best and p.x > 140 then best = p end sum = sum + 1 end print(pcall(function() return best.x end))`,
	`local held for e, p in world:each("P") do if p.k == 1 then held = nil else held = p end sum = sum + (held and 1 or 0) end print(held == nil)`,
	`local r0 for e, p, q, r in world:each(some) do r0 = r sum = sum + (r0 and 1 or 0) end print(r0 == nil)`,
	`local r0 for e, p, q, r in world:each(some) do if p.x > 140 then r0 = r elseif r then r0 = r end sum = sum + (r0 and 1 or 0) end print(r0 == nil)`,
	`for i = 1, 2 do local best for e, p in world:each("P") do if i == 2 and p.x == 10 then sum = sum + best.x end if p.x > 20 then best = p end end end`,
	`local e0 for e in world:each("P") do e0 = e end local best = world:get(e0, "P") for e, p in world:each("P") do if p.x > 100 then best = nil end if best and p.k == 2 then best = p end end print(best == nil)`,
	`local held for e, p in world:each("P") do held = p if p.x > 50 then held = nil end if p.x == 70 then sum = sum + held.x end end`,
	`local e0 for e in world:each("P") do e0 = e end local v, w = world:get(e0, "P") for e, p in world:each("P") do v = p v = w end print(v == nil)`,
	`local e0 for e in world:each("P") do e0 = e end local v, w = world:get(e0, "P") for e, p in world:each("P") do if p.k == 2 then v = p w = p end v = w end print(v == nil)`,
	`local e0 for e in world:each("P") do e0 = e end local r0 = world:get(e0, "R") for e, p, q, r in world:each(some) do r0 = r end print(r0 == nil)`,
	`local e0 for e in world:each("P") do e0 = e end local v = world:get(e0, "P") for e, p in world:each("P") do v = p if p.k == 1 then v = nil end end print(v == nil)`,
	`local e0 for e in world:each("P") do e0 = e end local v, w, qq = world:get(e0, "P") for i = 1, 2 do for e, p, q, r in world:each(some) do if w == nil then local t = world:get(e, "Q") if t and not qq then qq = t end local t = world:get(e, "Q") if t and not qq then qq = t end else local t = world:get(e, "Q") if t and not qq then qq = t end if w then p.x = p.x + (v and v.x * 0.25 or 1) else if p.x > 1e6 then break end for f, o, z in world:each("P", "R") do if w and o.x == w.x then z.z = z.z + 1 sum = sum + 1 end end  end p.x = p.x + (w and w.x * 0.25 or 1)  end end end`, // stores that no row reaches
	`local best local function pick() for e, p in world:each("P") do if not best or p.x > best.x then best = p end end end pick() best.x = -1 pick() print(best.x) for e, p in world:each("P") do if p.x == best.x then best = p sum = sum + 1 end end`,
	`local best for e, p, q in world:each("P", "Q") do best = p if p.k == 2 then best = q end if p.k == 3 then sum = sum + (best.x or 0) end end print(best and (best.x or best.y))`,
	`local best for e, p in world:each("P") do if best then sum = sum + best.k end best = p if p.x % 40 == 7 then best = world:get(e, "Q") elseif p.x % 40 == 8 then best = nil end end print(best and best.x)`,
	`local best for e, p in world:each("P") do if p.x > 100 then best = world:get(e, "Q") elseif p.x > 50 then best = p end end print(best and best.y or best and best.x)`,
}

// A variable from around a loop may keep a view of one row for the rows behind it. Nobody can tell whether kernels run the loop, whichever rows are
// left to the interpreter.
func TestKeptViewsAlike(t *testing.T) {
	t.Parallel()
	ran := 0
	for i, body := range keptViews {
		did := patternsAlike(t, i, body, exitSource)
		ran += did.Machine + did.Closures
	}
	if effort.More() && ran < 1000*len(keptViews)*patternsTried() {
		t.Errorf("the test tests little: kernels ran %d rows", ran)
	}
}
