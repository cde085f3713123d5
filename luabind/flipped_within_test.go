package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// flippedSource is a file whose loop changes tags for which its inner queries ask.
const flippedSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string" }) ecs.component("Q", { y = "f64" }) ecs.tag("red") ecs.tag("blue") ecs.event("Hit", { e = "entity", n = "f64" })
local reds, blues, both = ecs.query{ "P", tagged = { "red" } }, ecs.query{ "P", untagged = { "blue" } }, ecs.query{ "P", optional = { "Q" }, tagged = { "red" }, untagged = { "blue" } }
local jobs
return { init = function(world)
  for i = 1, 40 do
    local e = world:spawn{ P = { x = i, s = "s" .. i % 3 } }
    if i % 2 == 0 then world:set(e, "Q", { y = i }) end
    if i % 3 == 0 then world:tag(e, "red") end
    if i % 5 == 0 then world:tag(e, "blue") end
  end
end, update = function(world, dt)
  local sum, n, text = 0, 0, ""
  jobs = nil
  for i = 1, 9 do world:send("Hit", { e = 4294967296 + i * 3, n = i }) end
  LOOP
  for e, p in world:each(both) do text = text .. p.x .. " " end
  print(sum, n, text)
end }`

// A row that changes tags sees the change in a query within that begins later, and not in one that is open.
func TestTagsChangedBesideQueriesWithin(t *testing.T) {
	t.Parallel()
	queries, flips := []string{`reds`, `blues`, `both`, `"P"`}, []string{
		`world:tag(e, "red")`, `world:untag(e, "red")`, `world:tag(o or e, "blue")`, `if n % 3 == 0 then world:untag(o or e, "blue") else world:tag(o or e, "red") end`,
		`world:tag(4294967301, "red", "blue")`, `n = n + (world:untag(o or e, "red") and 1 or 0)`,
	}
	forms := []string{
		`FLIP for o, r in world:each(QUERY) do sum = sum + r.x end`,
		`for o, r in world:each(QUERY) do sum = sum + r.x FLIP end`,
		`for o, r in world:each(QUERY) do sum = sum + 1 end FLIP for o, r in world:each(QUERY) do sum = sum + r.x if sum % 7 == 0 then break end end`,
		`for o, r in world:each(QUERY) do if r.x > 30 then FLIP break end end if n == 5 then error("stop") end`,
		`if not jobs then jobs = {} for j, r in world:each(QUERY) do jobs[#jobs + 1] = { e = j, x = r.x } end end local best for i = 1, #jobs do local j = jobs[i] if not j.gone and (not best or j.x > best.x) then best = j end end if best then best.gone = true local o = best.e FLIP sum = sum + best.x end`,
		`for o, r in world:each(QUERY) do for o2, r2 in world:each(reds) do sum = sum + 1 end FLIP n = n + 1 if n % 4 == 0 then break end end`,
		`if e % 4 == 0 then FLIP end for o, r in world:each(QUERY) do if r.s == "s1" then r.x = r.x + 1 end end`,
	}
	loopsOf := []string{
		`for e, q in world:each("Q") do local o BODY end`, `for hit in world:read("Hit") do local e, o = hit.e, nil BODY end`,
		`for e, q in world:each(ecs.query{ "P", tagged = { "red" } }) do local o BODY end`,
	}
	at := 0
	for _, loop := range loopsOf {
		for _, form := range forms {
			for _, query := range queries {
				for _, flip := range flips {
					if at++; at%effortStep(3) != 0 {
						continue
					}
					body := strings.Replace(loop, "BODY", strings.NewReplacer("QUERY", query, "FLIP", flip).Replace(form), 1)
					sameCompiled(t, strings.Replace(flippedSource, "LOOP", body, 1), body, func(_ Impl, did loops.Tally) bool { return true })
				}
			}
		}
	}
	body := `for e, q in world:each("Q") do local o ` + strings.NewReplacer("QUERY", "reds", "FLIP", `world:untag(o, "red")`).Replace(forms[4]) + " end"
	sameCompiled(t, strings.Replace(flippedSource, "LOOP", body, 1), body, func(_ Impl, did loops.Tally) bool { return did.Left == 0 })
}

// effortStep returns 1 if everything is to be tried, otherwise n.
func effortStep(n int) int {
	if effort.Full() {
		return 1
	}
	return n
}
