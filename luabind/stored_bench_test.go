package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// BenchmarkStored is what elements of a table in a resource cost, of 3,200 each: outside of query loops nothing is copied. The floor is the same
// loop over a Lua table.
func BenchmarkStored(b *testing.B) {
	const before = "local plain = {}\nfor i = 1, 3200 do plain[i] = i end\n"
	for _, c := range []struct{ name, body string }{
		{"read", `local s = 0 for i = 1, 3200 do s = s + world.resources.map[i] end`},
		{"write", `for i = 1, 3200 do world.resources.map[i] = i end`},
		{"change", `for i = 2, 3200 do world.resources.map[i] = world.resources.map[i - 1] + 1 end`},
		{"length", `local s = 0 for i = 1, 3200 do s = s + #world.resources.map end`},
		{"plain", `local s = 0 for i = 1, 3200 do s = s + plain[i] end`},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
			declareForTests(b, w)
			list := make([]ecs.DataEntry, 3200)
			for i := range list {
				list[i] = ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: ecs.Number(1)}
			}
			if _, err := w.DeclareResource("map", ecs.TableField, ecs.TableOf(ecs.Must(ecs.NewData(list)))); err != nil {
				b.Fatal(err)
			}
			frame := frameOf(b, w, Auto, before+"return function(world)\n"+c.body+"\nend")
			for range 3 {
				frame()
			}
			b.ReportAllocs()
			quickest(b, 1, len(list), "element", frame)
		})
	}
}
