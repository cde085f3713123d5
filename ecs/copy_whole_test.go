package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

// A household is a world with something of everything that a copy takes along.
type household struct {
	*family
	label  Component[modelLabel]
	memo   Component[memo]
	tags   []TagID
	hit    Event[hitEvent]
	said   EventID // with a string
	near   *Grid
	score  ResourceID
	es     []Entity // living; es[0] is the parent of the second to fifth and the base of the sixth to ninth
	slow   *EventReader
	memory *countingMemory
}

func newHousehold(t *testing.T) *household {
	t.Helper()
	memory := &countingMemory{}
	h := &household{family: &family{World: newWorld(Options{Seed: 3, MaxEntities: 500, MaxBytes: 1 << 22, Memory: memory}), t: t}, memory: memory}
	w := h.World
	h.label = MustRegister[modelLabel](w, "Label")
	h.isA = must[RelationID](t)(w.DeclareRelation(IsA)) // not the first relation
	h.childOf = must[RelationID](t)(w.DeclareRelation(ChildOf))
	h.ownedBy = must[RelationID](t)(w.DeclareRelation("OwnedBy"))
	h.pos, h.vel, h.memo = MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity"), MustRegister[memo](w, "Memo")
	for i := range 70 { // their marks take two levels
		h.tags = append(h.tags, must[TagID](t)(w.DeclareTag(fmt.Sprint("tag", i))))
	}
	h.hit = hits(t, w)
	h.said = must[EventID](t)(w.DeclareEvent("Said", must[*Schema](t)(NewSchema(Field{Name: "text", Type: String}, Field{Name: "n", Type: F64}))))
	h.score = must[ResourceID](t)(w.DeclareResource("score", I32, Number(3)))
	must[ResourceID](t)(w.DeclareResource("title", String, Text("none")))
	h.near = must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: h.pos.ID(), X: "x", Y: "y", Cell: 2}))
	w.TrackRemoved(h.vel.ID())
	w.TrackRemoved(h.label.ID())

	for i := range 150 {
		b := w.Build()
		if i%2 == 0 {
			b = h.pos.With(b, position{float64(i), 1})
		}
		if i%3 == 0 {
			b = h.label.With(b, modelLabel{fmt.Sprint("label ", i), 1})
		}
		if i%5 == 0 {
			b = h.vel.With(b, velocity{float64(i), 2})
		}
		e := must[Entity](t)(b.Spawn())
		h.es = append(h.es, e)
		for k := 0; k < 70; k += 1 + i%30 {
			w.Tag(e, h.tags[k])
		}
		if i%20 == 0 {
			w.BeginFrame(0.25)
			h.happen(i)
			w.EndFrame()
		}
	}
	for i, e := range h.es[1:5] {
		h.relate(e, h.childOf, h.es[0])
		h.relate(h.es[i+5], h.isA, h.es[0])
		h.relate(h.es[i+9], h.ownedBy, e)
	}
	h.slow = w.EventReader(h.said)
	for _, e := range h.es[140:] {
		must[bool](t)(w.Despawn(e))
	}
	h.es = h.es[:140]
	must[bool](t)(w.Remove(h.es[15], h.label.ID(), h.vel.ID()))
	spent := must[Entity](t)(w.Spawn())
	w.slots.all[spent.Index()].meta = MaxGeneration
	w.tables[0].entities[len(w.tables[0].entities)-1] = makeEntity(spent.Index(), MaxGeneration)
	must[bool](t)(w.Despawn(makeEntity(spent.Index(), MaxGeneration)))
	ok(t, w.Resource(h.score).Set(0, Number(8)))
	ok(t, w.Resource(1).Set(0, Text("house")))
	w.Stream("wind").Float64()
	w.Random().Float64()
	w.BeginFrame(0.5)
	h.happen(1000)
	w.Take(h.said, 1)
	w.EndFrame()
	h.happen(2000)
	Raw.Grid(h.near)
	h.queue(w)
	w.Stop("it is late")
	w.Stop("it is later")
	check(t, w)
	return h
}

func (h *household) happen(n int) {
	for i := range 3 {
		h.hit.Send(hitEvent{h.es[0], float64(n + i)})
		ok(h.t, h.Send(h.said, FieldValue{0, Text(fmt.Sprint("event ", n+i))}, FieldValue{1, Number(float64(i))}))
	}
}

