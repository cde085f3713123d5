package ecs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// A slowMemory blocks the goroutine that asks it for memory next, in the middle of what it is doing with the world.
type slowMemory struct{ asked, goOn chan struct{} }

func (m *slowMemory) Alloc(uintptr) unsafe.Pointer {
	if m.asked != nil {
		close(m.asked)
		m.asked = nil
		<-m.goOn
	}
	return nil // then the world takes memory of Go
}

func (m *slowMemory) Free(unsafe.Pointer, uintptr) {}

// panicOf returns what fn panics with, "" if it does not.
func panicOf(fn func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint(v)
		}
	}()
	fn()
	return ""
}

// sure ends the test program if there is an error.
func sure(err error) { must(0, err) }

// growing is what the other goroutine does: it is named in the message.
func growing(w *ecs.World) {
	for range 100 {
		must(w.Spawn())
	}
}

// Whatever a goroutine does while another one changes the structure of the world panics, and both are named. The channels make
// the two uses one after the other for the race detector.
func TestTwoGoroutinesAreNamed(t *testing.T) {
	const position = ecs.ComponentID(2) // after ChildOf and IsA
	for name, use := range map[string]func(w *ecs.World, e ecs.Entity){
		"Spawn":         func(w *ecs.World, _ ecs.Entity) { must(w.Spawn()) },
		"Despawn":       func(w *ecs.World, e ecs.Entity) { must(w.Despawn(e)) },
		"Add":           func(w *ecs.World, e ecs.Entity) { must(w.Add(e, position)) },
		"Spawner.Spawn": func(w *ecs.World, _ ecs.Entity) { must(must(ecs.NewSpawner1[Position](w)).Spawn(Position{})) },
		"Bundle.Spawn":  func(w *ecs.World, _ ecs.Entity) { must(must(w.Bundle(position)).Spawn()) },
		"SpawnRows":     func(w *ecs.World, _ ecs.Entity) { must(must(w.Bundle(position)).SpawnRows(5, nil)) },
		"DespawnAll":    func(w *ecs.World, _ ecs.Entity) { must(must(w.Query(ecs.Filter{})).DespawnAll()) },
		"Start":         func(w *ecs.World, _ ecs.Entity) { must(ecs.NewQuery1[ecs.Mut[Position]](w)).Start() },
		"Restore":       func(w *ecs.World, _ ecs.Entity) { sure(w.Restore(w.Blank(ecs.Options{}))) },
		"Save":          func(w *ecs.World, _ ecs.Entity) { sure(w.Save(&strings.Builder{})) },
		"Commands": func(w *ecs.World, e ecs.Entity) {
			w.Commands().Despawn(e)
			sure(w.Commands().Apply())
		},
	} {
		t.Run(name, func(t *testing.T) {
			memory := &slowMemory{}
			w := ecs.NewWorld(ecs.Options{Memory: memory})
			ecs.MustRegister[Position](w, "Position")
			e := must(w.Spawn())
			asked, goOn, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
			memory.asked, memory.goOn = asked, goOn
			go func() {
				defer close(done)
				growing(w)
			}()
			<-asked
			text := panicOf(func() { use(w, e) })
			if !regexp.MustCompile(`^ecs: two goroutines use one world at the same time: goroutine \d+ \(.*ecs_test\.[^ ]*, /.*goroutines_test\.go:\d+\) and goroutine \d+ \(.*ecs_test\.\(\*slowMemory\)\.Alloc, /.*goroutines_test\.go:\d+\)\. A World`).MatchString(text) {
				t.Errorf("panic: %s", text)
			}
			if !strings.Contains(text, "ecs_test.growing(") {
				t.Error("the stack of the other goroutine is not there")
			}
			close(goOn)
			<-done
			if text := panicOf(func() { must(w.Spawn()) }); text != "" {
				t.Errorf("one after the other: %s", text)
			}
			sure(w.Check())
		})
	}
}

// A second goroutine may not run a turn while one is running. A turn inside a turn and one after the other are no conflict.
func TestTwoGoroutinesDoNotRunTurns(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	inside, goOn := make(chan struct{}), make(chan struct{})
	s := ecs.NewSchedule(w).Add("slow", func(*ecs.World, float64) error {
		close(inside)
		<-goOn
		return nil
	})
	done := make(chan error)
	go func() { done <- s.Run(1) }()
	<-inside
	frame := w.Frame()
	text := panicOf(func() { sure(s.Run(1)) })
	if !regexp.MustCompile(`goroutine \d+ .*TestTwoGoroutinesDoNotRunTurns.* and goroutine \d+ .*TestTwoGoroutinesDoNotRunTurns`).MatchString(text) {
		t.Errorf("panic: %s", text)
	}
	if w.Frame() != frame {
		t.Error("the refused frame has begun")
	}
	close(goOn)
	sure(<-done)

	calls := 0
	outer := ecs.NewSchedule(w)
	outer.Add("outer", func(*ecs.World, float64) error {
		return outer.Call(outer.Find("inner"), func(*ecs.World, float64) error {
			calls++
			return nil
		})
	}).Add("inner", func(*ecs.World, float64) error { return nil })
	if text := panicOf(func() { sure(outer.Run(1)) }); text != "" || calls != 1 {
		t.Errorf("a turn inside a turn: %d calls, panic %q", calls, text)
	}
	go func() { done <- outer.Run(1) }()
	sure(<-done)
}

// Workers of a parallel walk queue, write and read, and nothing takes them for a second user of the world.
func TestWorkersAreNoSecondUser(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	position := ecs.MustRegister[Position](w, "Position")
	must(must(w.Bundle(position.ID())).SpawnRows(20_000, nil))
	q := must(ecs.NewQuery1[ecs.Mut[Position]](w))
	pool := ecs.NewPool(4)
	defer pool.Close()
	s := ecs.NewSchedule(w).Add("spread", func(*ecs.World, float64) error {
		return q.Parallel(pool, 1, func(p *ecs.Part) {
			at := position.PartSlice(p)
			for i := range p.Rows {
				if at[i].X++; i%2 == 0 {
					p.Commands().Despawn(p.Entities()[i])
				}
			}
			_ = w.Alive(p.Entities()[0])
			position.StampPart(p)
		})
	})
	for range 3 {
		sure(s.Run(1))
	}
	if n := w.Len(); n != 2_500 {
		t.Errorf("%d entities", n)
	}
}

func must[T any](v T, err error) T { return ecs.Must(v, err) }
