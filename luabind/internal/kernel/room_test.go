package kernel

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Room is what is left below the bounds of a turn, to the unit: without what is queued, and without what is recorded.
func TestRoomIsExact(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{MaxEntities: 100})
	var x Effects
	x.Begin(w)
	entities := ecs.Raw.Room(w)
	expect := func(what string, queued, spawned int) {
		t.Helper()
		if c, e := x.Room(); c != mostQueued-queued || e != entities-spawned {
			t.Errorf("%s: room for %d commands and %d entities, want %d and %d", what, c, e, mostQueued-queued, entities-spawned)
		}
	}
	expect("nothing is queued", 0, 0)
	w.Commands().Despawn(ecs.None)
	w.Commands().Despawn(ecs.None)
	expect("two commands are queued", 2, 0)
	if _, ok := x.Record(&Effect{Op: QueueDespawn}, []Arg{{N: 1 << 32}}); !ok {
		t.Fatal("a command is refused")
	}
	expect("one is recorded", 3, 0)
	if _, ok := x.Record(&Effect{Op: QueueSpawn}, nil); !ok {
		t.Fatal("a spawn is refused")
	}
	expect("a spawn is recorded", 4, 1)
	x.Drop()
	expect("all that was recorded is dropped", 2, 0)
}

// How many commands each effect queues.
func TestCommandsOfEffects(t *testing.T) {
	tags := []ecs.TagID{0, 1, 2}
	for _, c := range []struct {
		e    Effect
		want int
	}{
		{Effect{Op: Send}, 0},
		{Effect{Op: QueueSend}, 1},
		{Effect{Op: QueueTag, Tags: tags}, 3},
		{Effect{Op: QueueUntag, Tags: tags[:2]}, 2},
		{Effect{Op: QueueSpawn}, 1},
		{Effect{Op: QueueSpawn, Tags: tags}, 4},
		{Effect{Op: QueueSpawn, Components: []ecs.ComponentID{3, 4}, Fields: []EffectField{{Component: 1}, {Component: 1}}}, 2},
		{Effect{Op: QueueDespawn}, 1},
		{Effect{Op: QueueAdd, Components: []ecs.ComponentID{3, 4}}, 1},
		{Effect{Op: QueueRemove}, 1},
		{Effect{Op: QueueSet}, 1},
		{Effect{Op: QueueRelate}, 1},
		{Effect{Op: QueueUnrelate}, 1},
	} {
		if got := c.e.Commands(); got != c.want {
			t.Errorf("effect %d queues %d commands, want %d", c.e.Op, got, c.want)
		}
	}
}
