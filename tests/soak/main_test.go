package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// flat is a report in which nothing grows.
func flat() []sample {
	return slices.Repeat([]sample{{heap: 50 << 20, process: 80 << 20, goroutines: 3, median: time.Millisecond, p99: 4 * time.Millisecond}}, lines)
}

func TestGrown(t *testing.T) {
	if err := grown(flat()); err != nil {
		t.Errorf("a flat run has grown: %v", err)
	}
	warm := flat()
	warm[1].process = 1 << 30
	if err := grown(warm); err != nil {
		t.Errorf("memory of the warm-up counts: %v", err)
	}
	noisy := flat()
	for i := lines / 2; i < lines-1; i++ { // by other work on the machine, for a while
		noisy[i].median, noisy[i].p99 = 5*time.Millisecond, time.Second
	}
	if err := grown(noisy); err != nil {
		t.Errorf("other work on the machine counts: %v", err)
	}
	for name, grow := range map[string]func(*sample){
		"heap":            func(s *sample) { s.heap = 58 << 20 },
		"process":         func(s *sample) { s.process = 91 << 20 },
		"goroutines":      func(s *sample) { s.goroutines = 4 },
		"median":          func(s *sample) { s.median = 1600 * time.Microsecond },
		"99th percentile": func(s *sample) { s.p99 = 9 * time.Millisecond },
	} {
		report := flat()
		for i := lines / 2; i < lines; i++ {
			grow(&report[i])
		}
		if err := grown(report); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s grew in the second half of the run: %v", name, err)
		}
		if name == "heap" || name == "process" || name == "goroutines" {
			once := flat()
			grow(&once[lines/2])
			if err := grown(once); err == nil {
				t.Errorf("%s grew in the middle of the run, and nothing is said", name)
			}
		}
	}
}

// TestSoak runs the world of the command for a short time: its systems work, and fail, with each implementation alike.
func TestSoak(t *testing.T) {
	digests := map[ecs.Digest]bool{}
	for _, impl := range []string{"auto", "closures", "lua"} {
		rt, c, err := open(impl)
		if err != nil {
			t.Fatal(err)
		}
		if err := rt.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 150 {
			if err := rt.Frame(t.Context(), c.Run.DT); err != nil {
				t.Fatal(err)
			}
		}
		digests[rt.World().Digest()] = true
		if f := rt.Failures(); f.Errors < 50 || !strings.Contains(f.FirstError.Error(), "a failure of frame") {
			t.Errorf("%s: %d failures, the first: %v", impl, f.Errors, f.FirstError)
		}
		if n := rt.World().Stats().Entities; n < 5 {
			t.Errorf("%s: %d entities are left", impl, n)
		}
		_ = rt.Close()
	}
	if len(digests) != 1 {
		t.Errorf("the digests differ: %v", digests)
	}
}
