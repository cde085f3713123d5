package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// fieldNamesSource is a file with tables in fields, whose names are at another place in each row. In row 30, one of the names has ODD.
const fieldNamesSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", s = "string", on = "bool", items = "table" })
local function fill(t, i)
  for k = 1, i % 5 do t["a" .. k] = k end
  for k = 1, i % 3 do t["z" .. k] = k end
  return t
end
return { init = function(world)
  for i = 1, 40 do
    local t = fill({ n = i, s = "s" .. i, on = i % 2 == 0, sub = { n = i } }, i)
    if i == 30 then t.NAME = ODD end
    world:spawn{ P = { x = i, s = "s", items = t } }
  end
end, update = function(world, dt)
  local sum, name, seen = 0, "none", false
  for e, p in world:each("P") do USE end
  print(sum, name, seen)
end }`

// fieldNameUses need a number, a string, a boolean or a table at a name.
var fieldNameUses = [][2]string{
	{"n", `sum = sum + p.items.n`},
	{"n", `p.x = p.items.n`},
	{"n", `local t = p.items sum = sum + t.n t.n = t.n + 1`},
	{"n", `if p.items.n > 10 then sum = sum + 1 end`},
	{"s", `p.s = p.items.s`},
	{"s", `name = p.items.s:upper()`},
	{"s", `if p.items.s < "s3" then sum = sum + 1 end`},
	{"s", `local t = p.items t.s = t.s .. "!" p.s = t.s`},
	{"s", `local t = p.items t.more = p.x p.s = t.s`},
	{"on", `p.on = p.items.on`},
	{"on", `if p.items.on then sum = sum + 1 end`},
	{"on", `local t = p.items p.on = t.on t.on = not t.on`},
	{"sub", `sum = sum + p.items.sub.n`},
	{"sub", `local t = p.items.sub t.n = t.n + 1 sum = sum + t.n`},
}

// What a row finds at a name does not depend on where the table has it. What is missing there or of another kind is an error, or used, as in the interpreter.
func TestNamesInFields(t *testing.T) {
	t.Parallel()
	for i, use := range fieldNameUses {
		right := map[string]string{"n": `7`, "s": `"text"`, "on": `true`, "sub": `{ n = 5 }`}
		odd := []string{`nil`, `7`, `"8"`, `false`, `{ 1 }`}
		for _, v := range []string{right[use[0]], odd[0], odd[1+i%4], odd[1+(i+1)%4]} {
			source := strings.NewReplacer("NAME", use[0], "ODD", v, "USE", use[1]).Replace(fieldNamesSource)
			sameCompiled(t, source, use[1]+"\n"+v, func(_ Impl, did loops.Tally) bool { return did.Machine+did.Closures > 0 })
		}
	}
}
