package luabind

import (
	"strings"
	"testing"
)

// A table whose metatable has a function for missing keys or for new ones is no list and no map for a kernel, however it is
// found; and the table on the left of an assignment is found before the values on the right are evaluated.
func TestTablesOnTheLeftAndWithFunctions(t *testing.T) {
	t.Parallel()
	const twice = `local t = setmetatable({}, { __index = function(t, k) up = up + 1 return 2 end }) `
	ran := 0
	for _, body := range []string{
		twice + `for e, p in world:each("P") do last = t[p.k] end`,
		twice + `for e, p in world:each("P") do if t[p.k] then sum = sum + 1 end end`,
		twice + `for e, p in world:each("P") do sum = sum + (t[p.k] or 1) end`,
		twice + `local s = "x" for e, p in world:each("P") do if p.k == 2 then s = "y" end sum = sum + (t[s] or 1) end`,
		twice + `local u = setmetatable({}, { __index = setmetatable({ y = 1 }, getmetatable(t)) }) for e, p in world:each("P") do last = u[p.k] end`,
		`local o = { p = { x = 1 } } local function swap() o.p = { x = o.p.x + 1 } return 1 end for e, p in world:each("P") do o.p.x = swap() sum = sum + o.p.x end`,
		`local o = { p = { x = 1 } } for e, p in world:each("P") do local a = o.p.x o.p.x, o.p = a % 5, { x = p.k } sum = sum + o.p.x end`,
		`local a, b = { x = 1 }, { x = 2 } for e, p in world:each("P") do a.x, a = p.k, b a, b = b, a sum = sum + a.x + b.x * 3 end`,
		`local t = { { n = 1 }, { n = 2 }, { n = 3 } } local function turn() table.insert(t, 1, table.remove(t)) return 7 end for e, p in world:each("P") do local i = p.k < 4 and p.k or 1 t[i].n = turn() sum = sum + t[i].n t[i].n, t[i] = 4, { n = p.x } end`,
	} {
		head := ""
		if i := len(twice); len(body) > i && body[:i] == twice { // a table of the file
			head, body = twice, body[i:]
		}
		for _, pattern := range []string{"none", "few", "many"} {
			source := withHead(exitSource(body, exitPatterns[pattern], exitCalls[len(body)%len(exitCalls)]), head)
			did := exitsAlike(t, pattern, source)
			ran += did.Machine + did.Closures
		}
	}
	if ran < 15_000 {
		t.Errorf("the test tests little: kernels ran %d rows", ran)
	}
}

// withHead puts declarations of the file before the function with the loop.
func withHead(source, head string) string {
	return strings.Replace(source, "local function run(", head+"\nlocal function run(", 1)
}
