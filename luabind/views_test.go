package luabind

import "testing"

// A loop may have more variables than its query has terms; those are nil. The loop is the last thing of its turn, or reads strings of another entity.
func TestMoreVariablesThanTerms(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`for e, p, a, b in world:each("P") do p.x = p.x + dt end`,
		`for e, p, a, b in world:each("P") do p.x = p.x + (a and 1 or dt) if b then p.x = 0 end end`,
		`local first = world:first("P") for e, p, a in world:each("P") do local o = world:get(first, "P") if o.name == "p" then p.x = p.x + o.x p.name = a and "none" or "q" o.k = 3 end end`,
		`for e, p, a, b in world:each("P") do for f, o, q, r in world:each("P") do if r == nil and o.x > p.x then p.k = p.k + 1 end end end`,
		`for hit, a, b in world:read("Hit") do if a == b then local p = world:get(hit.e, "P") p.x = p.x + hit.n end end`,
	} {
		did := exitsAlike(t, body, `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", name = "string" }) ecs.event("Hit", { n = "f64", e = "entity" })
return { init = function(world) for i = 1, 70 do world:send("Hit", { n = i, e = world:spawn{ P = { x = i, name = "p" } } }) end end, update = function(world, dt)
  `+body+`
end }`)
		if did.Machine == 0 {
			t.Errorf("no machine code: %s", body)
		}
	}
}
