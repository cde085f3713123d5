package luabind

import (
	"context"
	"slices"
	"testing"
	"time"
)

// BenchmarkRollBack compares turns with a compiled loop over 100,000 rows under stop, which takes nothing back, and under skip: a loop that cannot fail, the same with
// a statement behind it, and loops with more and more work for each row. The two take turns with the loop over plain slices and with a plain copy of the
// 16 bytes that each row writes, so that other work on the machine meets all alike; what is reported is the time that one round in fifty stays under.
func BenchmarkRollBack(b *testing.B) {
	const n = 100_000
	const move = `for e, pos, vel in world:each("Position", "Velocity") do pos.x = pos.x + vel.dx * dt pos.y = pos.y + vel.dy * dt end`
	roots := func(times string) string {
		return `for e, pos, vel in world:each("Position", "Velocity") do local a = pos.x for i = 1, ` + times + ` do a = math.sqrt(a * a + vel.dx) / 1.5 end pos.x = a pos.y = pos.y + vel.dy * dt end local done = 1`
	}
	for _, c := range []struct{ name, body string }{
		{"last", move},
		{"a statement behind", move + " local done = 1"},
		{"two roots", roots("2")},
		{"four roots", roots("4")},
		{"sine", `for e, pos, vel in world:each("Position", "Velocity") do local d = math.sqrt(pos.x * pos.x + pos.y * pos.y) + 1 pos.x = pos.x + math.sin(vel.dx / d) * dt pos.y = pos.y + vel.dy / d * dt end local done = 1`},
		{"eight roots", roots("8")},
		{"24 roots", roots("24")},
	} {
		b.Run(c.name, func(b *testing.B) {
			type pair struct{ X, Y float64 }
			p, v, kept := make([]pair, n), make([]pair, n), make([]pair, n)
			rounds := interleaved(b, rollBackTurn(b, n, Stop, c.body), rollBackTurn(b, n, Skip, c.body), func() {
				for i := range p {
					p[i].X += v[i].X * 0.5
					p[i].Y += v[i].Y * 0.5
				}
			}, func() { copy(kept, p) })
			b.ReportMetric(rounds[0]/n, "stop-ns/row")
			b.ReportMetric(rounds[1]/n, "skip-ns/row")
			b.ReportMetric(rounds[2]/n, "slices-ns/row")
			b.ReportMetric(rounds[3]/n, "copy-ns/row")
			b.ReportMetric(rounds[1]/rounds[0], "ratio")
		})
	}
}

// rollBackTurn makes a world with a system of this body, and returns what runs a frame of it.
func rollBackTurn(b *testing.B, n int, policy Policy, body string) func() {
	r, err := New(Options{Log: strictLog(b), World: movingWorld(b, n), Limits: Limits{OnError: policy}, Scripts: files(map[string]string{"a": "return function(world, dt) " + body + " end"})})
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
	return func() {
		if err := r.Frame(context.Background(), 1.0/60); err != nil {
			b.Fatal(err)
		}
	}
}

// interleaved runs functions one after the other in each round, and returns for each the nanoseconds that one in fifty of its rounds stays under.
func interleaved(b *testing.B, runs ...func()) []float64 {
	took := make([][]time.Duration, len(runs))
	for b.Loop() {
		for i, run := range runs {
			began := time.Now()
			run()
			took[i] = append(took[i], time.Since(began))
		}
	}
	var low []float64
	for _, rounds := range took {
		slices.Sort(rounds)
		low = append(low, float64(rounds[len(rounds)/50].Nanoseconds()))
	}
	return low
}
