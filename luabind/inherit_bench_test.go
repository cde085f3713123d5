package luabind

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// BenchmarkInherited is a loop over 5,000 rows whose second component is their own, or that of one base.
func BenchmarkInherited(b *testing.B) {
	for name, spawn := range map[string]string{"own": "Speed = { v = 2 }", "base": "IsA = base"} {
		b.Run(name, func(b *testing.B) {
			w := ecs.NewWorld(ecs.Options{Memory: NewMemory()})
			for _, name := range []string{"At", "Speed"} {
				ecs.Must(w.DeclareComponent(name, ecs.Must(ecs.NewSchema(ecs.Field{Name: "v", Type: ecs.F64}))))
			}
			rt := ecs.Must(New(Options{World: w, Scripts: fstest.MapFS{"a.lua": {Data: []byte(`return {
  init = function(world)
    local base = world:spawn{ Speed = { v = 2 } }
    for i = 1, 5000 do world:spawn{ At = {}, ` + spawn + ` } end
  end,
  update = function(world)
    for e, at, speed in world:each("At", "Speed") do at.v = at.v + speed.v end
  end,
}`)}}}))
			if err := rt.Add(System{Name: "a", Script: "a.lua"}); err != nil {
				b.Fatal(err)
			}
			if err := rt.Load(); err != nil {
				b.Fatal(err)
			}
			ctx := context.Background()
			if err := rt.Start(ctx); err != nil {
				b.Fatal(err)
			}
			frame := func() {
				if err := rt.Frame(ctx, 1); err != nil {
					b.Fatal(err)
				}
			}
			for range 50 {
				frame()
			}
			quickest(b, 20, 1, "turn", frame)
		})
	}
}
