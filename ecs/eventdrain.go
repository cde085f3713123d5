package ecs

import (
	"fmt"
	"unsafe"
)

// Drained are events that Drain removed. They are a copy, valid as long as the caller keeps it.
type Drained struct {
	schema *Schema
	base   unsafe.Pointer
	n      int
}

// Len returns how many events were taken.
func (d Drained) Len() int { return d.n }

// Row returns event i, oldest first.
func (d Drained) Row(i int) Row {
	if uint(i) >= uint(d.n) {
		panic(fmt.Sprintf("ecs: drained event %d of %d", i, d.n))
	}
	return Row{schema: d.schema, ptr: unsafe.Add(d.base, uintptr(i)*d.schema.size)}
}

// Drain removes every event that Peek would return, for all readers, and returns them. Older events, kept for a slow reader, stay for that reader.
func (w *World) Drain(id EventID) Drained {
	w.mustBeAlone()
	l := w.event(id)
	n := int(l.end - l.previous)
	d := Drained{schema: l.schema, n: n}
	if n == 0 {
		return d
	}
	from := l.at(int(l.previous - l.first))
	d.base, _ = allocRows(nil, l.schema, n)
	l.schema.copyRows(d.base, from, n)
	w.Take(id, n)
	return d
}

// Take takes the first n events that Peek would return, or all if there are fewer, for all readers. The rows of earlier
// calls of Peek are no longer valid. Older events, kept for a slow reader, stay for that reader. It costs O(n), whatever the readers.
func (w *World) Take(id EventID, n int) {
	l := w.event(id)
	n = min(n, int(l.end-l.previous))
	if n <= 0 {
		return
	}
	l.before()
	l.clear(int(l.previous-l.first), n)
	l.previous += uint64(n)
	l.current = max(l.current, l.previous)
	if l.previous < l.end {
		return
	}
	for _, r := range l.readers {
		if r.next < l.hole {
			return
		}
	}
	// Nothing is left, for slow readers either: the memory is free again.
	capacity := l.full - l.first
	l.clear(0, int(l.hole-l.first)) // those that slow readers have read by now
	l.first, l.hole, l.full = l.end, l.end, l.end+capacity
	for _, r := range l.readers {
		r.next = l.end
	}
}
