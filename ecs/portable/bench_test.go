package portable

import (
	"math"
	"testing"
)

var sink float64

// BenchmarkAgainstMath has for each function ours and math's side by side.
func BenchmarkAgainstMath(b *testing.B) {
	for _, u := range unary {
		run := func(name string, f func(float64) float64) {
			b.Run(u.name+"/"+name, func(b *testing.B) {
				from, step := max(u.from, 0.01), (u.to-max(u.from, 0.01))/256
				total, i := 0.0, 0
				for b.Loop() {
					total += f(from + float64(float64(i&255)*step))
					i++
				}
				sink = total
			})
		}
		run("ours", u.f)
		run("math", u.loose)
	}
	for _, u := range []struct {
		name     string
		f, loose func(a, b float64) float64
	}{{"Atan2", Atan2, math.Atan2}, {"Pow", Pow, math.Pow}, {"Fmod", Fmod, math.Mod}} {
		run := func(name string, f func(a, b float64) float64) {
			b.Run(u.name+"/"+name, func(b *testing.B) {
				total, i := 0.0, 0
				for b.Loop() {
					total += f(0.7+float64(float64(i&255)*0.37), 1.3)
					i++
				}
				sink = total
			})
		}
		run("ours", u.f)
		run("math", u.loose)
	}
}
