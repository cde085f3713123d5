package ecs

import "fmt"

// An EventReader is a cursor of one reader over one event type: it gets every event exactly once.
type EventReader struct {
	log  *eventLog // an empty one once it is closed
	next uint64

	home  *eventLog    // log, also when it is closed
	root  *EventReader // the reader that it was copied from, through all copies; itself when it was made by EventReader
	loose bool         // it came into a copied world with its log, and nobody uses it there
}

// EventReader returns a new cursor. Its first read begins with what Peek holds now. From then on events it has not read are kept for it:
// call [EventReader.Close] when it is no longer used.
func (w *World) EventReader(id EventID) *EventReader {
	w.mustBeAlone()
	l := w.event(id)
	l.before()
	r := &EventReader{log: l, home: l, next: l.previous}
	r.root = r
	l.readers = append(l.readers, r)
	return r
}

// ReaderOf returns the running system's cursor for an event, made at the first call; between systems, that of the world's caller.
func (w *World) ReaderOf(id EventID) *EventReader {
	w.mustBeAlone()
	readers := &w.clock.readers
	if w.system != nil {
		readers = &w.system.readers
	}
	for int(id) >= len(*readers) {
		*readers = append(*readers, nil)
	}
	if (*readers)[id] == nil {
		(*readers)[id] = w.EventReader(id)
	}
	return (*readers)[id]
}

// Len returns how many events the reader has not read.
func (r *EventReader) Len() int {
	n := r.log.end - r.at()
	if r.next < r.log.hole {
		n -= r.log.previous - r.log.hole
	}
	return int(n)
}

// at is the next unread event; the reader steps over those that were taken.
func (r *EventReader) at() uint64 {
	if r.next >= r.log.hole {
		r.next = max(r.next, r.log.previous)
	}
	return r.next
}

// whole is at, and makes the unread events one range.
func (r *EventReader) whole() uint64 {
	if r.next < r.log.hole {
		r.log.closeHole()
	}
	return r.at()
}

// Next returns the next unread event and moves past it; ok is false when there is none.
func (r *EventReader) Next() (row Row, ok bool) {
	if r.at() == r.log.end {
		return Row{}, false
	}
	row = Row{schema: r.log.schema, ptr: r.log.at(int(r.next - r.log.first))}
	r.next++
	return row, true
}

// Skip moves past the next n unread events. Panics when n is negative or more than [EventReader.Len].
func (r *EventReader) Skip(n int) {
	if n < 0 || n > r.Len() {
		panic(fmt.Sprintf("ecs: skip %d of %d unread events of %s", n, r.Len(), r.log.name))
	}
	if n > 0 {
		r.next = r.whole() + uint64(n)
	}
}

// Read returns all unread events and moves past them.
func (r *EventReader) Read() Events {
	e := Events{log: r.log, from: r.whole(), to: r.log.end}
	r.next = r.log.end
	return e
}

// Position returns the sequence number of the next unread event and of the next event to be sent.
func (r *EventReader) Position() (next, end uint64) { return r.at(), r.log.end }

// Close forgets the reader: nothing is kept for it any more, and it reads nothing any more.
func (r *EventReader) Close() {
	r.log.before()
	for i, other := range r.log.readers {
		if other == r {
			r.log.readers = append(r.log.readers[:i], r.log.readers[i+1:]...)
			break
		}
	}
	*r = EventReader{log: &eventLog{name: r.log.name, schema: r.log.schema}, home: r.home, root: r.root}
}

// Unread returns what [EventReader.Read] would, and moves past nothing.
func (r *EventReader) Unread() Events {
	return Events{log: r.log, from: r.whole(), to: r.log.end}
}
