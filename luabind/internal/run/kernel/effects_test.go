package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// A bed is a world in which effects of every kind can be made.
type bed struct {
	t          *testing.T
	w          *ecs.World
	a, b       ecs.ComponentID
	red        ecs.TagID
	likes      ecs.RelationID
	hit        ecs.EventID
	one, other ecs.Entity
	x          Effects
}

func newBed(t *testing.T) *bed {
	t.Helper()
	b := &bed{t: t, w: ecs.NewWorld(ecs.Options{MaxEntities: 20})}
	var err error
	schema := func(fields ...ecs.Field) *ecs.Schema {
		s, err := ecs.NewSchema(fields...)
		b.ok(err)
		return s
	}
	b.a, err = b.w.DeclareComponent("A", schema(ecs.Field{Name: "n", Type: ecs.F64}, ecs.Field{Name: "u", Type: ecs.U8}, ecs.Field{Name: "s", Type: ecs.String}))
	b.ok(err)
	b.b, err = b.w.DeclareComponent("B", schema(ecs.Field{Name: "on", Type: ecs.Bool}, ecs.Field{Name: "who", Type: ecs.EntityField}))
	b.ok(err)
	b.red, err = b.w.DeclareTag("red")
	b.ok(err)
	b.likes, err = b.w.DeclareRelation("Likes")
	b.ok(err)
	b.hit, err = b.w.DeclareEvent("hit", schema(ecs.Field{Name: "n", Type: ecs.I16}, ecs.Field{Name: "s", Type: ecs.String}))
	b.ok(err)
	b.one, err = b.w.Spawn(b.a)
	b.ok(err)
	b.other, err = b.w.Spawn()
	b.ok(err)
	b.x.Begin(b.w, nil)
	return b
}

func (b *bed) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// field is a field of a component of an effect that may have several.
func (b *bed) field(component int, id ecs.ComponentID, i int) ir.EffectField {
	info, _ := b.w.ComponentInfo(id)
	return ir.EffectField{Component: component, Index: i, Field: &info.Schema.Fields()[i]}
}

func (b *bed) send() *ir.Effect {
	s := b.w.EventSchema(b.hit)
	return &ir.Effect{Op: ir.Send, Event: b.hit, Schema: s, Fields: []ir.EffectField{{Index: 1, Field: &s.Fields()[1]}, {Index: 0, Field: &s.Fields()[0]}}}
}

// record records an effect.
func (b *bed) record(e *ir.Effect, args ...Arg) (ecs.Entity, bool) {
	copy(b.x.Args(len(args)), args)
	return b.x.Record(e, len(args))
}

func handle(e ecs.Entity) Arg { return Arg{N: float64(e)} }

