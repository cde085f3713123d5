package machine

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// handedOver are bodies that read and assign variables of each type from around the loop, with a mark and without, in rows that closures do.
var handedOver = []string{
	`if a.x > 1e9 then word = "b" end`, `if word == "calm" then a.y = 5 end`, `word = a.x > 3 and "x" or word`, `if a.x == 4 then word = "four" end if word == "four" then a.y = 9 end`,
	"if a.x > 1e9 then flag = false end", "if flag then a.y = 3 end", "flag = not flag", "if a.x == 4 then flag = false end if flag then a.y = 9 end",
	"if a.x > 1e9 then sum = 1 end", "a.y = n", "sum = sum + a.x", "if a.x > sum then sum = a.x end a.y = sum",
	"if a.x > 1e9 then best = 1 end", "if best == nil or a.x < best then best = a.x end", "if a.x == 4 then best = 2 end a.y = best or 7", "if best then a.y = best end if a.x == 3 then best = a.x end",
	"list[2] = list[2] + a.x a.y = list[2]", "if a.x == 70 then return a.x, word, flag end", "a.y = ecs.random() + ecs.random(5)", "for i = 1, 3 do sum = sum + i end",
}

// Closures that take over a run, at its first row or in the middle of it, go on with the values of all variables, and leave theirs.
func TestHandOverOfEachType(t *testing.T) {
	t.Parallel()
	inputs := map[string]float64{"sum": 2.5, "n": 4, "flag": 1}
	for _, body := range handedOver {
		for _, fuel := range []int64{0, 500} {
			run := func(prepare func(k *Kernel)) string {
				rows := 0.0
				b := newBeds(t, []int{100, 30}, "A", func() float64 { rows++; return float64(int(rows-1) / 2) })
				p, template, reason := b.program(body)
				if reason != nil {
					t.Fatalf("%s: %v", body, reason)
				}
				var code kernel.Kernel = closures.Compile(p, b.budget)
				if prepare != nil {
					k := b.machine(p, packing.Forms, false)
					prepare(k)
					code = k
				}
				for i := range p.Tables {
					code.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
				}
				seen := b.trace(code, p, template, inputs, fuel)
				for _, r := range code.Results() {
					seen += r.S + same64(r.N) + "\n"
				}
				return seen + b.world.Digest().String()
			}
			want := run(nil)
			if got := run(func(k *Kernel) { k.watch.Stop() }); got != want {
				t.Errorf("%s, fuel %d, from the first row on\n%s", body, fuel, differences(want, got))
			}
			if got := run(func(k *Kernel) {
				k.watch.Begin(func(*kernel.Difference) {}, 1)
				calls := 0
				k.wrong = func(row, done int) {
					if calls++; calls == 2 {
						*k.frame.Fuel.Left -= 1000
					}
				}
			}); got != want {
				t.Errorf("%s, fuel %d, from the second call on\n%s", body, fuel, differences(want, got))
			}
		}
	}
}
