package luabind

import (
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// rareBodies are loops of which some rows come to an expensive branch: those whose k is less than a percentage.
var rareBodies = []struct{ name, body string }{
	{"test", `if p.k < %d then world:send("Told", { who = e, n = p.x }) end`},
	{"move", `p.x = p.x + p.v * dt if p.k < %d then world:send("Told", { who = e, n = p.x }) end`},
	{"print", `p.x = p.x + p.v * dt if p.k < %d then p.v = p.v + 1 if p.x < -1e9 then print("x", e) end end`},
}

// BenchmarkRareBranch has a turn over 2,000 entities, for shares of rows that come to the branch. The floor is the move over a slice.
func BenchmarkRareBranch(b *testing.B) {
	const n = 2000
	type row struct{ X, V, K float64 }
	b.Run("floor", func(b *testing.B) {
		rows := make([]row, n)
		b.ReportAllocs()
		for b.Loop() {
			for i := range rows {
				rows[i].X += rows[i].V * 0.1
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entity")
	})
	for _, c := range rareBodies {
		for _, percent := range []int{0, 1, 10, 60} {
			b.Run(fmt.Sprintf("%s/%d%%", c.name, percent), func(b *testing.B) {
				w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
				p := must(ecs.Register[row](w, "P"))
				for i := range n {
					e := must(w.Spawn(p.ID()))
					*p.Get(e) = row{X: float64(i), V: 1, K: float64(i * 7919 % 100)}
				}
				frame := frameOf(b, w, Auto, fmt.Sprintf("require('ecs').event('Told', { who = 'entity', n = 'f64' }) return function(world, dt) for e, p in world:each('P') do "+c.body+" end end", percent))
				b.ReportAllocs()
				for b.Loop() {
					frame()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entity")
			})
		}
	}
}
