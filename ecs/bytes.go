package ecs

import "unsafe"

// Bytes returns the bytes that the world holds in tables (with stamps, handles and slots), tags, grids, relations
// and events. This is what [Options.MaxBytes] limits. Contents of strings and tables, and resources, are not
// counted. It is the only function of a World that any goroutine may call at any time: a watchdog uses it to tell
// the world from the rest of the heap.
func (w *World) Bytes() uint64 { return uint64(w.bytes.Load()) }

// rowBytes returns the bytes of one row: its values and stamps, its handle, and the slot of its entity.
func (t *Table) rowBytes() uintptr {
	n := unsafe.Sizeof(None) + unsafe.Sizeof(slot{})
	for i := range t.columns {
		n += t.columns[i].size + unsafe.Sizeof(rowStamp{})
	}
	return n
}
