package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// rawSource is a file with a loop that reads and writes tables without their metatables. seen counts what functions of metatables do.
const rawSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string" })
local seen = 0
local plain, object = { 1, 2, n = 5, [2.5] = 6, [true] = 7 }, setmetatable({ 3 }, {
  __index = function(t, k) seen = seen + 1 return 100 end, __newindex = function(t, k, v) seen = seen + 1 rawset(t, k, v * 2) end, __len = function() seen = seen + 1 return 50 end,
})
local heir = setmetatable({ [4] = 9 }, { __index = plain, __newindex = plain })
local keys, values = { 1, "n", 2.5, true, "none", 3, -1, false, 0 / 0, {} }, { 8, "text", false, plain }
return { init = function(world)
  for i = 1, 40 do world:spawn{ P = { x = i, k = i % 11 + 1, s = "s" .. i % 4 } } end
end, update = function(world, dt)
  local sum, last = 0, nil
  local function use(t, k, v) TURN end
  for e, p in world:each("P") do
    local v = use(TABLE, KEY, VALUE)
    if v == nil then sum = sum + 0.5 elseif type(v) == "number" then sum = sum + v else sum = sum + 0.25 end
  end
  print(sum, seen, #plain, rawget(object, 1), rawget(object, "n"), plain.n, rawget(heir, 4), rawget(plain, 4), plain.s1)
end }`

// Functions that read and write tables without metatables do in kernels what they do in the interpreter, for keys and values of all kinds.
func TestRawAccess(t *testing.T) {
	t.Parallel()
	compiled := 0
	all := []string{`p.k`, `p.s`, `keys[p.k]`, `nil`}
	for i, table := range []string{"plain", "object", "heir", "keys", `p.k > 5 and plain or object`, `p.k > 9 and 5 or plain`} {
		for j, turn := range []string{
			`return rawget(t, k)`,
			`rawset(t, k, v) return rawget(t, k)`,
			`return rawequal(t[1], rawget(t, k)) and 1 or 0`,
			`rawset(t, k, nil) rawset(t, "s1", v) return rawget(t, "s1")`,
			`local w = rawget(t, k) t[4] = 3 return w == t[4] and 1 or w`,
		} {
			for _, key := range []string{all[(i+j)%4], all[(i+j+2)%4]} {
				source := strings.NewReplacer("TABLE", table, "KEY", key, "VALUE", "values[p.k % 4 + 1]", "TURN", turn).Replace(rawSource)
				sameCompiled(t, source, table+", "+turn+", "+key, func(_ Impl, did loops.Tally) bool {
					compiled += min(1, did.Machine+did.Closures)
					return true
				})
			}
		}
	}
	if compiled < 50 {
		t.Errorf("%d loops are compiled", compiled)
	}
}
