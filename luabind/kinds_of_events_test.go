package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// eventKindsSource is a file with one loop for events of several kinds, and a function for each of them.
const eventKindsSource = `local ecs = require("ecs")
ecs.component("P", { name = "string", x = "f64" })
ecs.event("War", { a = "entity", b = "entity", reason = "string" }) ecs.event("Peace", { a = "entity", b = "entity" }) ecs.event("Fall", { who = "entity", n = "f64", bag = "table" })
local function nameOf(world, e) local p = world:get(e, "P") return p and p.name or "nobody" end
local E, counts = {}, {}
local writers = {
  War = function(world, ev) return nameOf(world, ev.a) .. " fights " .. nameOf(world, ev.b) .. " for " .. ev.reason end,
  Peace = function(world, ev) return ("%s and %s"):format(nameOf(world, ev.a), nameOf(world, ev.b)) end,
  Fall = function(world, ev) if ev.n > 3 then return "deep" end return nameOf(world, ev.who) .. " falls " .. ev.n .. (ev.bag.x or "") end,
}
return { init = function(world) for i = 1, 30 do E[i] = world:spawn{ P = { name = "n" .. i, x = i } } end end,
update = function(world, dt)
  for i = 1, 30 do
    world:send("War", { a = E[i], b = E[31 - i], reason = "r" .. i % 3 })
    if i % 2 == 0 then world:send("Peace", { a = E[i], b = E[i] }) end
    world:send("Fall", { who = E[i], n = i % 5, bag = { x = i } })
  end
  local lines = {}
  for _, kind in ipairs{ "War", "Peace", "Fall" } do
    local n = 0
    for ev in world:read(kind) do
      counts[kind] = (counts[kind] or 0) + 1
      n = n + 1
      BODY
    end
  end
  print(#lines, lines[1], lines[#lines], counts.War, counts.Peace, counts.Fall)
end }`

// A loop over events of several kinds is compiled for each of them, though the functions that it chooses from are for one kind each.
func TestLoopsOverSeveralKindsOfEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		compiled bool
	}{
		{`lines[#lines + 1] = writers[kind](world, ev)`, true},
		{`local write = writers[kind] if write then lines[#lines + 1] = write(world, ev) end`, true},
		{`local write = writers[n % 7 == 6 and "War" or kind] lines[#lines + 1] = write(world, ev)`, false},
		{`local ok, text = pcall(writers[n % 7 == 6 and "Fall" or kind], world, ev) lines[#lines + 1] = ok and text or "none"`, false},
		{`lines[#lines + 1] = writers[kind](world, ev) if n == 9 then lines[#lines + 1] = ev.nothing end`, false},
	} {
		sameCompiled(t, strings.Replace(eventKindsSource, "BODY", c.body, 1), c.body, func(_ Impl, did loops.Tally) bool {
			return !c.compiled || did.Left <= 40
		})
	}
}
