package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// innerStoreSource is a file with entities in several tables, and a loop that has another one within.
const innerStoreSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", u = "u8", on = "bool", to = "entity" }) ecs.component("Q", { y = "f64", n = "i64" }) ecs.component("S", { s = "string", v = "f64" }) ecs.event("Hit", { n = "f64" }) ecs.tag("red")
local some = ecs.query{ "P", optional = { "Q" } }
return { init = function(world)
  for i = 1, 30 do
    local e = world:spawn{ P = { x = i, u = i % 50 } }
    if i % 2 == 0 then world:set(e, "Q", { y = i, n = i }) end
    if i % 3 == 0 then world:set(e, "S", { s = "s" .. i, v = i }) end
    if i % 5 == 0 then world:tag(e, "red") end
  end
end, update = function(world, dt)
  local sum, frame = 0, world.frame
  for i = 1, 20 do world:send("Hit", { n = i }) end
  HEAD BODY end
  local out = {}
  for e, s in world:each("S") do out[#out + 1] = s.s .. s.v end
  print(sum, table.concat(out, " "))
end }`

// Rows of a query within store their components by machine code, and each row that was written is stamped.
func TestStoresInQueriesWithin(t *testing.T) {
	t.Parallel()
	for _, head := range []string{`for e, p in world:each("P") do`, `for e, q in world:each("Q") do local p = world:get(e, "P")`, `for hit in world:read("Hit") do local p, e = hit, 0`} {
		for _, c := range []struct {
			body    string
			machine bool
		}{
			{`for f, q2 in world:each("Q") do q2.y = q2.y * 0.5 + 1 end`, true},
			{`for f, q2 in world:each("Q") do if q2.y > 3 then q2.n = q2.n + 1 sum = sum + q2.n break end end`, true},
			{`for f, p2 in world:each("P") do if f ~= e and p2.x > 20 then p2.x = p2.x - 1 p2.on = not p2.on break end end`, true},
			{`for f, p2, q2 in world:each("P", "Q") do p2.u = (p2.u + 1) % 200 q2.y = p2.u sum = sum + q2.y end`, true},
			{`for f, p2, q2 in world:each(some) do if q2 then q2.y = q2.y + 1 else p2.x = p2.x + 0.25 end end`, true},
			{`for f, s in world:each("S") do s.v = s.v + 1 if s.v % 7 == 0 then s.s = "seven" end end`, true},
			{`for f, s in world:each("S") do s.v = s.v + 1 end local s = world:get(e, "S") if s then s.v = s.v * 2 end`, true},
			{`for f, q2 in world:each("Q") do q2.y = q2.y + 1 end local q3 = world:get(e, "Q") if q3 then q3.y = q3.y - 2 end`, true},
			{`for f, q2 in world:each("Q") do for g, p2 in world:each("P") do if p2.x == q2.y then p2.x = p2.x + 0.5 q2.y = q2.y + 1 end end end`, true},
			{`for f, p2 in world:each("P") do p2.to = f p2.u = p2.u + 20 end`, false}, // the value does not fit in the end
			{`for f, p2 in world:each("P") do if world:tagged(f, "red") then p2.x = p2.x + 1 world:untag(f, "red") end end`, false},
			{`for f, q2 in world:each("Q") do q2.y = q2.y + 1 if q2.y > 60 then local t = ("a"):gsub("a", "b") q2.y = #t end end`, false},
		} {
			source := strings.NewReplacer("HEAD", head, "BODY", c.body).Replace(innerStoreSource)
			sameCompiled(t, source, head+" "+c.body, func(impl Impl, did loops.Tally) bool {
				return !c.machine || did.Left == 0 && (impl != Auto || did.Machine >= 60)
			})
		}
	}
}
