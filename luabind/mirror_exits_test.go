package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// behindSource is a file with a loop over a component with a string. Its rows read the component of other entities, and write their own.
const behindSource = `local ecs = require("ecs")
ecs.component("C", { x = "f64", u = "u8", on = "bool", s = "string", o = "entity" }) ecs.component("D", { v = "f64" }) ecs.relation("After")
return { init = function(world)
  local last
  for i = 1, 60 do
    local e = world:spawn{ C = { x = i * 10, u = i % 50, s = "s" .. i, o = last } }
    if i % 3 == 0 and SEVERAL then world:add(e, "D") end
    if last then world:relate(e, "After", last) end
    last = e
  end
end, update = function(world, dt)
  local k, sum, frame = 0, 0, world.frame
  for e, c in world:each("C") do
    k = k + 1
    READ
    if k % EVERY == 1 then BRANCH end
  end
  local out = {}
  for e, c in world:each("C") do out[#out + 1] = c.x .. c.s .. tostring(c.on) .. c.u end
  print(sum, table.concat(out, " "))
end }`

// A row that reads the component of another entity sees what earlier rows have stored in their own, also those that closures did.
func TestReadsBehindRowsOfClosures(t *testing.T) {
	t.Parallel()
	for _, read := range []string{
		`local d = world:get(c.o, "C") if d then c.x = d.x + 1 end`,
		`local d = world:get(c.o, "C") if d then c.s = d.s end`,
		`local d = world:get(c.o, "C") if d then c.on = not d.on c.u = (d.u + 1) % 200 end`,
		`local to = world:related(e, "After") if to then c.x = world:get(to, "C").x + 1 end`,
		`for s in world:sources("After", e) do local d = world:get(s, "C") c.x = c.x + d.x % 7 end`,
		`for f, d in world:each("C") do if f ~= e then c.x = c.x + d.x % 3 break end end`,
		`local f, d = world:first("C") c.x = d.x + 1`,
		`local d = world:get(c.o, "C") if d then d.x = d.x + c.x % 5 c.x = d.x end`,
	} {
		for _, branch := range []string{`local q = ("a"):gsub("a", "b") sum = sum + #q`, `local t = { 3, 1, k } table.sort(t) c.x = c.x + t[1]`, `c.x = c.x + 1 local q = { c.s, { e } } sum = sum + #q[1]`} {
			for _, every := range []string{"4", "13"} {
				for _, several := range []string{"true", "false"} {
					source := strings.NewReplacer("READ", read, "BRANCH", branch, "EVERY", every, "SEVERAL", several).Replace(behindSource)
					sameCompiled(t, source, read+" "+branch, func(_ Impl, did loops.Tally) bool { return did.Machine+did.Closures > 0 })
				}
			}
		}
	}
}

// Rows that store a field of their own, a field of another component, and, in a part that closures do, one of their component in another row: the watch
// of machine code finds no difference.
func TestWatchedRowsThatStoreElsewhere(t *testing.T) {
	t.Parallel()
	const source = `local ecs = require("ecs")
ecs.component("C", { x = "f64", s = "string" }) ecs.component("D", { v = "f64" })
return { init = function(world) world:spawn_many(300, { C = { x = 1, s = "a" }, D = {} }) end, update = function(world)
  for e, c in world:each("C") do
    c.x = 0 c.s = "b"
    world:get(e, "D").v = 1
    if e == 17 then for _ in pairs({ [e] = 1 }) do world:get(e, "C").x = 3 end end
  end
end }`
	sameCompiled(t, source, "a field of another component", func(impl Impl, did loops.Tally) bool { return impl != Auto || did.Machine > 1000 })
}

// A row of a loop over events that moves entities makes code read the component with a string of each entity where it is then.
func TestReadsBehindRowsThatMoveEntities(t *testing.T) {
	t.Parallel()
	const source = `local ecs = require("ecs")
ecs.component("C", { x = "f64", s = "string" }) ecs.component("D", { v = "f64" }) ecs.event("H", { to = "entity", n = "f64" }) ecs.relation("After")
local list
return { init = function(world) list = world:spawn_many(60, { C = {} }, function(i) return { C = { x = i, s = "s" .. i } } end) end, update = function(world, dt)
  local k, sum, text = 0, 0, ""
  for i = 1, 60 do world:send("H", { to = list[i], n = i }) end
  for ev in world:read("H") do
    k = k + 1
    local c = world:get(ev.to, "C")
    READ
    if k == world.frame * 3 then CHANGE end
  end
  print(sum, text)
end }`
	for _, read := range []string{
		`if c then sum = sum + c.x * k end`,
		`if c then if c.s == "s" .. k then sum = sum + 1 end text = c.s end`,
		`if c then c.x = c.x + 1 sum = sum + c.x * k end`,
		`local f, d = world:first("C") sum = sum + d.x * k`,
		`for f, d in world:each("C") do sum = sum + d.x * k if f == ev.to then break end end`,
	} {
		for _, change := range []string{`world:add(ev.to, "D")`, `world:despawn(ev.to)`, `world:relate(ev.to, "After", list[1])`, `world:set(ev.to, "D", { v = 1 })`, `world:spawn{ C = { x = 500, s = "new" } }`, `world:remove(ev.to, "C")`} {
			body := strings.NewReplacer("READ", read, "CHANGE", change).Replace(source)
			sameCompiled(t, body, read+" "+change, func(_ Impl, did loops.Tally) bool { return did.Machine+did.Closures > 100 })
		}
	}
}
