package ecs

import (
	"fmt"
	"unsafe"
)

// Events are messages that live for two frames. Send, Peek, Drain (eventdrain.go) and readers (eventreader.go) all
// work on one log per event type; eventlog.go grows the log and drops old events at the end of a frame.

// An EventID identifies an event type in its world, in the order of declaration. See the example of [Events].
type EventID uint32

// eventLog is the append-only log of one event type. Each event has a sequence number, which counts all events
// ever sent; row i of the memory is event first+i. At the end of a frame the events that were sent before this
// frame are dropped, except those that an open reader has not read. The marks are in this order: first <= hole <=
// previous <= current <= end <= full.
type eventLog struct {
	world  *World
	id     EventID
	name   string
	schema *Schema

	base     unsafe.Pointer // row 0
	first    uint64         // sequence number of row 0
	end      uint64         // sequence number of the next event to be sent
	hole     uint64         // the events from here to previous have been taken in this frame and are gone for all readers; earlier ones are kept for slow readers
	previous uint64         // first event that Peek returns: the first of the previous frame, or the first that was not taken
	current  uint64         // first event of this frame
	full     uint64         // the value of end at which the memory is used up
	capacity int            // number of rows of the memory: those before row 0, which are no longer used, and full - first
	most     uint64         // how many events were sent in a frame at most, as far as the log knows
	readers  []*EventReader // open readers

	noted uint32 // the number of the turn in which the undo log has recorded the log
	note  int    // index of that record
}

// DeclareEvent declares an event type and returns its id. If the name is declared already, the fields must be the
// same; otherwise the error is [ErrMismatch] and shows both layouts.
func (w *World) DeclareEvent(name string, s *Schema) (EventID, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if s == nil {
		return 0, fail("declare event", None, name, errNoSchema)
	}
	if id, ok := w.eventNames[name]; ok {
		if old := w.events[id].schema; !old.sameFields(s) {
			return 0, fail("declare event", None, name, fmt.Errorf("%w: it is %s, not %s", ErrMismatch, old.describe(), s.describe()))
		}
		return id, nil
	}
	w.mustBeAlone()
	if name == "" {
		return 0, fail("declare event", None, name, fmt.Errorf("an event needs a name"))
	}
	id := EventID(len(w.events))
	w.events = append(w.events, &eventLog{world: w, id: id, name: name, schema: s, base: unsafe.Pointer(&zeroBase)})
	w.eventNames[name] = id
	return id, nil
}

// LookupEvent returns the id of a declared event.
func (w *World) LookupEvent(name string) (EventID, bool) {
	id, ok := w.eventNames[name]
	return id, ok
}

// EventNames returns all declared events in the order of declaration; an EventID is an index into it.
func (w *World) EventNames() []string {
	names := make([]string, len(w.events))
	for i, l := range w.events {
		names[i] = l.name
	}
	return names
}

// EventSchema returns the layout of an event. Like all functions that take an EventID, it panics for an id that
// this world has not declared.
func (w *World) EventSchema(id EventID) *Schema { return w.event(id).schema }

// Send appends an event with these fields; the other fields have their defaults. If a value does not fit its
// field, or there is no room ([ErrBytes]), Send returns an error and sends nothing.
func (w *World) Send(id EventID, fields ...FieldValue) error {
	l := w.event(id)
	for _, fv := range fields {
		if err := l.schema.check(fv); err != nil {
			return fail("send", None, l.schema.of(l.name, fv), err)
		}
	}
	if l.end == l.full {
		if err := l.reserve(1); err != nil {
			return fail("send", None, l.name, err)
		}
	}
	l.schema.put(l.grow(), fields)
	return nil
}

// An Events is a range of events of one type, oldest first. It is valid, and its rows can be read, until the end
// of the frame or the next Drain or Take of this event, whichever comes first.
type Events struct {
	log      *eventLog
	from, to uint64
}

// Position returns the sequence numbers of the first event of the range and of the one after the last. Sequence
// numbers count all events ever sent.
func (e Events) Position() (from, to uint64) { return e.from, e.to }

// Len returns how many events there are.
func (e Events) Len() int { return int(e.to - e.from) }

// Row returns event i of the range. Panics if there is no such event, or if the log has dropped it.
func (e Events) Row(i int) Row {
	if uint(i) >= uint(e.Len()) || e.from < e.log.first {
		made(e.log != nil, "Events", "EventReader.Read")
		panic(fmt.Sprintf("ecs: event %d of %d of %s, or an event that is gone", i, e.Len(), e.log.name))
	}
	return Row{schema: e.log.schema, ptr: e.log.at(int(e.from - e.log.first + uint64(i)))}
}

// Peek returns the events of this frame and the previous one that nobody has drained. It removes nothing.
func (w *World) Peek(id EventID) Events {
	l := w.event(id)
	return Events{log: l, from: l.previous, to: l.end}
}

// EventCount returns how many events Peek would return (held), and how many were ever sent.
func (w *World) EventCount(id EventID) (held int, sent uint64) {
	l := w.event(id)
	return int(l.end - l.previous), l.end
}

// EventBytes returns the bytes of the events that Peek no longer returns and that are kept for readers that lag
// behind.
func (w *World) EventBytes() uintptr {
	var total uintptr
	for _, l := range w.events {
		total += uintptr(l.hole-l.first) * l.schema.size
	}
	return total
}
