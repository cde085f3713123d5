package ecs

import (
	"sync/atomic"
	"unsafe"
)

// The memory of a world in bytes: what Options.MaxBytes limits, and how much of Go's heap it takes. Both are kept as
// counts, which any goroutine may read.

// Bytes returns the bytes that the world holds in tables (with stamps, handles and slots), tags, grids, relations
// and events. This is what [Options.MaxBytes] limits. Contents of strings and tables, and resources without arrays, are not
// counted. Any goroutine may call it at any time.
func (w *World) Bytes() uint64 { return uint64(w.bytes.Load()) }

// HeapBytes returns how many bytes of Go's heap the world holds: those of [World.Bytes] that are not in
// [Options.Memory], and what was recorded to take the running turn back. Any goroutine may call it at any time: a
// watchdog uses it to tell the world from the rest of the heap. Contents of strings and tables, and resources, are
// not counted.
func (w *World) HeapBytes() uint64 {
	h := &w.heap
	return uint64(max(0, w.bytes.Load()-h.elseRows.Load()-h.elsewhere.Load()+h.singles.Load()+h.slots.Load()+h.undo.Load()+h.indexes.Load()))
}

// heapCounts are what leads from World.bytes to the bytes on Go's heap.
type heapCounts struct {
	elseRows  atomic.Int64 // in bytes: what of the rows that tables have room for is not in the tables: their slots, and stamps, which many blocks need not have
	elsewhere atomic.Int64 // in bytes, but in Options.Memory
	singles   atomic.Int64 // the stamps of single rows
	slots     atomic.Int64 // the slots that there are, if they are on the heap, and the free list
	undo      atomic.Int64 // the memory of the undo log
	indexes   atomic.Int64 // the entries of indexes, and places without a size, if they are on the heap
}

// A countedMemory is the Memory of a world that counts what it has given to it.
type countedMemory struct {
	Memory
	given *atomic.Int64
}

func (m *countedMemory) Alloc(size uintptr) unsafe.Pointer {
	p := m.Memory.Alloc(size)
	if p != nil {
		m.given.Add(int64(size))
	}
	return p
}

func (m *countedMemory) Free(p unsafe.Pointer, size uintptr) {
	m.Memory.Free(p, size)
	m.given.Add(-int64(size))
}

// counted returns m for everything but slots, and nil for nil.
func (h *heapCounts) counted(m Memory) Memory {
	if m == nil {
		return nil
	}
	return &countedMemory{m, &h.elsewhere}
}

// remeasure sets the counts from the memory that the world holds, after it was restored.
func (w *World) remeasure() {
	w.bytes.Store(w.measure())
	w.heap.elseRows.Store(w.measureElseRows())
	w.heap.singles.Store(w.measureSingles())
	w.countIndexes()
	w.countSlots()
}

// measureElseRows computes what heapCounts.elseRows must be.
func (w *World) measureElseRows() (n int64) {
	for _, t := range w.tables {
		n += int64(t.capacity) * int64(t.elseBytes())
	}
	return n
}

// measureSingles computes what heapCounts.singles must be.
func (w *World) measureSingles() (n int64) {
	for _, t := range w.tables {
		for i := range t.columns {
			for j := range t.columns[i].blocks {
				if t.columns[i].blocks[j].single != nil {
					n += int64(unsafe.Sizeof(singleStamps{}))
				}
			}
		}
	}
	return n
}

// measureElsewhere computes what heapCounts.elsewhere must be.
func (w *World) measureElsewhere() (n int64) {
	for _, t := range w.tables {
		if t.owned {
			n += int64(cap(t.entities)) * int64(unsafe.Sizeof(None))
		}
		for i := range t.columns {
			if c := &t.columns[i]; c.owned {
				n += int64(t.capacity) * int64(c.size)
			}
		}
	}
	for _, s := range w.tags {
		for _, owned := range s.sparse.owned {
			if owned {
				n += int64(unsafe.Sizeof(noTags))
			}
		}
	}
	for _, g := range w.grids {
		for i, size := range [3]int64{int64(cap(g.points)) * int64(unsafe.Sizeof(gridPoint{})), int64(cap(g.starts)) * 4, int64(cap(g.sorted)) * int64(unsafe.Sizeof(gridPoint{}))} {
			if g.owned[i] {
				n += size
			}
		}
	}
	for _, l := range w.layers {
		if l.owned {
			n += l.spec.bytes()
		}
	}
	for _, x := range w.indexes {
		if x.spec.Width > 0 && x.owned[0] {
			n += int64(len(x.heads)) * int64(unsafe.Sizeof(None))
		}
		if x.spec.Width > 0 && x.owned[1] {
			n += int64(len(x.ends)) * int64(unsafe.Sizeof(indexEnd{}))
		}
		for _, owned := range x.entries.owned {
			if owned {
				n += int64(unsafe.Sizeof(noEntries))
			}
		}
	}
	return n
}

