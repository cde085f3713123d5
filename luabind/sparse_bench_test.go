package luabind

import (
	"context"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// What a loop costs per entity whose query looks at rows: every second of 10,000
// has the tag.
func BenchmarkLoopTagged(b *testing.B) {
	const n = 10_000
	run := func(b *testing.B, impl Impl) {
		columns := loopWorld(b, n)
		for i, e := range columns.all {
			if i%2 == 0 {
				columns.hurt.Tag(e)
			}
		}
		c := loopCase{name: "tagged", lua: `
  for e, pos, vel in world:each(moving) do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
  end`, native: columns.moveTagged(b)}
		w := columns.world
		r, err := New(Options{
			Log:   strictLog(b),
			World: w, Limits: Limits{Instructions: 1 << 40},
			Scripts: files(map[string]string{"a": "local ecs = require(\"ecs\")\nlocal moving = ecs.query{ \"Position\", \"Velocity\", tagged = { \"hurt\" } }\nreturn function(world, dt)" + c.lua + "\nend"}),
			Natives: map[string]ecs.NativeFunc{"a": func(*ecs.World) (ecs.SystemFunc, error) {
				return func(_ *ecs.World, dt float64) error { c.native(columns, dt); return nil }, nil
			}},
		})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Native: "a", Impl: impl})
		}
		if err == nil {
			err = r.Load()
		}
		if err == nil {
			err = r.Start(context.Background())
		}
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := r.Frame(context.Background(), 0.001); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n/2), "ns/entity")
	}
	for _, impl := range []Impl{Closures, Auto, Native} {
		b.Run(impl.String(), func(b *testing.B) { run(b, impl) })
	}
}

// moveTagged is the loop in Go, over the same query.
func (c *benchColumns) moveTagged(tb testing.TB) func(*benchColumns, float64) {
	ecs.MustRegister[benchPos](c.world, "Position")
	ecs.MustRegister[benchVel](c.world, "Velocity")
	tag, _ := c.world.LookupTag("hurt")
	q, err := ecs.NewQuery2[ecs.Mut[benchPos], benchVel](c.world, ecs.Filter{Tagged: []ecs.TagID{tag}})
	if err != nil {
		tb.Fatal(err)
	}
	return func(_ *benchColumns, dt float64) {
		for e := q.Start(); e.Ok(); e = e.Next() {
			p, v := e.Get()
			p.V.X += v.DX * dt
			p.V.Y += v.DY * dt
		}
	}
}
