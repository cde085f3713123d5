package ecs

import (
	"slices"
	"unsafe"
)

// This file manages the memory of an event log. Rows from first to end-1 are in the log; those between hole and
// previous are taken and unused. Events that are dropped leave unused rows in front of the others. Within a frame the
// events that Peek returns stay where they are: a loop may still read them. A log that needs room then gets other
// memory. A change of the log is told to the journal first.

// grow appends a row and returns its address. The caller must set the row. grow makes room if necessary, no matter
// what the limit of bytes is; callers that can refuse call reserve first.
func (l *eventLog) grow() unsafe.Pointer {
	l.guard()
	if l.end == l.full {
		l.extend(1)
	}
	l.end++
	return l.at(int(l.end - 1 - l.first))
}

func (l *eventLog) at(row int) unsafe.Pointer { return unsafe.Add(l.base, uintptr(row)*l.schema.size) }

// front returns the number of rows before row 0. Their events have been dropped.
func (l *eventLog) front() int { return l.capacity - int(l.full-l.first) }

// kept returns the number of events that count for the limit: those that are neither dropped nor taken.
func (l *eventLog) kept() int { return int(l.end - l.previous + l.hole - l.first) }

// free returns the number of events for which there is room without more memory.
func (l *eventLog) free() int { return l.capacity - int(l.end-l.first) }

// slide moves the events to the beginning of the memory. Nobody may hold the address of a row.
func (l *eventLog) slide() {
	n, front, from := int(l.end-l.first), l.front(), l.base
	l.rewind()
	if n > 0 {
		l.schema.copyRows(l.base, from, n)
		l.clear(n, front)
	}
}

// rewind makes the first row of the memory row 0. The caller moves the rows.
func (l *eventLog) rewind() {
	front := l.front()
	l.base = unsafe.Add(l.base, -front*int(l.schema.size))
	l.full += uint64(front)
}

// usualEvents returns the number of events for which a log has room after it has grown for more events at once: three
// times as many, because those of the frame before are kept, and their memory is used again only every second frame.
func usualEvents(more int) int { return max(16, 3*more) }

// reserve makes room for more events in addition to those in the log. Error: an [ErrLimit], of events or of bytes.
func (l *eventLog) reserve(more int) error {
	if uint64(more) <= l.full-l.end {
		return nil
	}
	if more <= l.free() {
		l.resize(l.capacity)
		return nil
	}
	for {
		most, err := l.world.eventRoom(more, l.free())
		if err != nil {
			return err
		}
		want, ok := l.world.wanted(l.capacity, usualEvents(more), int(l.end-l.first)+more, l.schema.size)
		if ok {
			l.resize(l.capacity + min(want-l.capacity, most))
			return nil
		}
		if !l.world.giveBack() {
			return l.world.full()
		}
	}
}

// extend is reserve for functions without an error: it makes room even if a limit is exceeded.
func (l *eventLog) extend(more int) {
	if l.reserve(more) != nil {
		l.resize(max(2*l.capacity, int(l.end-l.first)+more))
	}
}

// resize moves the log to memory for capacity events, which must be at least as many as it holds. It counts the
// difference in World.bytes.
func (l *eventLog) resize(capacity int) {
	l.beforeSend()
	l.world.bytes.Add(int64(capacity-l.capacity) * int64(l.schema.size))
	base, _ := allocRows(nil, l.schema, capacity)
	l.schema.copyRows(base, l.base, int(l.end-l.first))
	l.base, l.capacity, l.full = base, capacity, l.first+uint64(capacity)
}

// copyRows copies n rows. The two ranges may overlap.
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

// idle reports whether the end of a frame changes nothing of the log: it holds no events, the frame marks are at its
// end, and neither a reader nor a tap waits for the end of a frame.
func (l *eventLog) idle() bool {
	if l.first != l.end || l.hole != l.end || l.previous != l.end || l.current != l.end || l.world == nil || len(l.world.taps) > 0 {
		return false
	}
	for _, r := range l.readers {
		if r.loose || r.next != l.end {
			return false
		}
	}
	return true
}

// shrink gives back the memory that no event needs.
func (l *eventLog) shrink() {
	l.closeHole()
	if used := int(l.end - l.first); l.capacity > used {
		l.resize(used)
	}
}

// closeHole moves the events kept for slow readers to those that Peek returns: the kept ones get the sequence numbers right
// before previous. Readers are moved accordingly.
func (l *eventLog) closeHole() {
	gone, old := l.previous-l.hole, int(l.hole-l.first)
	if gone == 0 {
		return
	}
	l.before()
	for _, r := range l.readers {
		switch {
		case r.next < l.hole:
			r.next += gone
		case r.next < l.previous:
			r.next = l.previous
		}
	}
	l.schema.copyRows(l.at(int(gone)), l.base, old)
	l.clear(0, int(gone))
	l.base, l.first, l.hole = l.at(int(gone)), l.first+gone, l.previous
	if l.first == l.end {
		l.restart()
	}
}

// clear clears the pointers of n rows, for the garbage collector.
func (l *eventLog) clear(from, n int) {
	if m := l.schema.memory; m != nil {
		for i := range n {
			m.clear(l.at(from + i))
		}
	}
}

// endFrame moves the frame marks by one frame and drops the events that no reader can ask for. The rest moves to
// the beginning of the memory if there is no room after it for a frame with the most events so far. So a log that is
// read regularly neither grows nor gets other memory.
func (l *eventLog) endFrame() {
	if l.idle() {
		return
	}
	l.before()
	l.readers = slices.DeleteFunc(l.readers, func(r *EventReader) bool { return r.loose })
	l.closeHole()
	l.most = max(l.most, l.end-l.current)
	l.previous, l.current = l.current, l.end
	l.hole = l.previous
	keep := l.previous
	for _, r := range l.readers {
		keep = min(keep, r.next)
	}
	l.losing(keep)
	l.clear(0, int(keep-l.first))
	if keep == l.end {
		l.restart()
		return
	}
	l.base, l.first = l.at(int(keep-l.first)), keep
	if l.front() > 0 && l.full-l.end < l.most {
		l.slide()
	}
}

// restart makes a log without events begin at the beginning of the memory.
func (l *eventLog) restart() {
	l.rewind()
	l.full += l.end - l.first
	l.first = l.end
}
