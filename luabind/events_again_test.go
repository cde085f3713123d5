package luabind

import "testing"

// An event that the body of an interpreted loop cannot keep is used again for the next one; one that it may keep stays as it is.
func TestEventsUsedAgain(t *testing.T) {
	t.Parallel()
	const head = `local kept, by, turns = {}, {}, 0
local function keep(ev) kept[#kept + 1] = ev end
return function(world, dt) turns = turns + 1 local n, last = 0, nil
for e, q in world:each("Q") do if turns % 2 == 1 then world:send("Hit", { from = e, to = q.o, n = q.v }) end end
`
	const tail = `
local s = "" for i, ev in ipairs(kept) do s = s .. ev.n .. (ev.to == ev.from and "!" or " ") kept[i] = nil if i > 70 then break end end
print(n, s, last and last.n, last and tostring(last):sub(1, 4)) end`
	for _, body := range []string{
		`for ev in world:read("Hit") do by[ev.to] = (by[ev.to] or 0) + ev.n n = n + by[ev.to] end`,
		`for ev in world:read("Hit") do local list = by[ev.from] if not list then list = {} by[ev.from] = list end list[ev.to] = (list[ev.to] or 0) + ev.n n = n + list[ev.to] end`,
		`for ev in world:read("Hit") do kept[#kept + 1] = ev end`,
		`for ev in world:read("Hit") do if ev.n > 3 then last = ev end n = n + ev.n end`,
		`for ev in world:read("Hit") do keep(ev) n = n + ev.n end`,
		`for ev in world:read("Hit") do local f = function() return ev.n end kept[#kept + 1] = { n = f(), to = ev.to } kept[#kept].g = f end for i, k in ipairs(kept) do n = n + k.g() end`,
		`for ev in world:peek("Hit") do n = n + ev.n by[ev.to] = n for o in world:peek("Hit") do n = n + o.n by[o.from] = ev.n break end end`,
		`for ev in world:drain("Hit") do by[ev.to] = ev.n n = n + ev.n if n > 50 then break end end`,
		`for ev in world:peek("Hit") do by[ev.to] = ev.n n = n + ev.n if n == 9 then for o in world:drain("Hit") do by[o.to] = 1 end end end`,
		`print(pcall(function() for ev in world:read("Hit") do by[ev.to] = { ev.n } if ev.n == 5 then error(tostring(ev.n)) end end end))`,
		`for ev in world:read("Hit") do by[ev.to] = ev.n local t = require("ecs").fields(ev) n = n + t.n end`,
		`for ev in world:read("Hit") do by[ev] = true end for ev in pairs(by) do n = n + ev.n by[ev] = nil end`,
		`local f = coroutine.wrap(function() for ev in world:read("Hit") do kept[#kept + 1] = ev coroutine.yield(ev.n) end end) for i = 1, 3 do local x = f() if not x then break end n = n + x end`,
		`local step = world:read("Hit") local a, b = step(), step() if b then n = a.n * 10 + b.n end`,
		`local step = world:read("Hit") for ev in step do n = n + ev.n by[ev.to] = n break end local b = step() for ev in step do n = n + ev.n by[ev.to] = 1 end n = n + (b and b.n or 0)`,
	} {
		sameInSizes(t, map[string]string{"a": head + body + tail}, 0)
	}
}
