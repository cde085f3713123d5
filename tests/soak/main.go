// Command soak runs a small world for millions of frames, and fails if memory, goroutines or the time of a frame grow. In the
// world entities, components, tags, relations, tables and strings come and go; a system fails in most frames, others wait for
// a condition that never holds, and nobody reads an event that is sent in each frame.
//
//	go run ./tests/soak                    ten million frames
//	go run ./tests/soak -frames 200000
//
// It prints a line for each twentieth of the run. Memory is what the process has in use (Linux: resident), goroutines are
// counted, and times are those of frames. The first quarter is warm-up: each later line is compared with the worst of the
// second quarter. The exit code is 1 if something has grown.
package main

import (
	"cmp"
	"context"
	"embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

//go:embed world
var world embed.FS

func main() {
	frames := flag.Int("frames", 10_000_000, "run `N` frames")
	impl := flag.String("impl", "auto", "the `implementation` of the systems: auto, closures or lua")
	flag.Parse()
	if err := soak(*frames, *impl); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// lines is the number of lines of the report.
const lines = 20

// soak runs the world and prints the report. It returns an error if something has grown.
func soak(frames int, impl string) error {
	rt, c, err := open(impl)
	if err != nil {
		return err
	}
	defer func() { _ = rt.Close() }()
	ctx := context.Background()
	if err := rt.Start(ctx); err != nil {
		return err
	}
	fmt.Printf("%12s %10s %10s %11s %10s %10s %10s %9s\n", "frame", "heap MB", "process MB", "goroutines", "median µs", "p99 µs", "entities", "failures")
	var report []sample
	times := make([]time.Duration, 0, frames/lines+1)
	for frame := 1; frame <= frames; frame++ {
		begin := time.Now()
		if err := rt.Frame(ctx, c.Run.DT); err != nil {
			return err
		}
		times = append(times, time.Since(begin))
		if frame*lines/frames == (frame-1)*lines/frames {
			continue
		}
		s := take(times)
		report, times = append(report, s), times[:0]
		fmt.Printf("%12d %10.2f %10.2f %11d %10.1f %10.1f %10d %9d\n", frame, megabytes(s.heap), megabytes(s.process), s.goroutines,
			s.median.Seconds()*1e6, s.p99.Seconds()*1e6, rt.World().Stats().Entities, rt.Failures().Errors)
	}
	fmt.Printf("digest %s\n", rt.World().Digest())
	return grown(report)
}

// open makes the world in a temporary folder, because a config and its scripts are files.
func open(impl string) (*luabind.Runtime, *config.Config, error) {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.CopyFS(dir, world); err != nil {
		return nil, nil, err
	}
	var overrides config.Overrides
	for _, system := range []string{"spawn", "move", "change", "fail", "late", "seldom", "age"} {
		overrides.Set = append(overrides.Set, "systems."+system+".impl="+impl)
	}
	return worldfile.Open(filepath.Join(dir, "world", "config.yaml"), overrides, luabind.Options{})
}

// A sample is what was measured in a part of the run.
type sample struct {
	heap, process uint64 // bytes
	goroutines    int
	median, p99   time.Duration // of the frames of this part
}

// take measures the process, after a collection. It sorts times.
func take(times []time.Duration) sample {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	slices.Sort(times)
	return sample{
		heap: m.HeapAlloc, process: resident(&m), goroutines: runtime.NumGoroutine(),
		median: times[len(times)/2], p99: times[len(times)*99/100],
	}
}

// resident returns the bytes of memory that the process uses: those that are resident where Linux says so, otherwise those
// that the Go runtime has taken from the system.
func resident(m *runtime.MemStats) uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	var size, pages uint64
	if err == nil {
		if _, err := fmt.Sscan(string(text), &size, &pages); err == nil {
			return pages * uint64(os.Getpagesize())
		}
	}
	return m.Sys - m.HeapReleased
}

// grown compares the second half of a run with its second quarter, and returns an error that names what has grown: memory by
// more than a tenth and 2 MB, goroutines by one. Other work on the machine only adds time, so of times the least of the last
// quarter is compared with the least of the second one: the median of frames may be one and a half times as long, the 99th
// percentile twice.
func grown(report []sample) error {
	n := len(report)
	quarter, half, last := report[n/4:n/2], report[n/2:], report[n-n/4:]
	least := func(list []sample, of func(sample) time.Duration) float64 {
		return of(slices.MinFunc(list, func(a, b sample) int { return cmp.Compare(of(a), of(b)) })).Seconds()
	}
	most := func(list []sample, of func(sample) float64) float64 {
		worst := 0.0
		for _, s := range list {
			worst = max(worst, of(s))
		}
		return worst
	}
	for _, m := range []struct {
		name         string
		of           func(sample) float64
		factor, more float64
	}{
		{"heap in bytes", func(s sample) float64 { return float64(s.heap) }, 1.1, 2 << 20},
		{"memory of the process in bytes", func(s sample) float64 { return float64(s.process) }, 1.1, 2 << 20},
		{"goroutines", func(s sample) float64 { return float64(s.goroutines) }, 1, 0.5},
	} {
		was, is := most(quarter, m.of), most(half, m.of)
		if is > was*m.factor+m.more {
			return fmt.Errorf("%s grew from %g in the second quarter of the run to %g in its second half", m.name, was, is)
		}
	}
	for _, m := range []struct {
		name   string
		of     func(sample) time.Duration
		factor float64
	}{
		{"median time of a frame in seconds", func(s sample) time.Duration { return s.median }, 1.5},
		{"99th percentile of a frame in seconds", func(s sample) time.Duration { return s.p99 }, 2},
	} {
		if was, is := least(quarter, m.of), least(last, m.of); is > was*m.factor {
			return fmt.Errorf("%s grew from %g in the second quarter of the run to %g in its last one", m.name, was, is)
		}
	}
	return nil
}

func megabytes(bytes uint64) float64 { return float64(bytes) / (1 << 20) }
