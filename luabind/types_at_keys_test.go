package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// typesSource is a file with a loop that stores values in a table which is empty when the loop begins.
const typesSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string", on = "bool", other = "entity" })
return { init = function(world)
  local last = ecs.none
  for i = 1, 60 do last = world:spawn{ P = { x = i, k = i % 7, s = "s" .. i % 6, on = i % 3 == 0, other = last } } end
end, update = function(world, dt)
  local t, sum, seen = {}, 0, "none"
  for e, p in world:each("P") do BODY end
  print(sum, seen)
  for k, v in pairs(t) do print(k, type(v) == "table" and v[1] or type(v) == "userdata" and v.x or v) end
end }`

// typesAtKeys store A and B at KEY.
var typesAtKeys = []string{
	`t[KEY] = A if p.x == 30 then t[KEY] = B end if t[KEY] ~= nil then sum = sum + 1 end`,
	`if p.x == 30 then t[KEY] = B end if t[KEY] then sum = sum + 1 end t[KEY] = A`,
	`if t[KEY] == nil then t[KEY] = A elseif p.on then t[KEY] = B end`,
	`if p.on then t[KEY] = A else t[KEY] = B end sum = sum + (t[KEY] and 1 or 2)`,
	`t[KEY] = t[KEY] or A if p.x > 50 then t[KEY] = B end seen = type(t[KEY])`,
}

// A table that gets values of two types has both for the rows behind, and for other code.
func TestTwoTypesAtKeys(t *testing.T) {
	t.Parallel()
	values := []string{`p.x`, `p.s`, `p.on`, `e`, `{ p.x }`, `p`, `p.x % 2 == 0`, `p.s .. "!"`}
	n, compiled := 0, 0
	for i, body := range typesAtKeys {
		for j, a := range values {
			for k, b := range values {
				if j == k || (i+j+k)%6 > 0 {
					continue
				}
				key := []string{`p.s`, `p.k`, `e`, `p.other`}[(j+k/2)%4]
				text := strings.NewReplacer("KEY", key, "A", a, "B", b).Replace(body)
				sameCompiled(t, strings.Replace(typesSource, "BODY", text, 1), text, func(_ Impl, did loops.Tally) bool {
					compiled += min(1, did.Machine+did.Closures)
					return true
				})
				n++
			}
		}
	}
	if effort.More() && compiled < n {
		t.Errorf("of %d loops, %d are compiled by two implementations", n, compiled)
	}
}
