package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

func apply(t testing.TB, q *Commands) {
	t.Helper()
	if err := q.Apply(); err != nil {
		t.Fatal(err)
	}
}

func TestCommandsReplayInOrder_0_45_1_31_1_32_1_33_1_36(t *testing.T) {
	w := newWorld(Options{})
	pos, label := MustRegister[position](w, "Position"), MustRegister[modelLabel](w, "Label")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	hit := hits(t, w)
	q := w.Commands()
	e := must[Entity](t)(q.Spawn(pos.ID()))
	if w.Alive(e) || w.Len() != 0 || w.Tag(e, tag) || pos.Get(e) != nil {
		t.Fatal("a reserved handle is alive")
	}
	if ok := must[bool](t)(w.Despawn(e)); ok {
		t.Fatal("a reserved handle was despawned")
	}
	pos.QueueSet(q, e, position{1, 2})
	label.QueueSet(q, e, modelLabel{"first", 1}) // adds it
	label.QueueSet(q, e, modelLabel{"second", 2})
	ok(t, q.Set(e, pos.ID(), FieldValue{1, Number(5)}))
	q.Tag(e, tag)
	ok(t, q.Send(hit.ID(), FieldValue{0, EntityOf(e)}, FieldValue{1, Number(3)}))
	other := must[Entity](t)(q.Spawn())
	ok(t, q.Add(other, label.ID(), pos.ID()))
	ok(t, q.Remove(other, label.ID()))
	gone := must[Entity](t)(q.Spawn(pos.ID()))
	q.Despawn(gone)
	q.Tag(gone, tag)
	q.Untag(e, must[TagID](t)(w.DeclareTag("never")))
	if q.Len() != 14 {
		t.Fatalf("%d commands", q.Len())
	}
	check(t, w)
	apply(t, q)
	check(t, w)
	if q.Len() != 0 || w.Len() != 2 || w.Alive(gone) {
		t.Fatalf("%d commands are left, %d entities live", q.Len(), w.Len())
	}
	if *pos.Get(e) != (position{1, 5}) || *label.Get(e) != (modelLabel{"second", 2}) || !w.Tagged(e, tag) {
		t.Fatalf("%v %v", *pos.Get(e), *label.Get(e))
	}
	if !slices.Equal(w.ComponentsOf(other), []ComponentID{pos.ID()}) || amounts(hit.Peek()) != "3" || hit.Peek()[0].Target != e {
		t.Fatalf("%v, %v", w.ComponentsOf(other), hit.Peek())
	}
	apply(t, q) // nothing twice
	if w.Len() != 2 || len(hit.Peek()) != 1 {
		t.Fatal("an empty queue did something")
	}
}

func TestCommandForTheDeadIsSkipped_1_35(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	q := w.Commands()
	for _, when := range []string{"before", "in the batch"} {
		e := must[Entity](t)(w.Spawn())
		if when == "in the batch" {
			q.Despawn(e)
		}
		q.Despawn(e)
		pos.QueueSet(q, e, position{1, 2})
		ok(t, q.Add(e, pos.ID()))
		ok(t, q.Remove(e, pos.ID()))
		ok(t, q.Set(e, pos.ID(), FieldValue{0, Number(1)}))
		q.Tag(e, tag)
		q.Untag(e, tag)
		if when == "before" {
			must[bool](t)(w.Despawn(e))
		}
		heir := must[Entity](t)(w.Spawn()) // may have the slot
		apply(t, q)
		if w.Alive(e) || !w.Alive(heir) || w.ComponentsOf(heir) != nil || w.Tagged(heir, tag) {
			t.Fatalf("%s: a command for %s reached %s", when, e, heir)
		}
		check(t, w)
	}
}

// queueingMemory queues a command when a column grows, that is in the middle of a replay.
type queueingMemory struct {
	queue func()
}

func (m *queueingMemory) Alloc(uintptr) unsafe.Pointer {
	if queue := m.queue; queue != nil {
		m.queue = nil // the queue itself needs memory
		queue()
		m.queue = queue
	}
	return nil // Go's heap
}
func (m *queueingMemory) Free(unsafe.Pointer, uintptr) {}

func TestNestedCommandsWaitForTheNextApply_0_46_1_34(t *testing.T) {
	m := &queueingMemory{}
	w := newWorld(Options{Memory: m})
	ids := letters(t, w, "A")
	q := w.Commands()
	nested := 0
	m.queue = func() {
		nested++
		must[Entity](t)(q.Spawn())
	}
	queue := m.queue
	m.queue = nil
	for range 20 {
		must[Entity](t)(q.Spawn(ids...))
	}
	m.queue = queue
	apply(t, q)
	if nested == 0 || q.Len() != nested || w.Len() != 20 {
		t.Fatalf("%d nested, %d waiting, %d alive", nested, q.Len(), w.Len())
	}
	m.queue = nil
	apply(t, q)
	if q.Len() != 0 || w.Len() != 20+nested {
		t.Fatalf("%d waiting, %d alive", q.Len(), w.Len())
	}
	check(t, w)
}

func TestDropForgetsTheQueue(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	kept := must[Entity](t)(w.Spawn())
	q := w.Commands()
	a, b := must[Entity](t)(q.Spawn(ids...)), must[Entity](t)(q.Spawn())
	q.Despawn(kept)
	q.Drop()
	apply(t, q)
	if w.Len() != 1 || !w.Alive(kept) || q.Len() != 0 {
		t.Fatal("a dropped command ran")
	}
	c, d := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
	if w.Alive(a) || w.Alive(b) || c == a || d == b || c.Index() != a.Index() || d.Index() != b.Index() {
		t.Fatalf("after the drop of %s and %s come %s and %s", a, b, c, d)
	}
	check(t, w)
}

func TestQueueingErrors(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	hit := hits(t, w)
	q := w.Commands()
	for name, err := range map[string]error{
		"spawn":  second(q.Spawn(99)),
		"add":    q.Add(None, 99),
		"remove": q.Remove(None, 99),
		"set":    q.Set(None, 99),
	} {
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("%s of an undeclared component: %v", name, err)
		}
	}
	if err := q.Set(makeEntity(17, 2), pos.ID(), FieldValue{0, Text("far")}); fmt.Sprint(err) != "set Position.x on 17v2: number expected, got string" {
		t.Errorf("%v", err)
	}
	if err := q.Send(hit.ID(), FieldValue{1, Boolean(true)}); fmt.Sprint(err) != "send Hit.amount: number expected, got boolean" {
		t.Errorf("%v", err)
	}
	if q.Len() != 0 {
		t.Errorf("%d commands were queued by mistakes", q.Len())
	}
}
