package ecs

import "fmt"

// An EventReader is the position of one reader in one event type. It returns every event exactly once, unless
// somebody drains the event before. The log keeps events until all of its open readers have read them.
//
// The zero value is not usable: methods panic with a sentence. Next is too fast to look for it, and end in a nil dereference.
type EventReader struct {
	log  *eventLog // an empty log without a world once the reader is closed
	next uint64    // sequence number of the next event to read; see at

	home  *eventLog    // the log that it was opened for, also when it is closed
	root  *EventReader // the reader of the original world that this one is a copy of, through any number of copies; itself for one made by EventReader
	free  bool         // the program has opened it with World.EventReader; false for one of ReaderOf
	saved bool         // it was read from a file: no reader of another world has the same root
	loose bool         // it came into a copied world together with its log, and nothing there uses it; endFrame removes it
}

// moves tells the undo log, if there is one, that a reader which no system owns is about to move.
func (r *EventReader) moves() {
	if r.free && r.log.world != nil && r.log.world.undo != nil {
		r.log.world.undo.moves(r)
	}
}

// EventReader opens a reader. Its first read begins with the events that Peek returns now. From then on the world
// keeps events until the reader has read them: call [EventReader.Close] when it is no longer used.
func (w *World) EventReader(id EventID) *EventReader {
	w.mustBeAlone()
	l := w.event(id)
	l.before()
	r := &EventReader{log: l, home: l, next: l.previous, free: true}
	r.root = r
	l.readers = append(l.readers, r)
	return r
}

// ReaderOf returns the running system's reader of an event, or, between systems, that of the code there. It is
// opened at the first call.
func (w *World) ReaderOf(id EventID) *EventReader {
	w.mustBeAlone()
	if w.system != nil {
		return w.readerIn(&w.system.readers, id)
	}
	return w.readerIn(&w.clock.readers, id)
}

// readerIn returns the reader of an event in a list by event id, and opens it if there is none.
func (w *World) readerIn(readers *[]*EventReader, id EventID) *EventReader {
	for int(id) >= len(*readers) {
		*readers = append(*readers, nil)
	}
	if (*readers)[id] == nil {
		(*readers)[id] = w.EventReader(id)
		(*readers)[id].free = false
	}
	return (*readers)[id]
}

// OpenReader opens the system's reader of an event now, if it has none: that of [World.ReaderOf], which otherwise
// begins with the system's first read. Call it before the first turn of a system if that turn may come late. It
// does nothing for a system that is disabled or belongs to the startup stage. Panics for an id that the world has not declared.
func (s *System) OpenReader(id EventID) {
	made(s.schedule != nil, "System", "Schedule.AddSystem")
	if !s.disabled && s.spec.Stage != Startup {
		s.commands.world.readerIn(&s.readers, id)
	}
}

// Len returns the number of unread events.
func (r *EventReader) Len() int {
	made(r.log != nil, "EventReader", "World.ReaderOf")
	n := r.log.end - r.at()
	if r.next < r.log.hole {
		n -= r.log.previous - r.log.hole
	}
	return int(n)
}

// at returns the sequence number of the next unread event, after moving the reader over events that were taken.
func (r *EventReader) at() uint64 {
	if r.next >= r.log.hole && r.next < r.log.previous {
		r.moves()
		r.next = r.log.previous
	}
	return r.next
}

// whole is at for callers that need the unread events as one range: it closes the hole in the log if the reader is
// before it.
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
	r.moves()
	r.next++
	return row, true
}

// Skip moves past the next n unread events. Panics if n is negative or greater than [EventReader.Len].
func (r *EventReader) Skip(n int) {
	made(r.log != nil, "EventReader", "World.ReaderOf")
	if n < 0 || n > r.Len() {
		panic(fmt.Sprintf("ecs: skip %d of %d unread events of %s", n, r.Len(), r.log.name))
	}
	if n > 0 {
		r.moves()
		r.next = r.whole() + uint64(n)
	}
}

// Read returns all unread events and moves past them. [Events] says how long they are valid.
func (r *EventReader) Read() Events {
	made(r.log != nil, "EventReader", "World.ReaderOf")
	e := Events{log: r.log, from: r.whole(), to: r.log.end}
	r.moves()
	r.next = r.log.end
	return e
}

// Position returns the sequence number of the next unread event and of the next event to be sent.
func (r *EventReader) Position() (next, end uint64) {
	made(r.log != nil, "EventReader", "World.ReaderOf")
	return r.at(), r.log.end
}

// Close closes the reader. The world no longer keeps events for it, and it returns no more events.
func (r *EventReader) Close() {
	made(r.log != nil, "EventReader", "World.ReaderOf")
	r.log.before()
	for i, other := range r.log.readers {
		if other == r {
			r.log.readers = append(r.log.readers[:i], r.log.readers[i+1:]...)
			break
		}
	}
	*r = EventReader{log: &eventLog{name: r.log.name, schema: r.log.schema}, home: r.home, root: r.root, free: r.free}
}

// Unread returns what [EventReader.Read] would return, without moving.
func (r *EventReader) Unread() Events {
	made(r.log != nil, "EventReader", "World.ReaderOf")
	return Events{log: r.log, from: r.whole(), to: r.log.end}
}
