package ecs

import (
	"testing"
	"unsafe"
)

// meteredMemory hands out Go memory, up to a number of bytes, and counts what is not given back.
type meteredMemory struct {
	live  map[unsafe.Pointer]uintptr
	most  uintptr
	bytes uintptr
}

func (m *meteredMemory) Alloc(size uintptr) unsafe.Pointer {
	if m.bytes+size > m.most {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))
	m.live[p], m.bytes = size, m.bytes+size
	return p
}

func (m *meteredMemory) Free(p unsafe.Pointer, size uintptr) {
	if m.live[p] != size || size == 0 {
		panic("ecs: memory is given back that was not had")
	}
	delete(m.live, p)
	m.bytes -= size
}

// Whatever the memory refuses lies in Go's heap, and the world is the same; what it gave is given back.
func TestMemoryThatRunsOut(t *testing.T) {
	var digests []Digest
	for _, most := range []uintptr{0, 100, 1000, 10_000, 100_000, 1 << 30} {
		m := &meteredMemory{live: map[unsafe.Pointer]uintptr{}, most: most}
		w := newWorld(Options{Memory: m, Seed: 1})
		pos := MustRegister[position](w, "Position")
		mark := must[ComponentID](t)(w.DeclareComponent("Mark", must[*Schema](t)(NewSchema())))
		name := must[ComponentID](t)(w.DeclareComponent("Name", must[*Schema](t)(NewSchema(Field{Name: "s", Type: String}))))
		tag := must[TagID](t)(w.DeclareTag("tag"))
		g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}))
		near := 0
		for i := range 700 {
			e := must[Entity](t)(w.Spawn(pos.ID()))
			pos.Write(e).X = float64(i)
			switch i % 5 {
			case 1:
				w.Tag(e, tag)
			case 2:
				must[bool](t)(w.Add(e, mark, name))
			case 3:
				must[bool](t)(w.Despawn(e))
			}
			if i%100 == 0 {
				g.Near(float64(i), 0, 10, func(Entity, float64) bool { near++; return true })
			}
		}
		check(t, w)
		if near != 7+6*8 {
			t.Errorf("most %d: %d are near", most, near)
		}
		if most == 1<<30 {
			for _, table := range w.tables {
				if _, ok := m.live[Raw.Entities(table)]; ok != (Raw.Capacity(table) > 0) {
					t.Errorf("handles of table %d in the memory: %v", table.ID(), ok)
				}
			}
			for i, p := range []unsafe.Pointer{unsafe.Pointer(unsafe.SliceData(w.slots.all)), Raw.TagPage(w, 0, 0), Raw.Grid(g).Points, Raw.Grid(g).Starts} {
				if _, ok := m.live[p]; !ok {
					t.Errorf("part %d is not in the memory", i)
				}
			}
		}
		digests = append(digests, w.Digest())
		for _, e := range append([]Entity(nil), w.entities()...) {
			must[bool](t)(w.Despawn(e))
		}
		must[uint64](t)(w.Release())
		check(t, w)
		if most == 1<<30 {
			want := cap(w.slots.all)*12 + w.tags[0].sparse.held*pageSlots*int(TagEntrySize) + (cap(g.points)+cap(g.sorted))*int(PointSize) + cap(g.starts)*4
			if int(m.bytes) != want {
				t.Errorf("%d bytes are left, want %d", m.bytes, want)
			}
		}
	}
	for _, d := range digests {
		if d != digests[0] {
			t.Errorf("digests %v", digests)
			break
		}
	}
}

func (w *World) entities() (list []Entity) {
	for e := range w.Entities {
		list = append(list, e)
	}
	return list
}

// room copies what there is and gives back the old memory, exactly once.
func TestRoom(t *testing.T) {
	m := &meteredMemory{live: map[unsafe.Pointer]uintptr{}, most: 1000}
	var s []uint64
	owned := false
	for _, c := range []struct {
		n, bytes int
		owned    bool
	}{{4, 32, true}, {4, 32, true}, {3, 32, true}, {50, 400, true}, {60, 480, true}, {200, 0, false}, {10, 0, false}} {
		s = room(m, s, &owned, c.n)
		if cap(s) < c.n || owned != c.owned || int(m.bytes) != c.bytes {
			t.Fatalf("room for %d: capacity %d, owned %v, %d bytes", c.n, cap(s), owned, m.bytes)
		}
		for i, v := range s {
			if v != uint64(i)+1 {
				t.Fatalf("room for %d: element %d is %d", c.n, i, v)
			}
		}
		if s = append(s, uint64(len(s))+1); len(m.live) > 1 {
			t.Fatalf("%v", m.live)
		}
	}
	none := room(nil, s, &owned, 1000)
	if owned || cap(none) < 1000 || len(none) != len(s) || none[len(s)-1] != s[len(s)-1] {
		t.Error("without a memory")
	}
	owned = true
	release(m, []uint64(nil), &owned)
	if owned {
		t.Error("nothing is still owned")
	}
}

// A copy that only holds the state takes nothing of the memory, which would not get it back when the copy is dropped.
func TestACopyOfTheStateTakesNoMemory(t *testing.T) {
	m := &meteredMemory{live: map[unsafe.Pointer]uintptr{}, most: 1 << 30}
	w := newWorld(Options{Memory: m, Seed: 1})
	pos := MustRegister[position](w, "Position")
	tag := must[TagID](t)(w.DeclareTag("tag"))
	s := NewSchedule(w)
	for range 1000 {
		w.Tag(must[Entity](t)(w.Spawn(pos.ID())), tag)
	}
	had := m.bytes
	kept := must[*Schedule](t)(s.Copy(nil))
	if m.bytes != had || kept.World().HeapBytes() < 16_000 {
		t.Errorf("the copy takes %d bytes of the memory, and %d of the heap", m.bytes-had, kept.World().HeapBytes())
	}
	want := w.Digest()
	must[Entity](t)(w.Spawn(pos.ID()))
	if err := s.Restore(kept); err != nil || w.Digest() != want {
		t.Error(err, w.Digest(), want)
	}
	check(t, w)
}
