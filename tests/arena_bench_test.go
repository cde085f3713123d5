package tests

import (
	"testing"
	"time"
)

// Frames of a battle of 10,000, all systems in Lua as impl auto runs them, and with the hot ones in Go. The start of the run is left out.
func BenchmarkArena(b *testing.B) {
	const frames = 150
	for _, impl := range []string{"auto", "native"} {
		b.Run(impl, func(b *testing.B) {
			args := []string{"run", "../config/arena.yaml", "--quiet", "--set", "resources.units=10000"}
			for _, name := range twoWay() {
				args = append(args, "--set", "systems."+name+".impl="+impl)
			}
			wall := func(n string) time.Duration {
				began := time.Now()
				ecsrun(b, append(args, "--frames", n)...)
				return time.Since(began)
			}
			var took time.Duration
			for b.Loop() {
				took += wall("151") - wall("1")
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(b.N)/frames, "ns/frame")
		})
	}
}
