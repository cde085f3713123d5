package ecs

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// What is taken back leaves the world as it was, the order of a tag's entities and the stamps included.
func TestPutBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	set := w.TagSet(tag)
	var all []Entity
	for i := range 200 {
		e := must[Entity](t)(w.Spawn(pos.ID()))
		if i%3 == 0 {
			w.Tag(e, tag)
		}
		all = append(all, e)
	}
	w.Stream("").Float64()
	col := w.Tables()[1].Column(pos.ID())
	for range 500 {
		before := w.Digest()
		var stamps []Tick
		for i := range all {
			stamps = append(stamps, col.Changed(i))
		}
		since := w.Tick()
		w.BeginFrame(1)
		random := Raw.RandomState(w.Stream(""))
		var undo []func()
		for range rng.IntN(12) {
			e := all[rng.IntN(len(all))]
			switch place := Raw.TagPlace(set, e); rng.IntN(3) {
			case 0:
				if set.Tag(e); place < 0 {
					undo = append(undo, func() { set.Untag(e) })
				}
			case 1:
				if set.Untag(e) {
					undo = append(undo, func() { Raw.PutBackTag(set, e, place) })
				}
			case 2:
				w.Stream("").Between(1, 6)
			}
		}
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
		Raw.PutBackRandom(w.Stream(""), random)
		w.EndFrame()
		check(t, w)
		if w.clock.frame, w.clock.time, w.clock.dt = 0, 0, 0; w.Digest() != before {
			t.Fatal("the world is another one")
		}
		q := must[*Query](t)(w.Query(Filter{Changed: []ComponentID{pos.ID()}}))
		c := q.beginSince(since)
		if c.Next() {
			t.Fatalf("%v counts as changed", c.Entity())
		}
		for i, s := range stamps {
			if col.Changed(i) != s {
				t.Fatalf("row %d was changed at %d, now %d", i, s, col.Changed(i))
			}
		}
		for range rng.IntN(3) { // something that stays
			e := all[rng.IntN(len(all))]
			set.Untag(e)
			set.Tag(all[rng.IntN(len(all))])
			_, row := w.TableOf(e)
			col.Stamp(row)
		}
		w.EndFrame()
	}
}

// The handles that are to come are those that come.
func TestUpcoming(t *testing.T) {
	w := newWorld(Options{MaxEntities: 60})
	var all []Entity
	for range 20 {
		all = append(all, must[Entity](t)(w.Spawn()))
	}
	for i := range 20 {
		if i%3 > 0 {
			must[bool](t)(w.Despawn(all[i]))
		}
		var want, got []Entity
		for n := range 4 {
			want = append(want, Raw.Upcoming(w, n))
		}
		room := Raw.Room(w)
		for n := range 4 {
			e := must[Entity](t)(w.Commands().Spawn())
			if n == 3 {
				w.Commands().Drop()
				apply(t, w.Commands())
			}
			got = append(got, e)
		}
		for n := range want {
			if want[n] != got[n] {
				t.Fatalf("reservation %d gives %v, foretold %v", n, got[n], want[n])
			}
		}
		if Raw.Room(w) != room {
			t.Fatalf("room for %d, then for %d", room, Raw.Room(w))
		}
	}
	for range Raw.Room(w) {
		must[Entity](t)(w.Commands().Spawn())
	}
	if _, err := w.Commands().Spawn(); err == nil || Raw.Room(w) != 0 {
		t.Fatalf("%v, room for %d", err, Raw.Room(w))
	}
}