// seen is what the entities of the bed hold, by component.
func (b *bed) seen() (out []string) {
	for _, table := range b.w.Tables() {
		for row, e := range table.Entities() {
			line := fmt.Sprint(e)
			for _, id := range table.Components() {
				r := table.Column(id).Row(row)
				line += " " + b.w.ComponentNames()[id]
				for i := range r.Schema().Fields() {
					line += fmt.Sprintf(" %v", r.Get(i))
				}
			}
			if b.w.Tagged(e, b.red) {
				line += " red"
			}
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// What is recorded is done when it is applied, in its order, and not before.
func TestApply(t *testing.T) {
	b := newBed(t)
	calls := func() (spawned ecs.Entity) {
		spawned, ok := b.record(&ir.Effect{
			Op: ir.QueueSpawn, Components: []ecs.ComponentID{b.a, b.b}, Tags: []ecs.TagID{b.red}, Relations: []ecs.RelationID{b.likes},
			Fields: []ir.EffectField{b.field(1, b.b, 1), b.field(0, b.a, 2)},
		}, handle(b.one), Arg{S: "new"}, handle(b.other))
		if !ok || spawned == ecs.None {
			t.Fatalf("%v, %v", spawned, ok)
		}
		for _, c := range []struct {
			e    *ir.Effect
			args []Arg
		}{
			{&ir.Effect{Op: ir.QueueSet, Components: []ecs.ComponentID{b.a}, Fields: []ir.EffectField{b.field(0, b.a, 1), b.field(0, b.a, 0)}}, []Arg{handle(b.one), {N: 255}, {N: 0.5}}},
			{&ir.Effect{Op: ir.QueueAdd, Components: []ecs.ComponentID{b.b}}, []Arg{handle(b.one)}},
			{&ir.Effect{Op: ir.QueueRemove, Components: []ecs.ComponentID{b.a}}, []Arg{handle(spawned)}},
			{&ir.Effect{Op: ir.QueueTag, Tags: []ecs.TagID{b.red}}, []Arg{handle(b.other)}},
			{&ir.Effect{Op: ir.QueueUntag, Tags: []ecs.TagID{b.red}}, []Arg{handle(spawned)}},
			{&ir.Effect{Op: ir.QueueRelate, Relations: []ecs.RelationID{b.likes}}, []Arg{handle(b.one), handle(spawned)}},
			{&ir.Effect{Op: ir.QueueUnrelate, Relations: []ecs.RelationID{b.likes}}, []Arg{handle(spawned)}},
			{b.send(), []Arg{{S: "now"}, {N: -3}}},
		} {
			if _, ok := b.record(c.e, c.args...); !ok {
				t.Fatalf("effect %d is refused", c.e.Op)
			}
		}
		return spawned
	}
	before := b.seen()
	calls()
	b.x.DropTo(EffectsMark{})
	if b.x.Len() != 0 {
		t.Error("something is left after it was dropped")
	}
	spawned := calls()
	if e, args := b.x.At(1); b.x.Len() != 9 || e.Op != ir.QueueSet || !slices.Equal(args, []Arg{handle(b.one), {N: 255}, {N: 0.5}}) {
		t.Errorf("%d are recorded, the second is %d with %v", b.x.Len(), e.Op, args)
	}
	if e, args := b.x.At(8); e.Op != ir.Send || len(args) != 2 {
		t.Errorf("the last is %d with %v", e.Op, args)
	}
	if b.w.Commands().Len() != 0 || b.w.Peek(b.hit).Len() != 0 || !slices.Equal(b.seen(), before) {
		t.Error("what is recorded shows before it is applied")
	}
	b.x.Apply()
	if b.x.Len() != 0 || b.w.Peek(b.hit).Len() != 1 {
		t.Errorf("%d are left, %d events are sent", b.x.Len(), b.w.Peek(b.hit).Len())
	}
	if row := b.w.Peek(b.hit).Row(0); row.Number(0) != -3 || !row.Get(1).Equal(ecs.Text("now")) {
		t.Errorf("the event holds %v, %v", row.Get(0), row.Get(1))
	}
	b.ok(b.w.Commands().Apply())
	want := []string{
		fmt.Sprintf("%v A 0.5 255 \"\" B false none Likes %v", b.one, spawned),
		fmt.Sprintf("%v red", b.other),
		fmt.Sprintf("%v B false %v", spawned, b.one),
	}
	slices.Sort(want)
	if got := b.seen(); !slices.Equal(got, want) {
		t.Errorf("the world holds\n%q\nwant\n%q", got, want)
	}
}

// A call that would raise an error is refused when it is recorded, and leaves nothing behind.
func TestRecordRefuses(t *testing.T) {
	b := newBed(t)
	set := func(component ecs.ComponentID, i int) *ir.Effect {
		return &ir.Effect{Op: ir.QueueSet, Components: []ecs.ComponentID{component}, Fields: []ir.EffectField{b.field(0, component, i)}}
	}
	relate := &ir.Effect{Op: ir.QueueRelate, Relations: []ecs.RelationID{b.likes}}
	for _, c := range []struct {
		what string
		e    *ir.Effect
		args []Arg
		ok   bool
	}{
		{"a fraction in an integer", set(b.a, 1), []Arg{handle(b.one), {N: 1.5}}, false},
		{"a number below the range", set(b.a, 1), []Arg{handle(b.one), {N: -1}}, false},
		{"the smallest number", set(b.a, 1), []Arg{handle(b.one), {N: 0}}, true},
		{"the largest number", set(b.a, 1), []Arg{handle(b.one), {N: 255}}, true},
		{"a number above the range", set(b.a, 1), []Arg{handle(b.one), {N: 256}}, false},
		{"a number that is no entity", set(b.b, 1), []Arg{handle(b.one), {N: 7}}, false},
		{"no entity", set(b.b, 1), []Arg{handle(b.one), {}}, true},
		{"a target that is no entity", relate, []Arg{handle(b.one), {N: 7}}, false},
		{"no target", relate, []Arg{handle(b.one), {}}, false},
		{"a dead target", relate, []Arg{handle(b.one), {N: 1<<33 + 15}}, true},
		{"an event that does not fit", b.send(), []Arg{{S: "s"}, {N: 1 << 15}}, false},
		{"an event", b.send(), []Arg{{S: "s"}, {N: 1<<15 - 1}}, true},
	} {
		m := b.x.Mark()
		if _, ok := b.record(c.e, c.args...); ok != c.ok {
			t.Errorf("%s: recorded %v, want %v", c.what, ok, c.ok)
		}
		b.x.DropTo(m)
	}
	spawn := &ir.Effect{Op: ir.QueueSpawn}
	spawned := map[ecs.Entity]bool{}
	for {
		e, ok := b.record(spawn)
		if !ok {
			break
		}
		spawned[e] = true
	}
	if len(spawned) != 18 { // two of twenty live
		t.Errorf("%d entities are spawned", len(spawned))
	}
	b.x.Apply()
	b.ok(b.w.Commands().Apply())
	for e := range spawned {
		if !b.w.Alive(e) {
			t.Errorf("%v is not alive", e)
		}
	}
}

// Each effect queues as many commands as Room has counted for it.
func TestCommandsAreCounted(t *testing.T) {
	b := newBed(t)
	event := b.send()
	event.Op = ir.QueueSend
	for i := range event.Fields {
		event.Fields[i].Component = 3 // of no meaning for an event
	}
	spawn := &ir.Effect{Op: ir.QueueSpawn, Components: []ecs.ComponentID{b.a, b.b}, Tags: []ecs.TagID{b.red}, Relations: []ecs.RelationID{b.likes}, Fields: []ir.EffectField{b.field(1, b.b, 0)}}
	for range 2 {
		for _, c := range []struct {
			e    *ir.Effect
			args []Arg
		}{
			{event, []Arg{{S: "later"}, {N: 7}}},
			{spawn, []Arg{{N: 1}, handle(b.one)}},
			{&ir.Effect{Op: ir.QueueSpawn, Components: []ecs.ComponentID{b.a}}, nil},
			{&ir.Effect{Op: ir.QueueTag, Tags: []ecs.TagID{b.red, b.red}}, []Arg{handle(b.one)}},
			{&ir.Effect{Op: ir.QueueSet, Components: []ecs.ComponentID{b.a}}, []Arg{handle(b.one)}},
			{&ir.Effect{Op: ir.QueueDespawn}, []Arg{handle(b.other)}},
		} {
			before, n := b.w.Commands().Len(), len(c.args)
			if _, ok := b.record(c.e, c.args...); !ok {
				t.Fatalf("effect %d is refused", c.e.Op)
			}
			room, _ := b.x.Room()
			b.x.Apply()
			if got := b.w.Commands().Len(); got == before || room != mostQueued-got {
				t.Errorf("effect %d with %d arguments queues %d commands, and there was room for %d more after it", c.e.Op, n, got-before, room)
			}
		}
	}
	b.ok(b.w.Commands().Apply())
	if events := b.w.Peek(b.hit); events.Len() != 2 || events.Row(1).Number(0) != 7 || !events.Row(1).Get(1).Equal(ecs.Text("later")) {
		t.Errorf("%d events", events.Len())
	}
	spawned, plain := 0, 0
	for _, line := range b.seen() {
		if strings.HasSuffix(line, "v1 A 0 0 \"\"") {
			plain++
		}
		if strings.HasSuffix(line, fmt.Sprintf(" A 0 0 \"\" B true none Likes %v red", b.one)) {
			spawned++
		}
	}
	if spawned != 2 || plain != 2 {
		t.Errorf("%d and %d are spawned as they were described: %q", spawned, plain, b.seen())
	}
}

// A mark takes back what came after it and nothing before.
func TestDropTo(t *testing.T) {
	b := newBed(t)
	b.record(b.send(), Arg{S: "first"}, Arg{N: 1})
	m := b.x.Mark()
	b.record(b.send(), Arg{S: "second"}, Arg{N: 2})
	b.record(&ir.Effect{Op: ir.QueueSpawn})
	b.x.DropTo(m)
	if c, e := b.x.Room(); b.x.Len() != 1 || c != mostQueued || e != 18 {
		t.Errorf("%d are recorded, room for %d commands and %d entities", b.x.Len(), c, e)
	}
	b.record(b.send(), Arg{S: "third"}, Arg{N: 3})
	b.x.Apply()
	events := b.w.Peek(b.hit)
	if events.Len() != 2 || events.Row(0).Number(0) != 1 || events.Row(1).Number(0) != 3 {
		t.Errorf("%d events", events.Len())
	}
}

// Strings of earlier calls are not held.
func TestEffectsForget(t *testing.T) {
	b := newBed(t)
	b.record(b.send(), Arg{S: "a long string"}, Arg{N: 1})
	b.x.Apply()
	b.x.End()
	for _, a := range b.x.args[:cap(b.x.args)] {
		if a != (Arg{}) {
			t.Errorf("%v is held", a)
		}
	}
	for _, f := range b.x.fields[:cap(b.x.fields)] {
		if f != (ecs.FieldValue{}) {
			t.Errorf("%v is held", f)
		}
	}
}
