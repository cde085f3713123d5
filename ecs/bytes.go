package ecs

import "unsafe"

// Bytes returns the memory that the world holds in tables, with stamps, handles and slots, tags, grids, relations and events: what
// [Options.MaxBytes] bounds. Contents of strings and tables, and resources, are not in it. Unlike all else it may be called from
// any goroutine, so that a watchdog can tell the world from the rest of the heap.
func (w *World) Bytes() uint64 { return uint64(w.bytes.Load()) }

// rowBytes returns the memory of one row: its values and stamps, its handle and the slot behind it.
func (t *Table) rowBytes() uintptr {
	n := unsafe.Sizeof(None) + unsafe.Sizeof(slot{})
	for i := range t.columns {
		n += t.columns[i].size + unsafe.Sizeof(rowStamp{})
	}
	return n
}
