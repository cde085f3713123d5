package ecs

import (
	"slices"
	"unsafe"
)

// grow appends a row and returns it; what it holds is the caller's to set.
func (l *eventLog) grow() unsafe.Pointer {
	l.guard()
	if l.end == l.full {
		l.extend(1)
	}
	l.end++
	return l.at(int(l.end - 1 - l.first))
}

func (l *eventLog) at(row int) unsafe.Pointer { return unsafe.Add(l.base, uintptr(row)*l.schema.size) }

// capacity is how many events there is memory for.
func (l *eventLog) capacity() int { return int(l.full - l.first) }

// reserve makes room for more events than there are now, or says that there is none: [ErrBytes].
func (l *eventLog) reserve(more int) error {
	need := int(l.end-l.first) + more
	if need <= l.capacity() {
		return nil
	}
	want, ok := l.world.wanted(l.capacity(), 16, need, l.schema.size)
	if !ok && l.world.giveBack() {
		want, ok = l.world.wanted(l.capacity(), 16, need, l.schema.size)
	}
	if !ok {
		return l.world.full()
	}
	l.resize(want)
	return nil
}

// extend makes room for more events, whatever the limit says: for functions without an error.
func (l *eventLog) extend(more int) {
	if l.reserve(more) != nil {
		l.resize(max(2*l.capacity(), int(l.end-l.first)+more))
	}
}

// resize moves the log to memory for capacity events, at least those that it has.
func (l *eventLog) resize(capacity int) {
	l.before()
	l.world.bytes.Add(int64(capacity-l.capacity()) * int64(l.schema.size))
	base, _ := allocRows(nil, l.schema, capacity)
	l.schema.copyRows(base, l.base, int(l.end-l.first))
	l.base, l.full = base, l.first+uint64(capacity)
}

// copyRows copies n rows; the ranges may overlap.
func (s *Schema) copyRows(dst, src unsafe.Pointer, n int) {
	if n == 0 || s.size == 0 {
		return
	}
	if s.memory != nil {
		s.memory.copyRows(dst, src, n)
		return
	}
	copy(unsafe.Slice((*byte)(dst), uintptr(n)*s.size), unsafe.Slice((*byte)(src), uintptr(n)*s.size))
}

// closeHole makes what slow readers have not read and what was not taken one range: the former gets the numbers just before the latter.
func (l *eventLog) closeHole() {
	l.before()
	gone, old := l.previous-l.hole, int(l.hole-l.first)
	for _, r := range l.readers {
		switch {
		case r.next < l.hole:
			r.next += gone
		case r.next < l.previous:
			r.next = l.previous
		}
	}
	if gone > 0 && old > 0 { // else what was taken stands at the beginning, where nobody looks
		n := int(l.end - l.previous)
		if n > 0 { // else there is nothing to move, and it may lie past the log's memory
			l.schema.copyRows(l.at(old), l.at(old+int(gone)), n)
		}
		l.clear(old+n, int(gone))
		l.first, l.full = l.first+gone, l.full+gone
	}
	l.hole = l.previous
}

// clear forgets the pointers of n rows, for the collector.
func (l *eventLog) clear(from, n int) {
	if m := l.schema.memory; m != nil {
		for i := range n {
			m.clear(l.at(from + i))
		}
	}
}

// endFrame moves the frame marks and drops what nobody can read any more.
func (l *eventLog) endFrame() {
	l.before()
	l.readers = slices.DeleteFunc(l.readers, func(r *EventReader) bool { return r.loose })
	l.closeHole()
	l.previous, l.current = l.current, l.end
	l.hole = l.previous
	keep := l.previous
	for _, r := range l.readers {
		keep = min(keep, r.next)
	}
	drop := int(keep - l.first)
	if drop == 0 {
		return
	}
	n := int(l.end - keep)
	if n > 0 { // else at(drop) may lie past the log's memory
		l.schema.copyRows(l.base, l.at(drop), n)
	}
	l.clear(n, drop)
	l.first, l.full = keep, l.full+uint64(drop)
}
