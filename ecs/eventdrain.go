package ecs

import (
	"fmt"
	"unsafe"
)

// Drained are events that Drain has removed. They are a copy of the caller's, with no limit of validity.
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

// Drain removes every event that Peek would return, for all readers, and returns a copy of them. Older events that
// are kept for slow readers stay.
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

// Take removes the first n events that Peek would return, or all if there are fewer, for all readers. Rows from
// earlier calls of Peek are no longer valid. Older events that are kept for slow readers stay. It costs O(n) and,
// if no event is left, O(readers).
func (w *World) Take(id EventID, n int) {
	l := w.event(id)
	n = min(n, int(l.end-l.previous))
	if n <= 0 {
		return
	}
	l.before()
	l.losing(l.previous + uint64(n))
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
	// No event is left, not even for slow readers: start again at the beginning of the memory.
	l.clear(0, int(l.hole-l.first)) // events that slow readers have read by now
	l.restart()
	l.hole = l.end
	for _, r := range l.readers {
		r.next = l.end
	}
}
