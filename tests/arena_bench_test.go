package tests

import (
	"testing"
	"time"
)

// Frames of a battle of 10,000, all systems in Lua as impl auto runs them, and with the hot ones in Go. The start of the run is left out, and
// its first frame. The two take turns, and the quickest run of each counts: what else the machine does meets both alike.
func BenchmarkArena(b *testing.B) {
	const frames, turns = 150, 3
	impls := [...]string{"auto", "native"}
	run := func(impl, n string) time.Duration {
		args := []string{"run", "../config/arena.yaml", "--quiet", "--set", "resources.units=10000", "--frames", n}
		for _, name := range twoWay() {
			args = append(args, "--set", "systems."+name+".impl="+impl)
		}
		began := time.Now()
		ecsrun(b, args...)
		return time.Since(began)
	}
	var quickest [len(impls)]time.Duration
	for turn := range turns {
		for i, impl := range impls {
			if took := run(impl, "151") - run(impl, "1"); turn == 0 || took < quickest[i] {
				quickest[i] = took
			}
		}
	}
	for i, impl := range impls {
		b.Run(impl, func(b *testing.B) {
			for b.Loop() { // all is measured
			}
			b.ReportMetric(float64(quickest[i].Nanoseconds())/frames, "ns/frame")
			b.ReportMetric(0, "ns/op")
		})
	}
}
