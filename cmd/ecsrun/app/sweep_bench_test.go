package app

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/ecs/native"
)

// A job of one frame, after the first one of its point: what the start of a world costs a sweep.
func BenchmarkJobStart(b *testing.B) {
	for _, one := range []struct {
		name, config string
		set          []string
	}{
		{"arena", "config/arena.yaml", []string{"resources.units=50"}},
		{"tutorial", "config/tutorial.yaml", nil},
		{"predators", "config/gallery/predators.yaml", nil},
		{"army", "docs/sweeps/army.yaml", nil},
	} {
		b.Run(one.name, func(b *testing.B) {
			root, err := filepath.Abs("../../..")
			if err != nil {
				b.Fatal(err)
			}
			j := newJobRunner(&program{console: newConsole(io.Discard, io.Discard), natives: native.Systems()}, root, &plan.Bundle{Config: one.config, Frames: 1})
			defer j.close()
			run := func(seed uint64) {
				c, err := j.config(job.Request{Set: one.set, Seed: seed})
				if err != nil {
					b.Fatal(err)
				}
				if result, measured, err := j.world(context.Background(), c); err != nil || measured != "" || result.Status != job.OK {
					b.Fatal(result, measured, err)
				}
			}
			run(0)
			seed := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				seed++
				run(seed)
			}
		})
	}
}
