package luabind

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkRollBack compares turns that end with a compiled loop over 100,000 rows under stop, which takes nothing back,
// and under skip: a loop that cannot fail, the same with a statement behind it, and loops with more work for each row.
// Beside them is the loop over plain slices.
func BenchmarkRollBack(b *testing.B) {
	const n = 100_000
	b.Run("slices", func(b *testing.B) {
		type position struct{ X, Y float64 }
		type velocity struct{ DX, DY float64 }
		p, v := make([]position, n), make([]velocity, n)
		b.ReportAllocs()
		for b.Loop() {
			for i := range p {
				p[i].X += v[i].DX * 0.5
				p[i].Y += v[i].DY * 0.5
			}
		}
	})
	const move = `for e, pos, vel in world:each("Position", "Velocity") do pos.x = pos.x + vel.dx * dt pos.y = pos.y + vel.dy * dt end`
	for _, c := range []struct{ name, body string }{
		{"last", move},
		{"a statement behind", move + " local done = 1"},
		{"10 ns a row", `for e, pos, vel in world:each("Position", "Velocity") do local d = math.sqrt(pos.x * pos.x + pos.y * pos.y) + 1 pos.x = pos.x + math.sin(vel.dx / d) * dt pos.y = pos.y + vel.dy / d * dt end local done = 1`},
		{"30 ns a row", `for e, pos, vel in world:each("Position", "Velocity") do local a = pos.x for i = 1, 8 do a = math.sqrt(a * a + vel.dx) / 1.5 end pos.x = a pos.y = pos.y + vel.dy * dt end local done = 1`},
		{"80 ns a row", `for e, pos, vel in world:each("Position", "Velocity") do local a = pos.x for i = 1, 24 do a = math.sqrt(a * a + vel.dx) / 1.5 end pos.x = a pos.y = pos.y + vel.dy * dt end local done = 1`},
	} {
		for _, policy := range []Policy{Stop, Skip} {
			b.Run(fmt.Sprintf("%s/%v", c.name, policy), func(b *testing.B) {
				w := movingWorld(b, n)
				r, err := New(Options{Log: strictLog(b), World: w, Limits: Limits{OnError: policy}, Scripts: files(map[string]string{"a": "return function(world, dt) " + c.body + " end"})})
				if err != nil {
					b.Fatal(err)
				}
				if err := r.Add(System{Name: "a", Script: "a.lua"}); err != nil {
					b.Fatal(err)
				}
				if err := r.Load(); err != nil {
					b.Fatal(err)
				}
				if err := r.Start(context.Background()); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if err := r.Frame(context.Background(), 1.0/60); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
