package luabind

import (
	"strings"
	"testing"
)

// Loops whose return statements stand where the source does not show what the loop calls, or give as many values as a function does that it does not show.
var returnLoops = []string{
	// Behind a statement that rows are left at, as far as the source shows: the loop ended as with break.
	`for e, p in world:each("P") do for _, w in ipairs(M.split("a,b")) do text = w end sum = sum + 2 if sum % 37 == 3 then text = "k" .. p.k return 7, text end end`,
	`for e, p in world:each("P") do for _, w in ipairs(M.split("a,b")) do if p.x == 3 then return w end text = w end if p.x == 4 then return 1, 2, 3 end end`,
	// Before others: the number of the return statement is another one then.
	`for e, p in world:each("P") do if p.k == 2 and p.x > 40 then for _, w in ipairs(M.split("a,b")) do if w == "b" then return w, 2, 3 end end elseif p.x > 80 then return 8 end if p.x > 90 then return 9, 10 end sum = sum + p.x end`,
	// As many values as functions give.
	`for e, p in world:each("P") do for _, w in ipairs(M.split("a,b")) do text = w end if p.x == 5 then return M.pair(p.x) end end`,
	`for e, p in world:each("P") do for _, w in ipairs(M.split("a,b")) do text = w end if p.x == 5 then return 1, M.none(p.x) end end`,
	`for e, p in world:each("P") do for _, w in ipairs(M.split("a,b")) do text = w end if p.x == 5 then return M.many(p.x) end end`,
	`local f = M.pair if up > 1 then f = M.many elseif up > 0 then f = M.none end up = up + 1 for e, p in world:each("P") do sum = sum + p.x if p.x == 9 then return f(p.x) end end`,
	`local f = M.pair if up > 1 then f = M.none end up = up + 1 for e, p in world:each("P") do if p.x == 9 then return 0, f(p.x) end if p.x == 12 then return end sum = sum + 1 end`,
	`for hit in world:read("Hit") do for _, w in ipairs(M.split("a,b")) do text = w end if hit.n == 5 then return M.pair(hit.n) end end`,
}

// A return statement of a compiled loop leaves the function with its values, whatever the source shows of the statements before it.
func TestReturnsOfLoops(t *testing.T) {
	t.Parallel()
	const head = `local M = {}
function M.split(s) local out = {} for w in s:gmatch("[^,]+") do out[#out + 1] = w end return out end
function M.pair(x) return x, x + 1 end
function M.none(x) sum = x end
function M.many(x) return x, nil, 3, 4, 5, nil end`
	did := 0
	for i, body := range returnLoops {
		for j, call := range []string{"print(run(world, dt)) print(select('#', run(world, dt)))", "print(pcall(run, world, dt)) print(pcall(run, world, dt))", "print(coroutine.wrap(run)(world, dt))"} {
			more := patternsAlike(t, i+j, body, func(body, pattern, _ string) string { return withHead(exitSource(body, pattern, call), head) })
			did += more.Machine + more.Closures
		}
	}
	if did < 1000*patternsTried() {
		t.Errorf("kernels ran %d rows: the test tests little", did)
	}
}

// withHead puts declarations of the file before the function with the loop.
func withHead(source, head string) string {
	return strings.Replace(source, "local function run(", head+"\nlocal function run(", 1)
}
