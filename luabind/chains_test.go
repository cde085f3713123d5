package luabind

import "testing"

// Chains of and, or choose between values of one type, as in the usual way to write a clamp. They are compiled, and
// give what Lua gives for NaN, infinities and zeros of both signs.
func TestChainsOfAndOr(t *testing.T) {
	for _, body := range []string{
		`for e, p in world:each("A") do p.x = p.x < -1 and -1 or p.x > 1 and 1 or p.x end`,
		`local function clamp(v, lo, hi) return v < lo and lo or v > hi and hi or v end for e, p in world:each("A") do p.x = clamp(p.y, -2, p.x) p.y = clamp(p.x, p.y, 3) end`,
		`for e, p in world:each("A") do p.x = p.x < 0 and 1 or p.x < 2 and 2 or p.x < 8 and 3 or p.y == p.y and 4 or 5 end`,
		`for e, p, q in world:each("A", "B") do p.x = (p.b and q.v or p.x > 3 and q.g) or p.y or 7 end`,
		`for e, p in world:each("A") do local s = p.x < 0 and "low" or p.x > 5 and "high" or "mid" if s == "low" then p.y = 1 elseif s == "high" then p.y = 2 end end`,
		`for e, p in world:each("A") do p.x = p.x > 3 and ecs.random(5) or p.b and ecs.random(7) or ecs.random(9) end`,
	} {
		source := "local ecs = require(\"ecs\")\nreturn function(world, dt)\n" + body + "\nend"
		want, _ := kernelTrace(t, 1, Lua, source)
		for _, impl := range []Impl{Closures, Auto} {
			got, ran := kernelTrace(t, 1, impl, source)
			if got != want {
				t.Errorf("%v: %s\n%s\ninterpreted\n%s", impl, body, got, want)
			}
			if ran != 1 {
				t.Errorf("%v: %d loops are compiled: %s", impl, ran, body)
			}
		}
	}
}