// A Finder finds what a Ref finds.
func TestFinder(t *testing.T) {
	w := newWorld(Options{})
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	pos, label := MustRegister[position](w, "Position"), MustRegister[modelLabel](w, "Label")
	var all []Entity
	for i := range 40 {
		e := must[Entity](t)(w.Spawn([]ComponentID{pos.ID(), label.ID()}[i%2]))
		if i%5 == 4 {
			must[bool](t)(w.Relate(e, isA, all[i-3]))
		}
		all = append(all, e)
	}
	must[bool](t)(w.Despawn(all[7]))
	found := [3]int{}
	for _, id := range []ComponentID{pos.ID(), label.ID()} {
		f := Raw.Finder(w, id)
		for _, e := range append(all, None, 1<<40) {
			got := f.Find(e)
			row, err := w.Ref(e, id).Row()
			if err != nil {
				row = Row{}
			}
			if got.Memory != Raw.Row(row) {
				t.Errorf("component %d of %v: %v, want %v (%v)", id, e, got.Memory, Raw.Row(row), err)
			}
			switch {
			case got.Memory == nil:
				found[0]++
			case w.Owns(e, id) != (got.Table >= 0):
				t.Errorf("component %d of %v is in table %d", id, e, got.Table)
			case got.Table < 0:
				found[1]++
			default:
				found[2]++
				if base, stride := Raw.Column(f.Column(got.Table)); unsafe.Add(base, uintptr(got.Row)*stride) != got.Memory {
					t.Errorf("component %d of %v is not at row %d", id, e, got.Row)
				}
			}
		}
	}
	if found[0] == 0 || found[1] == 0 || found[2] == 0 {
		t.Errorf("%d times absent, shared, own", found)
	}
}

// NextRows visits what Next visits, also when the walk changes hands in the middle.
func TestNextRows(t *testing.T) {
	w := newWorld(Options{})
	pos, label := MustRegister[position](w, "Position"), MustRegister[modelLabel](w, "Label")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	for i := range 300 {
		e := must[Entity](t)(w.Spawn([]ComponentID{pos.ID(), label.ID()}[:1+i%2]...))
		if i%3 > 0 {
			w.Tag(e, tag)
		}
	}
	for _, f := range []Filter{{Required: []ComponentID{pos.ID()}}, {Required: []ComponentID{pos.ID()}, Tagged: []TagID{tag}}, {Without: []ComponentID{pos.ID()}}} {
		q := must[*Query](t)(w.Query(f))
		var want []Entity
		for e := range q.each {
			want = append(want, e)
		}
		for stop := range len(want) + 1 {
			c := q.begin()
			if c.World() != w {
				t.Fatal("another world")
			}
			var got []Entity
			for n, mask := c.NextRows(); n > 0 && len(got) < stop; n, mask = c.NextRows() {
				for i := 0; i < n && len(got) < stop; i++ {
					if i > 0 {
						c.Skip(1)
					}
					if mask == 0 || mask>>i&1 != 0 {
						got = append(got, c.Entity())
					}
				}
				if len(got) == stop {
					for c.Next() {
						got = append(got, c.Entity())
					}
				}
			}
			if stop > 0 && len(got) != len(want) {
				t.Fatalf("%d entities, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("entity %d is %v, want %v", i, got[i], want[i])
				}
			}
			c.End()
			if c.World() != nil || after(&c) != 0 || w.Locked() {
				t.Fatal("the walk goes on")
			}
		}
	}
}

func after(c *Cursor) int {
	n, _ := c.NextRows()
	return n
}

// An appended event is at its defaults, and read as one that was sent.
func TestAppendEvent(t *testing.T) {
	w := newWorld(Options{})
	id := must[EventID](t)(w.DeclareEvent("Hit", must[*Schema](t)(NewSchema(Field{Name: "n", Type: F64, Default: Number(3)}, Field{Name: "s", Type: String, Default: Text("a")}))))
	for i := range 40 {
		row := Raw.AppendEvent(w, id)
		if w.events[id].capacity <= i {
			t.Fatalf("event %d is in no memory", i)
		}
		if i%2 == 0 {
			ok(t, row.Set(1, Text("b")))
		}
	}
	e := w.Peek(id)
	if e.Len() != 40 || e.Row(3).Get(1).Str() != "a" || e.Row(4).Get(1).Str() != "b" || e.Row(4).Number(0) != 3 {
		t.Errorf("%d events, %v, %v", e.Len(), e.Row(3).Get(1), e.Row(4).Get(1))
	}
	check(t, w)
}
