package luabind

import (
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A row that machine code runs again, because a table had no room for a key, is paid for once: the budget ends at the same
// row as by closures, and the rows before it are done.
func TestRowsThatRunAgainArePaidOnce(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"rows of one price": `local list = {}
			for e, pos in world:each("Position") do pos.x = pos.x + 1 list[e] = (list[e] or 0) + 1 list[-e] = pos.x end
			for i = 1, 1000000 do end`,
		"rows with loops": `local list, n = {}, 0
			for e, pos in world:each("Position") do
				n = n + 1
				pos.x = pos.x + 1
				for i = 1, n > 500 and 2000 or 30 do local k = e * 100 + i list[k] = (list[k] or 0) + i end
				if n > 510 then while true do pos.x = pos.x + 1 end end
			end`,
		"rows that ask a large table": `local list, n = {}, 0
			for i = 1, 300 do list[i + 0.5] = i end
			for e, pos in world:each("Position") do
				n = n + 1
				pos.x = pos.x + 1
				for i = 1, n > 500 and 2000 or 3 do local k = (i + n) * 7 % 300 + 1.5 list[k] = list[k] + 1 end
			end`,
	} {
		sums := map[Impl]ecs.Digest{}
		for _, impl := range []Impl{Closures, Auto} {
			w, r, err := limitedRun(t, impl, nil, body, 30_000)
			var failed *ScriptError
			if !errors.As(err, &failed) {
				t.Errorf("%s, %v: the budget suffices: %v", name, impl, err)
			}
			if n := r.runner("a.lua").MachineKernels(); impl == Auto && n != 1 {
				t.Errorf("%s: %d loops are machine code", name, n)
			}
			sums[impl] = w.Digest()
		}
		if sums[Closures] != sums[Auto] {
			t.Errorf("%s: the budget ends at another row", name)
		}
	}
}
