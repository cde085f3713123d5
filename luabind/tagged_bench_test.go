package luabind

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// BenchmarkTaggedLoops walks the tagged ones of 100,000 rows, beside a component as the mark, and beside a loop in Go over a bit mask and two slices.
func BenchmarkTaggedLoops(b *testing.B) {
	const n = 100_000
	for _, every := range []int{2, 8, 64} {
		for _, c := range [][2]string{
			{`world:tag(e, "marked")`, `tagged = { "marked" }`},
			{`world:set(e, "Mark", { n = 1 })`, `"Mark"`},
		} {
			mark, walked := c[0], c[1]
			b.Run(fmt.Sprintf("1 of %d, %s", every, walked), func(b *testing.B) {
				frame := frameOf(b, ecs.NewWorld(ecs.Options{Memory: NewMemory()}), Auto, fmt.Sprintf(`local ecs = require("ecs")
ecs.component("Position", { x = "f64", y = "f64" }) ecs.component("Velocity", { x = "f64", y = "f64" }) ecs.component("Mark", { n = "u8" }) ecs.tag("marked")
local q = ecs.query{ "Position", "Velocity", %s }
return {
  init = function(world) for i = 1, %d do local e = world:spawn{ Position = {}, Velocity = { x = 1, y = 2 } } if i %% %d == 0 then %s end end end,
  update = function(world) for e, p, v in world:each(q) do p.x = p.x + v.x end end,
}`, walked, n, every, mark))
				for range 20 {
					frame()
				}
				quickest(b, 4, n/every, "row", frame)
			})
		}
		b.Run(fmt.Sprintf("1 of %d, floor", every), func(b *testing.B) {
			type pair [2]float64
			positions, velocities, mask := make([]pair, n), make([]pair, n), make([]uint64, (n+63)/64)
			for i := every - 1; i < n; i += every {
				mask[i/64] |= 1 << (i % 64)
			}
			quickest(b, 4, n/every, "row", func() {
				for block, word := range mask {
					for ; word != 0; word &= word - 1 {
						i := block*64 + bits.TrailingZeros64(word)
						positions[i][0] += velocities[i][0]
					}
				}
			})
		})
	}
}