// queue queues one command of each kind, and several with values.
func (h *household) queue(w *World) {
	t, q := h.t, w.Commands()
	q.At(4)
	child := must[Entity](t)(q.SpawnRelated([]Target{{h.childOf, h.es[0]}, {h.ownedBy, h.es[1]}}, h.pos.ID(), h.label.ID()))
	q.At(5)
	other := must[Entity](t)(q.Spawn(h.vel.ID()))
	q.Despawn(h.es[20])
	ok(t, q.Add(h.es[21], h.vel.ID()))
	ok(t, q.Add(h.es[22], h.vel.ID(), h.label.ID(), h.pos.ID()))
	ok(t, q.Remove(h.es[30], h.label.ID(), h.vel.ID(), h.pos.ID()))
	ok(t, q.Remove(h.es[24], h.pos.ID()))
	ok(t, q.Set(h.es[25], h.label.ID(), FieldValue{0, Text("set")}))
	label, note := Component[modelLabel]{w, w.components[h.label.ID()]}, Component[memo]{w, w.components[h.memo.ID()]}
	for i := range 20 { // more than the first room
		label.QueueSet(q, h.es[30+i], modelLabel{fmt.Sprint("stored ", i), float64(i)})
	}
	d := must[*Data](t)(NewData([]DataEntry{{Text("who"), EntityOf(child)}}))
	note.QueueSet(q, other, memo{Who: child, Note: d})
	q.Tag(child, h.tags[69])
	q.Untag(h.es[0], h.tags[0])
	ok(t, q.Send(h.said, FieldValue{0, Text("queued")}))
	ok(t, q.Relate(h.es[60], h.ownedBy, child))
	ok(t, q.Unrelate(h.es[9], h.ownedBy))
}

// goOn changes the world in many ways that depend on all of its parts.
func (h *household) goOn(t *testing.T, w *World) {
	t.Helper()
	ok(t, w.Commands().Apply())
	w.BeginFrame(0.125)
	must[bool](t)(w.Despawn(h.es[0])) // with its children; relations and tags end
	w.Stream("wind").Float64()
	for range 5 {
		must[Entity](t)(w.Spawn(h.pos.ID()))
	}
	ok(t, w.Send(h.said, FieldValue{0, Text("later")}))
	w.EndFrame()
	check(t, w)
	h.queue(w)
}

// A copy is the same to the last detail, goes the same way, and shares nothing that changes.
func TestACopyIsWhole(t *testing.T) {
	h := newHousehold(t)
	before := dump(h.World)
	c := must[*World](t)(h.Copy())
	sameDump(t, "the copy", dump(c), before)
	check(t, c)
	if reason, stopped := c.Stopped(); reason != "it is late" || !stopped {
		t.Errorf("the copy is stopped: %v, %q", stopped, reason)
	}
	if c.Options() != h.Options() || c.isA == nil || c.isA.info.id != h.isA || c.isA == h.World.isA {
		t.Error("the copy has other options, or not a relation IsA of its own")
	}
	for i, table := range h.tables {
		for k := range table.columns {
			if a, b := table.columns[k].newest, c.tables[i].columns[k].newest; a != b {
				t.Errorf("table %d, column %d: newest %v, in the copy %v", i, k, a, b)
			}
			for block := range (table.Len() + blockRows - 1) >> blockShift {
				if a, b := table.columns[k].blocks[block].summary(), c.tables[i].columns[k].blocks[block].summary(); a != b {
					t.Errorf("table %d, column %d, block %d: %v, in the copy %v", i, k, block, a, b)
				}
			}
		}
	}
	h.goOn(t, c)
	sameDump(t, "the original, while the copy goes on", dump(h.World), before)
	after := dump(c)
	h.goOn(t, h.World)
	sameDump(t, "the original", dump(h.World), after)
	sameDump(t, "the copy, while the original goes on", dump(c), after)
	if got := c.RemovedSince(nil, h.vel.ID(), 0); fmt.Sprint(got) != fmt.Sprint(h.RemovedSince(nil, h.vel.ID(), 0)) || len(got) == 0 {
		t.Errorf("lost in the copy: %v", got)
	}
}

// A copy has the events that readers of the original have not read. Nobody reads them there, so its first frame ends that.
func TestACopyHasTheEventsOfReaders(t *testing.T) {
	h := newHousehold(t)
	kept := h.slow.Len()
	for range 3 {
		h.EndFrame()
	}
	ok(t, h.Send(h.said, FieldValue{0, Text("new")}))
	c := must[*World](t)(h.Copy())
	l := c.events[h.said]
	if h.EventBytes() == 0 || c.EventBytes() != h.EventBytes() || h.slow.Len() != kept+1 || c.Peek(h.said).Row(0).Get(0).Str() != "new" {
		t.Errorf("%d and %d bytes are kept for readers, %d unread", h.EventBytes(), c.EventBytes(), h.slow.Len())
	}
	c.EndFrame()
	if h.EventBytes() == 0 || c.EventBytes() != 0 || c.Peek(h.said).Len() != 1 {
		t.Errorf("after a frame, %d and %d bytes are kept for readers", h.EventBytes(), c.EventBytes())
	}
	if _, sent := h.EventCount(h.said); sent != l.end {
		t.Errorf("%d were sent, in the copy %d", sent, l.end)
	}
	if *c.tags[0].sparse.at(0) = (tagEntry{generation: untagged}); !h.Tagged(h.es[0], h.tags[0]) {
		t.Error("the copy shares the entries of a tag")
	}
	world := newWorld(Options{})
	hits(t, world)
	empty := must[*World](t)(world.Copy())
	check(t, empty)
	if l := empty.events[0]; l.base != unsafe.Pointer(&zeroBase) || l.capacity != 0 {
		t.Error("no events take memory in a copy")
	}
	if empty.Len() != 0 || empty.Bytes() != 0 || len(empty.tables) != 1 {
		t.Error("a copy of nothing is something")
	}
}

