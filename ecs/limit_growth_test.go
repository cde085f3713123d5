package ecs

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"testing"
	"unsafe"
)

// How many elements something gets room for when it grows: twice as many, or what is usual, or what it needs; near the limit what it needs and half of the rest.
func TestHowMuchIsWanted(t *testing.T) {
	for _, c := range []struct {
		left                  uint64 // bytes; all ones for no limit
		capacity, usual, need int
		size                  uintptr
		want                  int // -1 when there is no room
	}{
		{math.MaxUint64, 0, 8, 1, 10, 8},
		{math.MaxUint64, 8, 8, 9, 10, 16},
		{math.MaxUint64, 8, 8, 17, 10, 17},
		{math.MaxUint64, 100, 8, 101, 0, 200},
		{0, 100, 8, 101, 0, 200}, // elements without data take nothing
		{80, 0, 8, 1, 10, 8},
		{79, 0, 8, 1, 10, 3},
		{10, 0, 8, 1, 10, 1}, // half of the one that fits is none
		{9, 0, 8, 1, 10, -1},
		{80, 8, 8, 9, 10, 16},
		{79, 8, 8, 9, 10, 8 + 3},
		{20, 8, 8, 10, 10, 10},
		{20, 8, 8, 9, 10, 9},
		{30, 8, 8, 9, 10, 9},
		{40, 8, 8, 9, 10, 10},
		{19, 8, 8, 10, 10, -1},
		{0, 8, 8, 9, 1, -1},
		{1, 8, 8, 9, 1, 9},
	} {
		w := newWorld(Options{})
		w.structure = 300
		w.bytes.Store(1000)
		if c.left != math.MaxUint64 {
			w.options.MaxBytes = 1300 + c.left
		}
		if got := Raw.BytesLeft(w); got != c.left {
			t.Errorf("%+v: %d bytes are left", c, got)
		}
		got, fits := w.wanted(c.capacity, c.usual, c.need, c.size)
		if fits != (c.want >= 0) || fits && got != c.want || !fits && got != 0 {
			t.Errorf("%+v: wanted %d, %v", c, got, fits)
		}
		w.bytes.Store(1 << 40)
		if got := Raw.BytesLeft(w); c.left != math.MaxUint64 && got != 0 {
			t.Errorf("%d bytes are left of none", got)
		}
	}
}

// The capacities of all that grows, step by step.
func TestCapacitiesOfWhatGrows(t *testing.T) {
	f := newFamily(t)
	tag := must[TagID](t)(f.DeclareTag("tag"))
	hit := hits(t, f.World)
	g := must[*Grid](t)(f.DeclareGrid(GridSpec{Name: "near", Component: f.pos.ID(), X: "x", Y: "y", Cell: 1}))
	spawn := func(n int) {
		for range n {
			e := f.spawn(f.pos.ID())
			f.Tag(e, tag)
			hit.Send(hitEvent{})
			f.relate(e, f.ownedBy, e)
		}
	}
	table := must[*Table](t)(f.tables[0].with([]ComponentID{f.ownedBy, f.pos.ID()}))
	slots := func() int { return cap(f.slots.all) }
	got := func() string {
		Raw.Grid(g)
		return fmt.Sprint(table.capacity, slots(), cap(f.World.tags[tag].dense), f.World.events[0].capacity, cap(g.points), cap(g.sorted), cap(g.starts), cap(g.cells))
	}
	for _, c := range []struct {
		spawn int
		want  string
	}{
		{0, "0 0 0 0 0 0 64 0"},
		{1, "8 64 64 16 64 64 64 64"},
		{8, "16 64 64 16 64 64 64 64"},
		{8, "32 64 64 32 64 64 64 64"},
		{46, "64 64 64 64 64 64 64 64"},
		{1, "64 64 64 64 64 64 64 64"},
		{1, "128 128 128 128 128 128 64 128"},
	} {
		spawn(c.spawn)
		if text := got(); text != c.want {
			t.Errorf("%d entities: got %s, want %s", f.Len(), text, c.want)
		}
	}
	must[int](t)(must[*Bundle](t)(f.Bundle(f.vel.ID())).SpawnRows(100, nil)) // slots for what is needed, or a quarter more
	if got := slots(); got != 165 {
		t.Errorf("%d slots", got)
	}
	must[int](t)(must[*Bundle](t)(f.Bundle(f.vel.ID())).SpawnRows(10, nil))
	if got := slots(); got != 165+165/4 {
		t.Errorf("%d slots", got)
	}
	ok(t, f.Reserve(100, f.vel.ID()))
	if got := slots(); got != 175+100 {
		t.Errorf("%d slots", got)
	}
	if r := must[*Table](t)(f.tables[0].with([]ComponentID{f.vel.ID()})); r.capacity != 400 {
		t.Errorf("%d rows", r.capacity)
	}
}