// countUndo counts the memory of the undo log.
func (u *undo) countUndo() {
	n := int64(cap(u.bytes)) + int64(cap(u.stamps))*int64(unsafe.Sizeof(rowStamp{})) + int64(cap(u.blocks))*int64(unsafe.Sizeof(blockUndo{})) +
		int64(cap(u.summaries))*int64(unsafe.Sizeof(blockStamp{})) +
		int64(cap(u.leaving))*int64(unsafe.Sizeof(None)) + int64(cap(u.changes))*int64(unsafe.Sizeof(slotUndo{})) +
		int64(cap(u.tagLog))*int64(unsafe.Sizeof(tagUndo{})) + int64(cap(u.relationLog))*int64(unsafe.Sizeof(relationUndo{})) + u.typedBytes +
		int64(cap(u.indexLog.moves))*int64(unsafe.Sizeof(indexUndo{})) + int64(cap(u.indexLog.words))*8 + int64(cap(u.indexLog.texts))*16 +
		int64(cap(u.resourceLog.bytes)) + int64(cap(u.resourceLog.pages))*int64(unsafe.Sizeof(resourceUndo{})) +
		int64(cap(u.layerLog.bytes)) + int64(cap(u.layerLog.pages))*int64(unsafe.Sizeof(layerUndo{}))
	if n != u.counted {
		u.counted = n
		u.w.heap.undo.Store(n)
	}
}

// countSlots counts the memory of slots, which changes seldom.
func (w *World) countSlots() {
	s := &w.slots
	n := int64(cap(s.free)) * 4
	if !s.owned {
		n += int64(cap(s.all)) * int64(unsafe.Sizeof(slot{}))
	}
	w.heap.slots.Store(n)
}

// elseBytes returns those of the bytes of a row that are not in the table: the slot, and stamps.
func (t *Table) elseBytes() uintptr {
	return unsafe.Sizeof(slot{}) + uintptr(len(t.columns))*unsafe.Sizeof(rowStamp{}) + t.indexBytes()
}

// indexBytes returns the bytes of a row that are in indexes.
func (t *Table) indexBytes() (n uintptr) {
	for _, x := range t.world.indexes {
		if t.mask.has(x.info.id) {
			n += uintptr(x.spec.entryBytes())
		}
	}
	return n
}

// rowBytes returns the bytes of one row: its values and stamps, its handle, and the slot of its entity.
func (t *Table) rowBytes() uintptr {
	n := unsafe.Sizeof(None) + unsafe.Sizeof(slot{}) + t.indexBytes()
	for i := range t.columns {
		n += t.columns[i].size + unsafe.Sizeof(rowStamp{})
	}
	return n
}

// These functions grow slices of types without pointers, in the world's Memory if there is one. They do not ask
// the limit of bytes: limit.go does, and calls them.

// room returns s with capacity for exactly n elements if it has less, and frees the old memory. With a Memory the
// new memory comes from there, if it has any, so that code outside of Go can read it. owned says whether s is in
// m's memory; the caller keeps it with s. Elements beyond the length are zero.
func room[T any](m Memory, s []T, owned *bool, n int) []T {
	if n <= cap(s) {
		return s
	}
	if m == nil {
		return grow(s, n)
	}
	p := m.Alloc(uintptr(n) * unsafe.Sizeof(*new(T)))
	if p == nil {
		grown := grow(s, n)
		release(m, s, owned)
		return grown
	}
	grown := unsafe.Slice((*T)(p), n)[:len(s)]
	copy(grown, s)
	release(m, s, owned)
	*owned = true
	return grown
}

// grow returns s with capacity n, on Go's heap. The advice for large pages is given before the memory is first
// written.
func grow[T any](s []T, n int) []T {
	grown := make([]T, len(s), n)
	adviseHuge(unsafe.Pointer(unsafe.SliceData(grown)), uintptr(n)*unsafe.Sizeof(*new(T)))
	copy(grown, s)
	return grown
}

// release frees the memory of s if it came from m.
func release[T any](m Memory, s []T, owned *bool) {
	if *owned && cap(s) > 0 {
		m.Free(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s))*unsafe.Sizeof(*new(T)))
	}
	*owned = false
}
