package kernel

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Room is what is left below the bounds of a turn, to the unit: without what is queued, and without what is recorded.
func TestRoomIsExact(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{MaxEntities: 100})
	var x Effects
	x.Begin(w, nil)
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
	x.Args(1)[0].N = 1 << 32
	if _, ok := x.Record(&ir.Effect{Op: ir.QueueDespawn}, 1); !ok {
		t.Fatal("a command is refused")
	}
	expect("one is recorded", 3, 0)
	if _, ok := x.Record(&ir.Effect{Op: ir.QueueSpawn}, 0); !ok {
		t.Fatal("a spawn is refused")
	}
	expect("a spawn is recorded", 4, 1)
	x.Args(1)[0].N = 1 << 32
	if _, ok := x.Record(&ir.Effect{Op: ir.QueueTag, Tags: []ecs.TagID{0, 1, 2}}, 1); !ok {
		t.Fatal("a command of three tags is refused")
	}
	expect("three tags are recorded", 7, 1)
	x.DropTo(EffectsMark{})
	expect("all that was recorded is dropped", 2, 0)
}

// How many commands each effect queues.
func TestCommandsOfEffects(t *testing.T) {
	tags := []ecs.TagID{0, 1, 2}
	for _, c := range []struct {
		e    ir.Effect
		want int
	}{
		{ir.Effect{Op: ir.Send}, 0},
		{ir.Effect{Op: ir.QueueSend}, 1},
		{ir.Effect{Op: ir.QueueTag, Tags: tags}, 3},
		{ir.Effect{Op: ir.QueueUntag, Tags: tags[:2]}, 2},
		{ir.Effect{Op: ir.QueueSpawn}, 1},
		{ir.Effect{Op: ir.QueueSpawn, Tags: tags}, 4},
		{ir.Effect{Op: ir.QueueSpawn, Components: []ecs.ComponentID{3, 4, 5}, Fields: []ir.EffectField{{Component: 1}, {Component: 1}}}, 2},
		{ir.Effect{Op: ir.QueueDespawn}, 1},
		{ir.Effect{Op: ir.QueueAdd, Components: []ecs.ComponentID{3, 4}}, 1},
		{ir.Effect{Op: ir.QueueRemove}, 1},
		{ir.Effect{Op: ir.QueueSet}, 1},
		{ir.Effect{Op: ir.QueueRelate}, 1},
		{ir.Effect{Op: ir.QueueUnrelate}, 1},
	} {
		if got := commands(&c.e); got != c.want {
			t.Errorf("effect %d queues %d commands, want %d", c.e.Op, got, c.want)
		}
	}
}

// Events are refused when they are recorded if there will be no memory for them.
func TestEventsWithoutMemory(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{MaxBytes: 1 << 16})
	schema, err := ecs.NewSchema(ecs.Field{Name: "n", Type: ecs.F64})
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.DeclareEvent("hit", schema)
	if err != nil {
		t.Fatal(err)
	}
	var x Effects
	x.Begin(w, nil)
	e := &ir.Effect{Op: ir.Send, Event: id, Schema: schema, Fields: []ir.EffectField{{Field: &schema.Fields()[0]}}}
	fill := func() (n int) {
		for ; n < 1<<15; n++ {
			x.Args(1)[0].N = float64(n)
			if _, ok := x.Record(e, 1); !ok {
				break
			}
		}
		return n
	}
	first := fill()
	x.DropTo(EffectsMark{})
	n := fill()
	if first != n {
		t.Errorf("%d events are recorded, and %d when these are dropped", first, n)
	}
	if n < 100 || n == 1<<15 {
		t.Fatalf("%d events are recorded", n)
	}
	x.Apply()
	if events := w.Peek(id); events.Len() != n || events.Row(n-1).Number(0) != float64(n-1) {
		t.Errorf("%d events are sent of %d", events.Len(), n)
	}
}

// A row has at most MostEffects.
func TestEffectsAreBounded(t *testing.T) {
	b := newBed(t)
	e := &ir.Effect{Op: ir.QueueDespawn}
	b.x.list = make([]recorded, MostEffects-1)
	for i, want := range []bool{true, false} {
		if _, ok := b.record(e, handle(b.one)); ok != want {
			t.Errorf("effect %d is recorded: %v", MostEffects+i, ok)
		}
	}
}
