package luabind

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A panic of a native system, of its observers, of a predicate and of an observer outside of turns is an ErrBug of the frame,
// whatever the policy, and the world can be looked at, saved and closed.
func TestPanicsOfGo(t *testing.T) {
	spawns := func(w *ecs.World, _ float64) error {
		_, err := w.Spawn()
		return err
	}
	boom := func(*ecs.World, ecs.Change) error { panic("boom") }
	for name, c := range map[string]struct {
		native func(w *ecs.World) (ecs.SystemFunc, error)
		when   func(w *ecs.World) (bool, error)
		before func(w *ecs.World) error // the frame
		system string
		load   bool
	}{
		"a native system in a loop": {system: "n", native: func(w *ecs.World) (ecs.SystemFunc, error) {
			return func(w *ecs.World, _ float64) error {
				for e := first(ecs.NewQuery1[ecs.Mut[struct{ X, Y float64 }]](w)).Start(); e.Ok(); e = e.Next() {
					first(w.Commands().Spawn())
					panic("boom")
				}
				return nil
			}, nil
		}},
		"an observer of a native system": {system: "n", native: func(w *ecs.World) (ecs.SystemFunc, error) {
			_, err := w.Observe(ecs.ObserverSpec{Kind: ecs.OnSpawned, Run: boom})
			return spawns, err
		}},
		"an observer when commands are applied": {native: func(w *ecs.World) (ecs.SystemFunc, error) {
			_, err := w.Observe(ecs.ObserverSpec{Kind: ecs.OnSpawned, Run: boom})
			return func(w *ecs.World, _ float64) error { first(w.Commands().Spawn()); return nil }, err
		}},
		"a predicate": {system: "n", when: func(w *ecs.World) (bool, error) { panic("boom") }},
		"an observer before the first turn": {before: func(w *ecs.World) error {
			first(w.Commands().Spawn())
			_, err := w.Observe(ecs.ObserverSpec{Kind: ecs.OnSpawned, Run: boom})
			return err
		}},
		"a function that makes a system": {load: true, native: func(w *ecs.World) (ecs.SystemFunc, error) { panic("boom") }},
	} {
		for _, policy := range []Policy{Stop, Skip} {
			t.Run(name, func(t *testing.T) {
				o := Options{
					World:      ecs.NewWorld(ecs.Options{}),
					Natives:    map[string]ecs.NativeFunc{"n": func(*ecs.World) (ecs.SystemFunc, error) { return spawns, nil }},
					Predicates: map[string]func(*ecs.World) (bool, error){"p": c.when},
				}
				o.Limits.OnError = policy
				pos := ecs.MustRegister[struct{ X, Y float64 }](o.World, "Pos")
				first(o.World.Spawn(pos.ID()))
				if c.native != nil {
					o.Natives["n"] = c.native
				}
				sys := System{Name: "n", Native: "n"}
				if c.when != nil {
					sys.When = "native:p"
				}
				r := first(New(o))
				err := r.Add(sys)
				if err == nil {
					err = r.Load()
				}
				if !c.load {
					if err == nil {
						err = r.Start(context.Background())
					}
					if err == nil && c.before != nil {
						err = c.before(o.World)
					}
					if err != nil {
						t.Fatal(err)
					}
					err = r.Frame(context.Background(), 1)
				}
				var panicked interface{ GoStack() string }
				script, _ := errors.AsType[*ScriptError](err)
				if !errors.Is(err, ErrBug) || !strings.HasSuffix(err.Error(), "bug: boom") || script.System != c.system || !errors.As(err, &panicked) || !strings.Contains(panicked.GoStack(), "native_panic_test.go") {
					t.Fatalf("error %v", err)
				}
				if w := r.World(); w.Locked() || w.Check() != nil || w.Len() > 2 {
					t.Errorf("locked %v, %v, %d entities", w.Locked(), w.Check(), w.Len())
				}
				if err := r.World().Save(io.Discard); err != nil {
					t.Error(err)
				}
				if err := r.Save(io.Discard); err != nil && !c.load {
					t.Error(err)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func first[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
