package ecs

import (
	"errors"
	"testing"
	"unsafe"
)

// Stats of a world whose parts are known by name.
func TestStatsOfAKnownWorld(t *testing.T) {
	w := newWorld(Options{})
	if got, want := w.Stats(), (Stats{Tables: 1, Empty: 1}); got != want {
		t.Errorf("empty: got %+v, want %+v", got, want)
	}
	ids := letters(t, w, "A", "B")
	likes := must[RelationID](t)(w.DeclareRelation("Likes"))
	tag := must[TagID](t)(w.DeclareTag("tag"))
	must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	must[*Query](t)(w.Query(Filter{Required: ids[1:]}))
	var es []Entity
	for i := range 4 {
		es = append(es, must[Entity](t)(w.Spawn(ids[:i%2+1]...))) // {A}, {A, B}, {A}, {A, B}
	}
	w.Tag(es[0], tag)
	w.Tag(es[1], tag)
	must[bool](t)(w.Relate(es[2], likes, es[0])) // a table {A, Likes}
	must[bool](t)(w.Remove(es[3], ids[1]))       // an edge from {A, B}
	must[bool](t)(w.Remove(es[1], ids[1]))       // now {A, B} is empty
	must[bool](t)(w.Add(es[1], ids[1]))
	must[bool](t)(w.Remove(es[1], ids[1]))
	must[Entity](t)(w.Commands().Spawn())
	gone := must[Entity](t)(w.Spawn())
	spent := must[Entity](t)(w.Spawn())
	must[bool](t)(w.Despawn(gone))
	w.slots.all[spent.Index()].meta = MaxGeneration
	w.tables[0].entities[0] = makeEntity(spent.Index(), MaxGeneration)
	must[bool](t)(w.Despawn(w.tables[0].entities[0]))
	hit := hits(t, w)
	r := w.EventReader(hit.ID())
	for range 3 {
		hit.Send(hitEvent{})
		w.EndFrame()
	}
	got := w.Stats()
	index := uintptr(cap(w.slots.all))*12 + uintptr(cap(w.slots.free))*4 + uintptr(w.tags[0].sparse.bytes()) + uintptr(cap(w.tags[0].dense))*8 +
		uintptr(w.relations[0].heads.bytes()+w.relations[0].links.bytes())
	want := Stats{
		Entities: 4, Reserved: 1, Slots: 7, Free: 1, Retired: 1, Components: 3, Tables: 4, Empty: 2, Edges: 5, Queries: 2, Matches: 4, Rows: 4 * firstCapacity,
		TagEntries: 2, Events: 3, Bytes: w.Bytes(), IndexBytes: index,
	}
	if unsafe.Sizeof(slot{}) != 12 || got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	r.Close()
	w.EndFrame()
	if got := w.Stats().Events; got != 0 {
		t.Errorf("%d events are held for nobody", got)
	}
	check(t, w)
}

// Release gives back exactly the memory of the tables without rows.
func TestReleaseReturnsTheBytes(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	e := must[Entity](t)(w.Spawn(ids[0]))
	must[Entity](t)(w.Spawn(ids[1]))
	must[bool](t)(w.Despawn(e))
	w.locks++
	if n, err := w.Release(); n != 0 || !errors.Is(err, ErrLocked) {
		t.Errorf("locked: %d %v", n, err)
	}
	w.locks--
	if got, want := must[uint64](t)(w.Release()), uint64(firstCapacity*(8+12+8+8)); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
	layout := Raw.Layout(w)
	if got := must[uint64](t)(w.Release()); got != 0 || Raw.Layout(w) != layout {
		t.Errorf("again %d, and columns moved: %v", got, Raw.Layout(w) != layout)
	}
	check(t, w)
}
