package luabind

import (
	"strings"
	"testing"
)

// chosenFunctions call one of two functions that a condition has chosen, among them functions of the library.
var chosenFunctions = []string{
	`local f = p.k == 1 and math.floor or math.ceil sum = sum + f(p.x / 2)`,
	`local f = p.k == 1 and clamp or math.max sum = sum + f(p.x, 2)`,
	`local f = p.k > 1 and math.min or clamp p.x = f(p.x, p.k) sum = sum + f(3, p.x)`,
	`local f = p.k == 1 and floor or math.abs for i = -3, 3 do sum = sum + f(i / 2) end`,
	`local f, g = p.k == 1 and math.sin or math.cos, p.k == 2 and floor or math.ceil p.x = g(f(p.x) * 100)`,
	`local f = p.k == 0 and math.floor or math.ceil if p.x % 7 == 1 then sum = sum + f(p.x / 3) else sum = sum - f(p.k) end`,
}

// They are machine code, and do the same.
func TestChosenFunctions(t *testing.T) {
	t.Parallel()
	for _, body := range chosenFunctions {
		source := strings.Replace(presenceSource, "BODY", `local floor = math.floor local function clamp(a, b) return a > b and b or a end for e, p in world:each("P") do `+body+` end`, 1)
		sameCompiled(t, source, body, byMachine)
	}
}
