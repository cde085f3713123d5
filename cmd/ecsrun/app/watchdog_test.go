package app

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/tests/effort"
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

// What worlds hold is not counted as memory of scripts, wherever it lies; what scripts hold is counted, however large the worlds are.
func TestWatchdogLeavesTheWorldsOut(t *testing.T) {
	const limit = 8 << 20
	for name, memory := range map[string]func() ecs.Memory{"heap": func() ecs.Memory { return nil }, "outside": luabind.NewMemory} {
		for i, kind := range []string{"rows", "reserved", "tags", "grid", "strings", "events", "relations", "undo", "churn"} {
			if (name == "heap") != (i%2 == 0) && !effort.More() {
				continue
			}
			t.Run(kind+" "+name, func(t *testing.T) {
				w := newWatchdog(time.Hour, limit)
				world, other := ecs.NewWorld(ecs.Options{Memory: memory()}), ecs.NewWorld(ecs.Options{Memory: memory()})
				w.beside(world)
				w.beside(other)
				for _, world := range []*ecs.World{world, other} {
					fill(t, world, kind)
					if world.Bytes() < 2*limit {
						t.Fatalf("the world holds %d bytes, too few for this test", world.Bytes())
					}
				}
				var got error
				w.Begin(func(err error) { got = err })
				now := time.Now()
				look := func() {
					for range 3 { // the limit must be passed in two collections
						now = now.Add(time.Second)
						w.collected = time.Time{}
						w.look(now)
					}
				}
				if w.look(now); got != nil {
					t.Fatalf("ended by the worlds: %v", got)
				}
				if look(); got != nil {
					t.Fatalf("ended by the worlds: %v", got)
				}
				hoard := make([]byte, limit+limit/4)
				if look(); got == nil {
					t.Fatalf("a hoard of %d bytes is not found beside %d bytes of worlds, %d of them on the heap", len(hoard), world.Bytes()+other.Bytes(), world.HeapBytes()+other.HeapBytes())
				}
				runtime.KeepAlive(hoard)
				runtime.KeepAlive(world)
				runtime.KeepAlive(other)
			})
		}
	}
}

type wideRow struct{ A, B, C, D, E, F, G, H, I, J, K, L float64 }

// fill makes a world large in one way.
func fill(t *testing.T, w *ecs.World, kind string) {
	t.Helper()
	const n = 300_000
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	type position struct{ X, Y float64 }
	type name struct{ First, Last string }
	spawn := func(ids ...ecs.ComponentID) []ecs.Entity {
		b, err := w.Bundle(ids...)
		must(err)
		all, err := b.SpawnMany(n, nil)
		must(err)
		return append([]ecs.Entity(nil), all...)
	}
	switch kind {
	case "rows":
		spawn(ecs.MustRegister[position](w, "Position").ID(), ecs.MustRegister[wideRow](w, "Wide").ID())
	case "reserved":
		must(w.Reserve(1 << 21))
	case "tags":
		all := spawn()
		for i := range 6 {
			tag, err := w.DeclareTag("tag" + string(rune('a'+i)))
			must(err)
			for _, e := range all {
				w.Tag(e, tag)
			}
		}
	case "grid":
		position := ecs.MustRegister[position](w, "Position")
		spawn(position.ID())
		g, err := w.DeclareGrid(ecs.GridSpec{Name: "near", Component: position.ID(), X: "x", Y: "y", Cell: 4})
		must(err)
		g.Near(0, 0, 1, func(ecs.Entity, float64) bool { return true })
	case "strings":
		spawn(ecs.MustRegister[name](w, "Name").ID())
	case "events":
		hit, err := ecs.RegisterEvent[wideRow](w, "Hit")
		must(err)
		w.EventReader(hit.ID())
		for range n {
			hit.Send(wideRow{})
		}
	case "relations":
		all := spawn()
		on, err := w.DeclareRelation("On")
		must(err)
		for i, e := range all {
			_, err := w.Relate(e, on, all[i/2])
			must(err)
		}
	case "undo":
		position := ecs.MustRegister[position](w, "Position")
		wide := ecs.MustRegister[wideRow](w, "Wide")
		all := spawn(position.ID(), wide.ID())
		s := ecs.NewSchedule(w)
		s.RollBack = true
		_, err := s.AddSystem(ecs.SystemSpec{Name: "all", Run: func(w *ecs.World, dt float64) error {
			for _, e := range all {
				wide.Modify(e, func(v *wideRow) { v.A++ })
			}
			return nil
		}})
		must(err)
		must(s.Run(1))
	case "churn":
		all := spawn(ecs.MustRegister[position](w, "Position").ID(), ecs.MustRegister[wideRow](w, "Wide").ID())
		for _, e := range all {
			_, err := w.Despawn(e)
			must(err)
		}
		w.EndFrame()
	default:
		t.Fatal(kind)
	}
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