// A world is copied between systems only.
func TestACopyInsideASystemIsRefused(t *testing.T) {
	w := newWorld(Options{})
	s := NewSchedule(w).Add("copier", func(w *World, _ float64) error { return second(w.Copy()) })
	if err := s.Run(1); !errors.Is(err, ErrLocked) || err.Error() != "copy world: "+ErrLocked.Error() {
		t.Error(err)
	}
	must[*World](t)(w.Copy())
}

// A blank world declares all that a world does, and has none of its content.
func TestABlankOfAWholeWorld(t *testing.T) {
	h := newHousehold(t)
	before := dump(h.World)
	b := h.Blank(h.Options())
	sameDump(t, "the world", dump(h.World), before)
	check(t, b)
	for i, c := range h.components {
		n := b.components[i]
		if n.id != c.id || n.name != c.name || n.kind != c.kind || n.schema != c.schema || n.slots != &b.slots || (n.lost == nil) != (c.lost == nil) || (n.relation == nil) != (c.relation == nil) {
			t.Errorf("component %s is declared as %+v", c.name, n)
		}
		if n.lost != nil && len(n.lost.entries) > 0 {
			t.Errorf("%d losses of %s are in the blank", len(n.lost.entries), c.name)
		}
	}
	if len(h.components[h.vel.ID()].lost.entries) == 0 || len(b.tracked) != 2 || !slices.Contains(b.tracked, b.components[h.label.ID()]) || !slices.Contains(b.tracked, b.components[h.vel.ID()]) {
		t.Errorf("%d components are tracked", len(b.tracked))
	}
	if b.isA == nil || b.isA.info != b.components[h.isA] || b.Len() != 0 || len(b.slots.all) != 0 || b.Bytes() != 0 || len(b.tables) != 1 || b.commands.Len() != 0 {
		t.Error("the blank is not empty")
	}
	if _, stopped := b.Stopped(); stopped || b.Frame() != 0 || b.Tick() != 1 || len(b.streams) != 0 {
		t.Error("the blank has begun")
	}
	for i, l := range h.World.events {
		if n := b.events[i]; n.world != b || n.id != l.id || n.name != l.name || n.schema != l.schema || n.end != 0 || n.base != unsafe.Pointer(&zeroBase) {
			t.Errorf("event %s is declared as %+v", l.name, n)
		}
	}
	for i, s := range h.World.tags {
		if n := b.tags[i]; n.world != b || n.id != s.id || n.name != s.name || len(n.dense) != 0 || n.marks != &b.tagMarks {
			t.Errorf("tag %s is declared as %+v", s.name, n)
		}
	}
	if got := b.Resource(h.score).Number(0); got != 3 || b.Resource(1).Get(0).Str() != "none" {
		t.Errorf("resources begin at %v and %s", got, b.Resource(1).Get(0))
	}
	if g := b.LookupGrid("near"); g.world != b || g.x != h.near.x || g.y != h.near.y || g.taken != 0 {
		t.Errorf("grid %+v", g)
	}
	for _, name := range []string{"Label", "Position"} {
		want, _ := h.LookupComponent(name)
		if got, known := b.LookupComponent(name); !known || got != want {
			t.Errorf("component %s has id %d", name, got)
		}
	}
	if b.componentNames["new"] = 99; h.componentNames["new"] != 0 {
		t.Error("the blank shares the names of the world")
	}
	delete(b.componentNames, "new")
	e := must[Entity](t)(b.Spawn(h.pos.ID()))
	base := must[Entity](t)(b.Spawn(h.vel.ID()))
	must[bool](t)(b.Relate(e, h.isA, base))
	if !b.Has(e, h.vel.ID()) {
		t.Error("IsA is an ordinary relation in the blank")
	}
	b.Tag(e, h.tags[69])
	ok(t, b.Send(h.said))
	must[bool](t)(b.Despawn(e))
	if got := b.RemovedSince(nil, h.vel.ID(), 0); len(got) != 0 {
		t.Errorf("lost: %v", got)
	}
	must[bool](t)(b.Despawn(base))
	if got := b.RemovedSince(nil, h.vel.ID(), 0); len(got) != 1 || got[0] != base {
		t.Errorf("lost: %v", got)
	}
	check(t, b)
	sameDump(t, "the world, after the blank was used", dump(h.World), before)
}
