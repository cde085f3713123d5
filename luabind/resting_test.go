package luabind

import (
	"fmt"
	"strings"
	"testing"
)

// restingSource is a loop over values of any kind whose first frames leave each row to the interpreter.
const restingSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32" })
local mixed, log = { 10, "twenty", { n = 30 } }, print
return { init = function(world) for i = 1, 200 do world:spawn{ P = { x = i, k = i %% 3 + 1 } } end end, update = function(world)
  for e, p in world:each("P") do
    local v = mixed[p.k]
    if world.frame <= %d then coroutine.wrap(log)(p.k) end
    p.x = p.x + (type(v) == "number" and v or 1)
  end
end }`

// A kernel for values of any kind that leaves each row rests. Then explain names the statement that rows leave for, and not the
// table, and the kernel is tried again some walks later.
func TestOpenKernelsAreTriedAgain(t *testing.T) {
	t.Parallel()
	const leaving = 3
	source := fmt.Sprintf(restingSource, leaving)
	reports, runs := explained(t, source, leaving)
	if l := reports[0]; !strings.Contains(l.Reason, "coroutine.wrap") || strings.Contains(l.Reason, "mixed") || l.At != 7 {
		t.Errorf("while it rests: line %d: %q", l.At, l.Reason)
	}
	if run := runs[0]; run.Closures+run.Machine != 0 || run.Left == 0 {
		t.Errorf("while it rests: %+v", run)
	}
	const frames = leaving + 40
	reports, runs = explained(t, source, frames)
	if l, run := reports[0], runs[0]; l.Reason != "" || run.Closures < 200 {
		t.Errorf("after %d frames: %q, %+v", frames, l.Reason, run)
	}
}
