package ecs

import (
	"testing"
	"unsafe"
)

// keptMemory is Go memory that stays alive while somebody has its address.
type keptMemory struct{ all map[unsafe.Pointer][]uint64 }

func (m *keptMemory) Alloc(size uintptr) unsafe.Pointer {
	b := make([]uint64, (size+7)/8)
	m.all[unsafe.Pointer(unsafe.SliceData(b))] = b
	return unsafe.Pointer(unsafe.SliceData(b))
}

func (m *keptMemory) Free(p unsafe.Pointer, size uintptr) {
	b := m.all[p]
	if (size+7)/8 != uintptr(len(b)) {
		panic("freed with another size than allocated")
	}
	for i := range b {
		b[i] = ^uint64(0) // who still reads it sees that
	}
	delete(m.all, p)
}

// What a world says through its functions, code that reads its memory sees, too.
func TestRawMemoryAgrees(t *testing.T) {
	for name, memory := range map[string]Memory{"heap": nil, "memory": &keptMemory{map[unsafe.Pointer][]uint64{}}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(Options{Memory: memory})
			pos, err := Register[struct{ X, Y float64 }](w, "Position")
			if err != nil {
				t.Fatal(err)
			}
			tag, err := w.DeclareTag("red")
			if err != nil {
				t.Fatal(err)
			}
			grid, err := w.DeclareGrid(GridSpec{Name: "field", Component: pos.ID(), X: "x", Y: "y", Cell: 3})
			if err != nil {
				t.Fatal(err)
			}
			var all []Entity
			for i := range 1000 {
				e, err := w.Spawn()
				if err != nil {
					t.Fatal(err)
				}
				if i%3 > 0 {
					if _, err := pos.Set(e, struct{ X, Y float64 }{float64(i % 37), float64(i % 11)}); err != nil {
						t.Fatal(err)
					}
				}
				if i%5 == 0 {
					w.Tag(e, tag)
				}
				if i%7 == 6 {
					if _, err := w.Despawn(all[i/2]); err != nil {
						t.Fatal(err)
					}
				}
				all = append(all, e)
			}
			checkRaw(t, w, all, tag, pos.ID())
			checkRawGrid(t, grid)
			copied, err := w.Copy()
			if err != nil {
				t.Fatal(err)
			}
			checkRaw(t, copied, all, tag, pos.ID())
		})
	}
}

func checkRaw(t *testing.T, w *World, all []Entity, tag TagID, id ComponentID) {
	t.Helper()
	slots, n := Raw.Slots(w)
	pages, _ := Raw.TagPages(w, tag)
	for _, e := range all {
		index := uintptr(uint32(e))
		slot := unsafe.Add(slots, index*SlotSize)
		alive := int(index) < n && *(*uint32)(unsafe.Add(slot, SlotMeta))&SlotAlive == uint32(e>>32)
		if alive != w.Alive(e) {
			t.Fatalf("%v is alive: %v, from memory %v", e, w.Alive(e), alive)
		}
		has := false
		if page := int(index >> TagPageShift); page < pages {
			if p := Raw.TagPage(w, tag, page); p != nil {
				has = *(*uint32)(unsafe.Add(p, index%(1<<TagPageShift)*TagEntrySize+TagEntryGeneration)) == uint32(e>>32)
			}
		}
		if has != w.Tagged(e, tag) {
			t.Fatalf("%v is tagged: %v, from memory %v", e, w.Tagged(e, tag), has)
		}
		if !alive {
			continue
		}
		table, row := w.Tables()[*(*uint32)(unsafe.Add(slot, SlotTable))], *(*uint32)(unsafe.Add(slot, SlotRow))
		if got := *(*Entity)(unsafe.Add(Raw.Entities(table), uintptr(row)*8)); got != e {
			t.Fatalf("row %d of table %d is %v, want %v", row, table.ID(), got, e)
		}
		if c := table.Column(id); c != nil {
			base, stride := Raw.Column(c)
			at := (*[2]float64)(unsafe.Add(base, uintptr(row)*stride))
			want, err := w.Ref(e, id).Row()
			if err != nil || at[0] != want.Number(0) || at[1] != want.Number(1) {
				t.Fatalf("%v is at %v, want %v, %v", e, *at, want.Number(0), err)
			}
		}
	}
}

// checkRawGrid walks every cell and compares with Near.
func checkRawGrid(t *testing.T, g *Grid) {
	t.Helper()
	raw := Raw.Grid(g)
	var got, want []Entity
	for cell := range raw.Cols * raw.Rows {
		from, to := *(*int32)(unsafe.Add(raw.Starts, 4*cell)), *(*int32)(unsafe.Add(raw.Starts, 4*(cell+1)))
		for i := from; i < to; i++ {
			p := unsafe.Add(raw.Points, uintptr(i)*PointSize)
			x, y := *(*float64)(unsafe.Add(p, PointX)), *(*float64)(unsafe.Add(p, PointY))
			if c := int((y-raw.MinY)/raw.Cell)*raw.Cols + int((x-raw.MinX)/raw.Cell); c != cell {
				t.Fatalf("(%v, %v) is in cell %d, want %d", x, y, cell, c)
			}
			if e := *(*Entity)(unsafe.Add(p, PointEntity)); g.world.Alive(e) {
				got = append(got, e)
			}
		}
	}
	g.Near(0, 0, 1e9, func(e Entity, _ float64) bool { want = append(want, e); return true })
	if len(want) < 100 || len(got) != len(want) {
		t.Fatalf("%d points, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("point %d is %v, want %v", i, got[i], want[i])
		}
	}
}

// Layout changes with every column that moves and every table that comes.
func TestLayoutChanges(t *testing.T) {
	w := newWorld(Options{})
	pos, err := Register[struct{ X float64 }](w, "Position")
	if err != nil {
		t.Fatal(err)
	}
	type place struct{ table, base uintptr }
	seen := map[uint64]place{}
	for range 500 {
		if _, err := w.Spawn(pos.ID()); err != nil {
			t.Fatal(err)
		}
		last := w.Tables()[len(w.Tables())-1]
		base, _ := Raw.Column(last.Column(pos.ID()))
		now := place{uintptr(len(w.Tables())), uintptr(base)}
		if before, ok := seen[Raw.Layout(w)]; ok && before != now {
			t.Fatalf("layout %d: %v, then %v", Raw.Layout(w), before, now)
		}
		seen[Raw.Layout(w)] = now
	}
	if len(seen) < 4 {
		t.Errorf("only %d layouts", len(seen))
	}
}
