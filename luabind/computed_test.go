package luabind

import "testing"

const computedHead = `local ecs = require("ecs")
ecs.resource("ra", { type = "f64" }) ecs.resource("rb", { type = "f64" }) ecs.resource("small", { type = "i8" }) ecs.resource("name", { type = "string" })
local names, words, k = { "x", "y" }, { a = "x", b = "y", bad = "zz" }, "y"
local RES = { "ra", "rb" }
local function axis(v) if v > 1 then return "x" end return "y" end
local function add(view, field, n) view[field] = view[field] + n end
local function read(view, field) return view[field] end
local all = ecs.query{ "A", "B", optional = { "C" } }
return function(world, dt) local n, res = 0, world.resources
for e, p, q, c in world:each(all) do
`

const computedTail = "\nend print(n, res.ra, res.rb, res.small, res.name) end"

var computedCases = []functionCase{
	{`local g = p.x > 1 and "x" or "y" p[g] = p[g] + 1`, ""},
	{`p[axis(p.x)] = 3`, ""},
	{`p[k] = p[k] * 2`, ""},
	{`local g = k p[g], p.x = p.x, p[g]`, ""},
	{`add(p, "x", 1) add(p, k, 2)`, ""},
	{`n = n + read(p, "y") + read(p, axis(p.y))`, ""},
	{`local g = "x" if p.y > 1 then g = "y" end p[g] = p[g] + 1`, ""},
	{`for i = 1, 2 do local g = i == 1 and "x" or "y" p[g] = p[g] + i end`, ""},
	{`local g = p.b and "b" or "x" if g == "b" then p[g] = false end`, ""},
	{`local g = p.b and "i8" or "f" p[g] = 3`, ""},
	{`q[p.b and "i16" or "v"] = 3`, ""},
	{`if c then local g = "x" c[g] = 2 n = n + c[g] end`, ""},
	{`local o = world:get(q.e, "A") if o then o[k] = o[axis(o.x)] end`, ""},
	{`local g = p.x > 1 and "ra" or "rb" res[g] = res[g] + 1`, ""},
	{`local g = p.x > 1 and "ra" or "small" res[g] = p.i8 n = n + res[g]`, ""},
	{`local g = "ra" world.resources[g] = p.x`, ""},
	{`p[1] = 2`, "indexes a view by something else than a name (line 11)"},
}

// Fields and resources whose names a row computes are the ones that the interpreter takes.
func TestComputedNames(t *testing.T) {
	t.Parallel()
	sameWithLibrary(t, computedHead, computedTail, nil, computedCases)
}

// A row with a name that nothing has is left to the interpreter, which raises its error.
func TestComputedNamesThatDoNotExist(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`local g = p.x > 2 and "zz" or "x" p[g] = 1`, `local g = p.x > 2 and "zz" or "x" n = n + p[g]`, `p[words.bad] = 1`, `n = n + p[words.bad]`, `n = n + res[words.bad]`, `res[p.x > 2 and words.bad or "ra"] = 1`,
		`local g = p.x > 2 and "name" or "ra" res[g] = 1`, `local g = p.x > 2 and "name" or "ra" n = n + res[g]`, `local g = p.x > 2 and "b" or "x" p[g] = 1`,
		`local g = "zz" p[g] = 1`, `local g = "zz" if p.x > 1 then p[g] = 1 end`, `for _, g in ipairs{ "x", "y", "zz" } do if g ~= "zz" then p[g] = 1 end end`, `add(p, "zz", 1)`,
		`local function put(o, f, v) o[f] = v end put(p, "zz", 1) n = n + 1`, `local g = "zz" if p.x > 1 then res[g] = p.x end`, `local g = "zz" res[g], p.x = 1, 2`, `local g = "zz" p.x, p[g] = 1, 2`,
		`local g = "zz" if c then c[g] = 1 end`, `if p.x > 1e9 then local g = "zz" p[g] = 1 end n = n + 1`,
		`p[words.a .. ""] = 1`, `local g if p.x < 2 then g = "x" end p[g] = 1`,
	} {
		sources := map[string]string{"a": computedHead + body + computedTail}
		want, _ := runLibrary(t, 3, Lua, sources)
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := runLibrary(t, 3, impl, sources); got != want {
				t.Errorf("%v: %s\ngot\n%s\ninterpreted\n%s", impl, body, got, want)
			}
		}
	}
}