// What a caller is told that events and tags will take at most is enough, and is what the formula says.
func TestBytesThatAreForetold(t *testing.T) {
	for capacity := range 200 {
		for _, need := range []int{0, 1, capacity - 1, capacity, capacity + 1, 3 * capacity} {
			want := uint64(0)
			if need > capacity {
				want = uint64(max(2*need, 64)) * 12
			}
			if got := growth(capacity, need, 12); got != want {
				t.Fatalf("from %d to %d: %d bytes, want %d", capacity, need, got, want)
			}
		}
	}
	w := newWorld(Options{})
	hit := hits(t, w)
	var tags []TagID
	for i := range 70 {
		tags = append(tags, must[TagID](t)(w.DeclareTag(fmt.Sprint("tag", i))))
	}
	var es []Entity
	for i := range 200 {
		es = append(es, must[Entity](t)(w.Spawn()))
		if i%3 == 0 {
			hit.Send(hitEvent{})
		}
		for _, n := range []int{0, 1, 5, 100} {
			l := w.events[hit.ID()]
			if got, want := Raw.SendBytes(w, hit.ID(), n), growthOfEvents(l, n); got != want {
				t.Fatalf("%d events: %d bytes, want %d", n, got, want)
			}
			for _, id := range []TagID{tags[0], tags[63], tags[64], tags[69]} {
				s, slots := w.tags[id], len(w.slots.all)
				want := growth(cap(s.dense), len(s.dense)+n, 8) + s.sparse.growth(n, slots)
				for _, row := range []*markRow{w.tagMarks.levels[0][id/64], w.tagMarks.levels[1][0]} {
					want += row.words.growth(n, slots)
				}
				if got := Raw.TagBytes(w, id, n); got != want {
					t.Fatalf("tag %d of %d entities: %d bytes, want %d", id, n, got, want)
				}
			}
		}
		before, most := w.Bytes(), Raw.TagBytes(w, tags[i%70], 1)
		w.Tag(es[i], tags[i%70])
		if grown := w.Bytes() - before; grown > most {
			t.Fatalf("a tag takes %d bytes, %d were foretold", grown, most)
		}
		before, most = w.Bytes(), Raw.SendBytes(w, hit.ID(), 7)
		for range 7 {
			hit.Send(hitEvent{})
		}
		if grown := w.Bytes() - before; grown > most {
			t.Fatalf("events take %d bytes, %d were foretold", grown, most)
		}
		if i%20 == 0 {
			w.EndFrame()
		}
	}
	check(t, w)
}

// growthOfEvents is an upper bound of the bytes by which a log grows for n more events of 16 bytes.
func growthOfEvents(l *eventLog, n int) uint64 {
	if held := int(l.end - l.first); held+n > l.capacity {
		return uint64(max(2*(held+n), 2*3*n, 64)) * 16
	}
	return 0
}

// Room for events is made ahead: for three times as many as are wanted at once.
func TestRoomForEventsAhead(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	l := w.events[hit.ID()]
	for _, c := range []struct{ sent, ahead, want int }{{0, 0, 0}, {0, 1, 16}, {0, 16, 16}, {0, 17, 51}, {51, 0, 51}, {0, 1, 102}, {0, 51, 102}, {0, 52, 204}, {0, 1000, 3000}} {
		for range c.sent {
			hit.Send(hitEvent{})
		}
		ok(t, Raw.ReserveEvents(w, hit.ID(), c.ahead))
		if got := l.capacity; got != c.want {
			t.Errorf("%d events and room for %d more: %d, want %d", l.end, c.ahead, got, c.want)
		}
	}
	w.options.MaxBytes = w.Bytes() + w.structure
	ok(t, Raw.ReserveEvents(w, hit.ID(), 2949))
	if err := Raw.ReserveEvents(w, hit.ID(), 2950); !errors.Is(err, ErrBytes) || err.Error()[:10] != "send Hit: " {
		t.Error(err)
	}
	check(t, w)
}

