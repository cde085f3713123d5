package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// laterSource is a file with a loop over events that refer to entities of several kinds: with and without Q and R, dead, related, and with an inherited Q.
const laterSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64" }) ecs.component("Q", { y = "f64", s = "string" }) ecs.component("R", { z = "u8", bag = "table" })
ecs.event("Hit", { a = "entity", b = "entity", n = "f64" }) ecs.event("Out", { e = "entity", n = "f64" }) ecs.tag("red") ecs.tag("blue") ecs.relation("Likes")
ecs.grid("near", { component = "P", cell = 4 }) ecs.resource("count", "f64")
local E, seen = {}, {}
return { init = function(world)
  local base = world:spawn{ Q = { y = 100 } }
  for i = 1, 24 do
    local e = world:spawn{ P = { x = i, y = i % 3 } }
    E[i] = e
    if i % 2 == 0 then world:set(e, "Q", { y = i, s = "s" .. i }) elseif i % 3 == 0 then world:relate(e, "IsA", base) end
    if i % 3 == 0 then world:tag(e, "red") end
    if i % 5 == 0 then world:add(e, "R") end
    if i % 4 == 0 then world:relate(e, "Likes", E[i - 1]) end
    if i == 8 then world:relate(e, "ChildOf", E[3]) end
  end
  world:despawn(E[7])
end, update = function(world, dt)
  local sum, last, frame = 0, 0, world.frame
  for i = 1, 24 do world:send("Hit", { a = E[i], b = E[SECOND], n = i }) end
  for hit in world:read("Hit") do
    local a, b, n = hit.a, hit.b, hit.n
    local q, p = world:get(b, "Q"), world:get(b, "P")
    BODY
  end
  local left = 0
  for _, x in pairs(seen) do left = left + x end
  print(sum, last, left, world.resources.count)
end }`

// laterChanges change the structure of the world at once.
var laterChanges = []string{
	`world:despawn(a)`,
	`if world:despawn(a) then sum = sum + n end`,
	`world:add(a, "R")`,
	`sum = sum + (world:add(a, "Q", "R") and 1 or 2)`,
	`world:remove(a, "Q")`,
	`if not world:remove(a, "R", "Likes") then sum = sum - 1 end`,
	`world:set(a, "Q", { y = n, s = "new" })`,
	`if world:set(a, "R", { z = n * 11 % 256, bag = { n, k = 2 } }) then sum = sum + 3 end`,
	`world:set(a, "Q", {})`,
	`world:set(a, "R", { z = n * 20 })`,
	`world:relate(a, "Likes", b)`,
	`sum = sum + (world:relate(a, "ChildOf", b) and 5 or 7)`,
	`if world:unrelate(a, "Likes") then sum = sum + 11 end`,
	`if world:add(a, n % 2 == 0 and "R" or "Q") then sum = sum + 13 end`,
	`local gone = world:remove(a, n % 2 == 0 and "R" or "Q") sum = sum + (gone and 17 or 19)`,
	`world:spawn{ "red", Q = { y = n } }`,
	`last = world:spawn{ P = { x = n }, R = { z = 1 } }`,
	`world:spawn{ "blue", Q = { y = n }, ChildOf = a, Likes = b }`,
	`local s = world:spawn{ Q = { y = n } } world:relate(s, "Likes", b) world:tag(s, "blue")`,
}

// laterLooks look at the world, or change something in it.
var laterLooks = []string{
	`if world:alive(b) then sum = sum + 1 end`,
	`sum = sum + (world:has(b, "Q") and 2 or 0) + (world:has(b, "P", "R") and 4 or 0)`,
	`local r = world:get(b, "R") if r then sum = sum + r.z + #r.bag r.z = 3 end`,
	`local q2 = world:get(b, "Q") sum = sum + (q2 and q2.y or -1)`,
	`if q then q.y = q.y + n end`,
	`if p then p.x = p.x + 0.5 sum = sum + p.y end`,
	`if world:tagged(b, "red") then sum = sum + 8 end`,
	`world:tag(b, "red")`,
	`if world:untag(b, "red") then sum = sum + 16 end`,
	`local to = world:related(b, "Likes") if to then sum = sum + (world:alive(to) and 1 or 3) end`,
	`for s in world:sources("Likes", b) do sum = sum + 32 end`,
	`for s, d in world:near("near", n, 1, 3) do sum = sum + d end`,
	`for e, q3 in world:each("Q") do sum = sum + q3.y end`,
	`for e, r in world:each("R") do sum = sum + r.z if e == b then sum = sum + 9 end end`,
	`for e, p2, to in world:each("P", "Likes") do sum = sum + p2.x if to == a then sum = sum + 5 end end`,
	`for e, p4, to in world:each(ecs.query{ "P", optional = { "Likes" } }) do if to then sum = sum + p4.x * 3 end if to == a then sum = sum + 1 end end`,
	`for e, q4 in world:each("Q", "Likes", b) do sum = sum + q4.y end`,
	`local best for e, p3 in world:each("P") do if not best or p3.x > best.x then best = p3 end end if best then best.x = best.x - 1 end`,
	`world:send("Out", { e = b, n = n }) world.resources.count = world.resources.count + 1`,
	`world:set(b, "P", { x = n })`,
	`world:set(b, "R", { z = 9 })`,
	`seen[b] = (seen[b] or 0) + n`,
	`world.commands:tag(b, "blue") world.commands:set(b, "Q", { y = 1 })`,
	`world:despawn(b)`,
	`world:relate(b, "Likes", a)`,
	`world:relate(b, "ChildOf", a)`,
	`world:relate(b, "Likes", E[3])`,
	`world:relate(b, "Likes", E[8])`,
	`for s in world:sources("ChildOf", b) do sum = sum + 64 world:relate(s, "Likes", b) end`,
	`for s in world:sources("Likes", a) do world:unrelate(s, "Likes") world:add(s, "R") sum = sum + 7 end`,
	`local t = tostring(n) .. type(q) sum = sum + #t`,
	`seen[#seen + 1] = p and p.x or 0`,
	`sum = sum + (q and n > 3 and q.y or 0)`,
	`if n == 13 then error("stop") end sum = sum + 1`,
	`if q then sum = sum + #q.s q.s = q.s .. "!" if #q.s > 20 then q.s = "" end end`,
	`while world:alive(b) and sum % 2 == 0 do sum = sum + 1 end`,
	`if q and q.y > 4 and world:tagged(b, "red") then world:untag(b, "red") end`,
}

