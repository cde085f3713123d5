package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// An error about nil says what an entity lacked, also if other places have found something missing since then: in the interpreter, or in a loop
// that is compiled and notes nothing.
func TestAbsencesOfSeveralPlaces(t *testing.T) {
	t.Parallel()
	const head = `local ecs = require("ecs") ecs.component("A", { y = "f64" }) ecs.component("B", { y = "f64" })
return { init = function(world) for i = 1, 9 do world:spawn{ A = { y = i } } end end, update = function(world)
`
	for _, body := range []string{
		`for e, a in world:each("A") do local b = world:get(e, "B") for o in world:each("A") do local c = world:get(o, "B") if c then c.y = 1 end end a.y = b.y end`,
		`for e, a in world:each("A") do local b = world:get(e, "B") for o in world:each("A") do local c = world:get(o, "A") if c then c.y = 1 end end a.y = b.y end`,
		`local b = world:get(0, "B") local c = world:get(0, "A") for o in world:each("A") do local c = world:get(o, "B") if c then c.y = 1 end end print(b.y)`,
		`local b = world:get(0, "B") local c = world:get(0, "A") print(c.y)`,
	} {
		sameCompiled(t, head+body+" end }", body, func(Impl, loops.Tally) bool { return true })
	}
}