// Memory that was grown for what is gone is given back for want of room, once a turn: that of event logs, and that of tables without rows while structure
// may change.
func TestWhatIsGivenBackForWantOfRoom(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	hit := hits(t, w)
	gone := must[*Bundle](t)(w.Bundle(ids[0]))
	must[[]Entity](t)(gone.SpawnMany(100, nil))
	must[int](t)(must[*Query](t)(w.Query(Filter{})).DespawnAll())
	for range 3 {
		must[Entity](t)(w.Spawn(ids[1]))
	}
	for range 30 {
		hit.Send(hitEvent{})
	}
	w.Take(hit.ID(), 20)
	w.EndFrame()
	l := w.events[hit.ID()]
	if got := fmt.Sprint(l.capacity, w.tables[1].capacity, w.tables[2].capacity); got != "32 100 8" {
		t.Fatal(got)
	}
	layout := Raw.Layout(w)
	w.locks++
	if !w.giveBack() || w.giveBack() || l.capacity != 10 || w.tables[1].capacity != 100 {
		t.Errorf("while it is locked: room for %d events, %d rows", l.capacity, w.tables[1].capacity)
	}
	w.locks--
	if w.giveBack() || w.tables[1].capacity != 100 {
		t.Error("memory is given back twice in a turn")
	}
	w.advanceTick()
	if Raw.Layout(w) != layout || !w.giveBack() || w.tables[1].capacity != 0 || w.tables[2].capacity != 8 || l.capacity != 10 || Raw.Layout(w) != layout+1 {
		t.Errorf("room for %d events, %d and %d rows", l.capacity, w.tables[1].capacity, w.tables[2].capacity)
	}
	check(t, w)
	for i := range 10 {
		if l.at(i) == nil || l.end-l.first != 10 {
			t.Fatal("events are lost")
		}
	}

	// Whatever grows asks for it.
	for name, grow := range map[string]func(w *World) error{
		"a table": func(w *World) error { return second(w.Spawn(2)) },
		"events":  func(w *World) error { return w.Send(0) },
		"a tag":   func(w *World) error { return second(w.TryTag(w.tables[3].entities[0], 0)) },
	} {
		w := newWorld(Options{})
		ids := letters(t, w, "A", "B", "C", "D")
		hits(t, w)
		must[TagID](t)(w.DeclareTag("tag"))
		must[*Bundle](t)(w.Bundle(ids[2]))
		must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids[0])).SpawnMany(200, nil))
		must[int](t)(must[*Query](t)(w.Query(Filter{})).DespawnAll())
		must[Entity](t)(w.Spawn(ids[3]))
		w.options.MaxBytes = w.Bytes() + w.structure + 7
		w.advanceTick()
		if err := grow(w); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		check(t, w)
	}
}

// Functions without an error grow beyond the limit, by what they need.
func TestWhatCannotRefuseGrowsBeyondTheLimit(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	w.options.MaxBytes = 1
	l := w.events[hit.ID()]
	for _, c := range []struct{ send, want int }{{1, 1}, {1, 2}, {1, 4}, {2, 8}, {20, 25}} {
		hit.SendAll(make([]hitEvent, c.send))
		if got := l.capacity; got != c.want {
			t.Errorf("%d events: room for %d, want %d", l.end, got, c.want)
		}
	}
	if err := w.Send(hit.ID()); !errors.Is(err, ErrBytes) {
		t.Error(err)
	}
	check(t, w)
}

// What worlds count in random runs: bytes, structure, work and layouts. Budgets and limits of scripts depend on these numbers, so they are the same in every
// run, and change only for a reason that the CHANGELOG names.
func TestWhatRandomWorldsCount(t *testing.T) {
	hash := fnv.New64a()
	for seed := range uint64(8) {
		in := modelBytes(seed+500, 6000)
		in[0] &^= 8 // far from the wrap
		r := newMachine(in, false)
		for len(r.in) > 0 {
			r.step()
			w := r.w
			fmt.Fprintln(hash, w.Tick(), Raw.Work(w), w.Bytes(), Raw.Layout(w), len(w.slots.all), cap(w.slots.all))
		}
		r.closePools()
	}
	if got := hash.Sum64(); got != goldenCounts && unsafe.Sizeof(uintptr(0)) == 8 {
		t.Errorf("got %d, want %d", got, uint64(goldenCounts))
	}
}

const goldenCounts = 15440982671026774008