// laterForms put a change and a look into a row, in several orders.
var laterForms = []string{
	`CHANGE LOOK`,
	`LOOK CHANGE`,
	`do CHANGE end if n % 2 == 0 then LOOK end`,
	`if n % 3 ~= 0 then CHANGE else LOOK end sum = sum + n LOOK`,
	`for i = 1, 2 do LOOK do CHANGE end end`,
	`if n > 20 then CHANGE end LOOK`,
}

// Whatever a row looks at after it has changed the structure of the world, it sees the change.
func TestLooksAfterChangesOfStructure(t *testing.T) {
	t.Parallel()
	seconds := []string{"i % 24 + 1", "i", "(i + 4) % 24 + 1"} // the last one has the child of E[3] for E[3]
	compiled, all := 0, len(laterChanges)*len(laterLooks)*len(laterForms)*len(seconds)
	tried := rand.New(rand.NewPCG(28, 11)).Perm(all) //nolint:gosec // the same programs each time
	if !effort.Full() {
		tried = tried[:effort.Of(900)]
	}
	for _, i := range tried {
		second, rest := seconds[i%len(seconds)], i/len(seconds)
		form, rest := laterForms[rest%len(laterForms)], rest/len(laterForms)
		change, look := laterChanges[rest%len(laterChanges)], laterLooks[rest/len(laterChanges)]
		body := strings.NewReplacer("CHANGE", change, "LOOK", look).Replace(form)
		source := strings.NewReplacer("SECOND", second, "BODY", body).Replace(laterSource)
		want, _ := exitTrace(t, source, Lua, Limits{})
		for _, impl := range []Impl{Closures, Auto} {
			got, did := exitTrace(t, source, impl, Limits{})
			compiled += did.Closures + did.Machine
			if got != want {
				t.Errorf("%v: %s\n%s", impl, body, firstDifference(got, want))
			}
		}
	}
	if compiled < 40*len(tried) {
		t.Errorf("only %d rows of %d programs ran compiled", compiled, len(tried))
	}
}

// firstDifference shows the first line in which two traces differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got\n%s\ninterpreted\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, interpreted %d", len(g), len(w))
}
