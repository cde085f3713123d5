package luabind

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// loadedWith returns a Runtime with one system of this source, loaded.
func loadedWith(t *testing.T, source string) *Runtime {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	declareForTests(t, w)
	r, err := New(Options{Log: strictLog(t), World: w, Scripts: files(map[string]string{"a": source})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua"})
	}
	if err == nil {
		err = r.Load()
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryWorldHasChildOfAndIsA(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	if _, err := New(Options{Log: strictLog(t), World: w}); err != nil {
		t.Fatal(err)
	}
	if got := w.RelationNames(); !slices.Equal(got, []string{ecs.ChildOf, ecs.IsA}) {
		t.Errorf("the world has %v", got)
	}
	if _, err := New(Options{Log: strictLog(t), World: w}); err != nil {
		t.Errorf("a world that has them already: %v", err)
	}
	taken := ecs.NewWorld(ecs.Options{})
	if _, err := taken.DeclareTag(ecs.IsA); !errors.Is(err, ecs.ErrMismatch) || !strings.Contains(err.Error(), "IsA") {
		t.Errorf("a tag named IsA: %v", err)
	}
}

// A circle is found when the queue is applied: what was queued beside it happens.
func TestAQueuedCycleFailsTheTurn(t *testing.T) {
	r := loadedWith(t, `return function(world)
  local a = world:spawn{}
  local b = world:spawn{ ChildOf = a }
  world.commands:relate(a, "ChildOf", b)
  world.commands:set(a, "Position", { x = 3 })
end`)
	err := r.Frame(context.Background(), 1)
	const want = `a.lua:4: system "a", frame 1: relate ChildOf on 0v1: target 1v1: the relation would form a cycle`
	if !errors.Is(err, ecs.ErrCycle) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	p, _ := r.World().LookupComponent("Position")
	q, err := r.World().Query(ecs.Filter{Required: []ecs.ComponentID{p}})
	if err != nil || q.Count() != 1 {
		t.Errorf("the rest of the queue was not applied: %v", err)
	}
}

// A relation a script declares is one that Go finds, and the other way round.
func TestRelationsAreSharedWithGo(t *testing.T) {
	r := loadedWith(t, `local ecs = require("ecs"); ecs.relation("OwnedBy")
return function(world)
  world:spawn{ OwnedBy = world:spawn{ Position = {} } }
end`)
	if err := r.Frame(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	w := r.World()
	id, ok := w.LookupRelation("OwnedBy")
	if !ok {
		t.Fatal("OwnedBy is not declared")
	}
	p, _ := w.LookupComponent("Position")
	q, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{p}})
	if err != nil {
		t.Fatal(err)
	}
	if owner := q.First(); w.SourceCount(id, owner) != 1 {
		t.Errorf("%s has %d sources", owner, w.SourceCount(id, owner))
	}
}

// What goes wrong with relations in a script is what Go code asks for.
func TestRelationErrors(t *testing.T) {
	for body, want := range map[string]error{
		`local a = world:spawn{}; world:relate(a, "ChildOf", a)`:                                      ecs.ErrCycle,
		`local a = world:spawn{}; world:despawn(a); world:spawn{ ChildOf = a }`:                       ecs.ErrDead,
		`local a = world:spawn{ Position = {} }; world:get(world:spawn{ IsA = a }, "Position").x = 1`: ecs.ErrInherited,
		`world:spawn{ "Position" }; for e in world:each("Position") do world:unrelate(e, "IsA") end`:  ecs.ErrLocked,
		`world:related(5, "Isa")`: ecs.ErrUnknown,
	} {
		r := loadedWith(t, "return function(world) "+body+" end")
		if err := r.Frame(context.Background(), 1); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", body, err, want)
		}
	}
}
