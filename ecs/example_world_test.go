package ecs_test

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// A program without a schedule begins and ends its frames itself.
func ExampleWorld() {
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.Must(ecs.Must(ecs.NewSpawner2[Position, Velocity](w)).Spawn(Position{}, Velocity{2, 0}))
	moving := ecs.Must(ecs.NewQuery2[ecs.Mut[Position], Velocity](w))
	for range 2 {
		w.BeginFrame(0.5)
		for e := moving.Start(); e.Ok(); e = e.Next() {
			p, v := e.Get()
			p.V.X += v.DX * w.DT()
			fmt.Println("frame", w.Frame(), "time", w.Time(), e.Entity(), p.V)
		}
		try(w.Commands().Apply())
		w.EndFrame()
	}
	// Output:
	// frame 1 time 0 0v1 {1 0}
	// frame 2 time 0.5 0v1 {2 0}
}

// Limits turn a script that spawns without an end into an error. The world stays as it was.
func ExampleOptions() {
	w := ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 2, MaxEvents: 1})
	for range 3 {
		if _, err := w.Spawn(); err != nil {
			fmt.Println(err, errors.Is(err, ecs.ErrLimit))
		}
	}
	w.SetLimits(ecs.Options{MaxEntities: 10})
	ecs.Must(w.Spawn())
	fmt.Println(w.Len(), w.Options().MaxEntities)
	// Output:
	// spawn: limit reached: 2 entities true
	// 3 10
}

// Statistics are for reports: which part of a world grows?
func ExampleStats() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	es := ecs.Must(ecs.Must(w.Bundle(pos.ID())).SpawnMany(10, nil))
	ecs.Must(w.DespawnMany(es[:4]))
	s := w.Stats()
	fmt.Println(s.Entities, "alive,", s.Slots, "slots,", s.Free, "free")
	// Output:
	// 6 alive, 10 slots, 4 free
}

// Memory of another kind can hold the columns: here a counter in front of Go's heap.
func ExampleMemory() {
	m := &counted{}
	w := ecs.NewWorld(ecs.Options{Memory: m})
	pos := ecs.MustRegister[Position](w, "Position")
	ecs.Must(ecs.Must(w.Bundle(pos.ID())).SpawnMany(1000, nil))
	fmt.Println(m.used >= 1000*unsafe.Sizeof(Position{}))
	// Output:
	// true
}

// counted is a Memory that lets Go's heap do the work.
type counted struct{ used uintptr }

func (m *counted) Alloc(size uintptr) unsafe.Pointer {
	m.used += size
	return nil // Go's heap
}

func (m *counted) Free(unsafe.Pointer, uintptr) {}

// An error names operation, entity and component in one line. Programs test for the cause and take the parts.
func ExampleOpError() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	e := ecs.Must(w.Spawn(health.ID()))
	ecs.Must(w.Despawn(e))
	_, err := w.Ref(e, health.ID()).Get(0)
	var failed *ecs.OpError
	if errors.Is(err, ecs.ErrDead) && errors.As(err, &failed) {
		fmt.Println(err)
		fmt.Println(failed.Op, failed.Component, failed.Entity)
	}
	// Output:
	// get Health on 0v1: the entity is dead
	// get Health 0v1
}

// A command fails when it is applied. Its place, here a source line, says where it was queued.
func ExampleCommandError() {
	w := ecs.NewWorld(ecs.Options{})
	childOf := ecs.Must(w.DeclareRelation(ecs.ChildOf))
	a, b := ecs.Must(w.Spawn()), ecs.Must(w.Spawn())
	q := w.Commands()
	q.At(12)
	try(q.Relate(a, childOf, b))
	q.At(13)
	try(q.Relate(b, childOf, a))
	err := q.Apply()
	var failed *ecs.CommandError
	if errors.As(err, &failed) {
		fmt.Printf("line %d: %v\n", failed.Place, failed)
	}
	fmt.Println(errors.Is(err, ecs.ErrCycle), w.Related(a, childOf) == b)
	// Output:
	// line 13: relate ChildOf on 1v1: target 0v1: the relation would form a cycle
	// true true
}
