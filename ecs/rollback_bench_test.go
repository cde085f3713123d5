package ecs

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkRollBack compares turns that are to be taken back if they fail with turns that are not, over 100,000 entities with two components of 16 bytes. The two
// take turns with a plain copy of the values that are written, so that other work on the machine meets all alike; what is reported is the time that one round in
// fifty stays under.
func BenchmarkRollBack(b *testing.B) {
	const n = 100_000
	for _, name := range []string{"columns", "one in a hundred", "nothing"} {
		b.Run(name, func(b *testing.B) {
			without, with := rollBackTurns(b, n, false)[name], rollBackTurns(b, n, true)[name]
			values, kept := make([]position, n), make([]position, n)
			rounds := interleaved(b, without, with, func() { copy(kept, values) })
			b.ReportMetric(rounds[0]/n, "without-ns/row")
			b.ReportMetric(rounds[1]/n, "with-ns/row")
			b.ReportMetric(rounds[2]/n, "copy-ns/row")
			b.ReportMetric(rounds[1]/rounds[0], "ratio")
		})
	}
}

// rollBackTurns makes a world, and schedules of one system each.
func rollBackTurns(b *testing.B, n int, on bool) map[string]func() {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	bundle, err := w.Bundle(pos.ID(), vel.ID())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := bundle.SpawnMany(n, nil); err != nil {
		b.Fatal(err)
	}
	q, err := w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}})
	if err != nil {
		b.Fatal(err)
	}
	turns := map[string]func(){}
	for name, run := range map[string]SystemFunc{
		"columns": func(w *World, dt float64) error {
			for t := range q.Tables {
				p, v := pos.Slice(t), vel.Slice(t)
				for i := range p {
					p[i].X += v[i].DX * dt
					p[i].Y += v[i].DY * dt
				}
				pos.Column(t).StampAll()
			}
			return nil
		},
		"one in a hundred": func(w *World, dt float64) error {
			for t := range q.Tables {
				for i, e := range t.Entities() {
					if i%100 == 0 {
						pos.Write(e).X += dt
					}
				}
			}
			return nil
		},
		"nothing": func(w *World, dt float64) error { return nil },
	} {
		s := NewSchedule(w)
		s.RollBack = on
		s.Add(name, run)
		turns[name] = func() {
			if err := s.Run(0.1); err != nil {
				b.Fatal(err)
			}
		}
	}
	return turns
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

// BenchmarkKeepOld is a loop over plain slices of rows of 16 bytes, in ways that take turns: in place; with a copy of the old values
// before it; with a copy of each 256 rows right before they are written; and into a second slice, which keeps the old values without a copy.
func BenchmarkKeepOld(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n, " rows"), func(b *testing.B) {
			now, second, old, step := make([]position, n), make([]position, n), make([]position, n), make([]velocity, n)
			move := func(now []position, step []velocity) {
				step = step[:len(now)]
				for i := range now {
					now[i].X += step[i].DX * 0.25
					now[i].Y += step[i].DY * 0.25
				}
			}
			rounds := interleaved(b, func() { move(now, step) }, func() { copy(old, now); move(now, step) }, func() {
				const part = 256
				for from := 0; from < n; from += part {
					to := min(from+part, n)
					copy(old[from:to], now[from:to])
					move(now[from:to], step[from:to])
				}
			}, func() {
				to := second[:len(now)]
				for i := range now {
					to[i] = position{now[i].X + step[i].DX*0.25, now[i].Y + step[i].DY*0.25}
				}
				now, second = second, now
			})
			b.ReportMetric(rounds[0]/float64(n), "in-place-ns/row")
			b.ReportMetric(rounds[1]/rounds[0], "copied-ratio")
			b.ReportMetric(rounds[2]/rounds[0], "parts-ratio")
			b.ReportMetric(rounds[3]/rounds[0], "second-ratio")
		})
	}
}
