package machine

import (
	"fmt"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/watch"
)

// What watching costs: ns/op is a run in which one call is watched, as it would be
// after as many calls as lie between two that are, and share-% is what that adds to
// those calls. Rows are few where a run is one short call, many where it is several
// long ones.
func BenchmarkWatch(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"product", "a.x = a.x + b.x * by"},
		{"branches", "if a.x > 5 then a.y = a.y + 1 elseif b.x > 3 then b.y = 2 end"},
		{"long", "for i = 1, 20 do a.x = a.x + math.sqrt(i * b.y) end"},
		{"events", `if a.x > 20 then world:send("Hit", { x = a.x, of = e, n = 3 }) end`},
		{"elsewhere", others},
		{"random", "a.x = ecs.random()"},
	} {
		for _, rows := range []int{1, 16, 64, 1000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", c.name, rows), func(b *testing.B) {
				bed := watchBed(b, rows)
				p, _, reason := bed.program(c.body)
				if reason != nil {
					b.Fatal(reason)
				}
				k := bed.machine(p, packing.Forms, false)
				run := func(watched bool) {
					if watched { // its first call, and then none
						k.watch.Begin(func(d *kernel.Difference) { b.Fatalf("%+v", d) }, 1<<30)
					}
					bed.world.BeginFrame(1)
					bed.budget.Reset(0)
					x := ecs.Raw.Begin(bed.query)
					k.Run(&x)
					bed.world.EndFrame()
				}
				for range 3 {
					run(true)
				}
				calls := (rows + abi.MostRows - 1) / abi.MostRows
				const plain = 20
				began, count := time.Now(), 0
				for time.Since(began) < 50*time.Millisecond {
					for range plain {
						run(false)
					}
					count += plain
				}
				unwatched := float64(time.Since(began).Nanoseconds()) / float64(count)
				for b.Loop() {
					run(true)
				}
				watched := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(100*(watched-unwatched)/(unwatched*watch.Every/float64(calls)), "share-%")
				b.ReportMetric(watched-unwatched, "ns-more")
			})
		}
	}
}
