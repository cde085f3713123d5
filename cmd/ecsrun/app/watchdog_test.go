package app

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

const plenty = 1 << 50

func TestWatchdogTime(t *testing.T) {
	w := newWatchdog(time.Second, plenty)
	var got error
	w.Begin(func(err error) { got = err })
	w.look(time.Now())
	if got != nil {
		t.Fatalf("interrupted before its time: %v", got)
	}
	w.look(time.Now().Add(2 * time.Second))
	if got == nil || !strings.Contains(got.Error(), "1s (limits.system_time") {
		t.Fatalf("after its time: %v", got)
	}
	got = nil
	w.look(time.Now().Add(3 * time.Second))
	if got != nil {
		t.Fatalf("interrupted twice: %v", got)
	}
	w.End()
	w.Begin(func(err error) { got = err })
	w.End()
	w.look(time.Now().Add(time.Hour))
	if got != nil {
		t.Fatalf("interrupted after End: %v", got)
	}
}

func TestWatchdogMemory(t *testing.T) {
	const limit = 32 << 20
	w := newWatchdog(time.Hour, limit)
	var got error
	w.Begin(func(err error) { got = err })

	for range 4 { // garbage is not held
		_ = make([]byte, limit)
	}
	w.look(time.Now())
	if got != nil {
		t.Fatalf("interrupted by garbage: %v", got)
	}

	held := make([]byte, 3*limit)
	w.look(time.Now().Add(time.Second))
	if got == nil || !strings.Contains(got.Error(), "more than 32 MiB (limits.memory") {
		t.Fatalf("96 MiB held: %v", got)
	}
	runtime.KeepAlive(held)
}

func TestWatchdogLeavesTheWorldsOut(t *testing.T) {
	const limit = 4 << 20
	w := newWatchdog(time.Hour, limit)
	world, other := ecs.NewWorld(ecs.Options{}), ecs.NewWorld(ecs.Options{})
	w.beside(world, other)
	for _, world := range []*ecs.World{world, other} {
		if err := world.Reserve(1 << 20); err != nil {
			t.Fatal(err)
		}
		if world.Bytes() < 2*limit {
			t.Fatalf("the world holds %d bytes, too few for this test", world.Bytes())
		}
	}
	var got error
	w.Begin(func(err error) { got = err })
	w.look(time.Now())
	if got != nil {
		t.Fatalf("interrupted by the worlds: %v", got)
	}
	runtime.KeepAlive(world)
	runtime.KeepAlive(other)
}

// The goroutine finds a call that runs too long, also after it slept.
func TestWatchdogWakes(t *testing.T) {
	w := startWatchdog(time.Millisecond, plenty)
	defer w.close()
	for i := range 3 {
		if i > 0 {
			for asleep := false; !asleep; runtime.Gosched() {
				w.mu.Lock()
				asleep = w.asleep
				w.mu.Unlock()
			}
		}
		interrupted := make(chan error, 1)
		w.Begin(func(err error) { interrupted <- err })
		if err := <-interrupted; err == nil {
			t.Fatalf("interrupted with %v", err)
		}
		w.End()
	}
}

func TestWatchdogAllocatesNothing(t *testing.T) {
	w := newWatchdog(time.Hour, plenty)
	interrupt := func(error) {}
	if n := testing.AllocsPerRun(100, func() { w.Begin(interrupt); w.End() }); n != 0 {
		t.Fatalf("%v allocations per call", n)
	}
}
