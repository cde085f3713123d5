package ecs

import (
	"fmt"
	"reflect"
	"unsafe"
)

// An Event gives typed access to one event type of one world: its rows are seen as values of T. It is valid as
// long as its world.
//
// The world keeps an event for the frame in which it was sent and for the next frame. [Event.Peek] returns these
// events, to every caller and any number of times. [Event.Read] has a cursor per system and returns each event
// exactly once to each system; for a system that has read before, the world keeps events until the system has read
// them. [World.Drain] removes all events that Peek would return.
//
// The zero value is not usable: methods panic with a sentence. Send is too fast to look for it, and end in a nil dereference.
type Event[T any] struct{ log *eventLog }

// RegisterEvent declares an event with the layout of T, or checks that T has the layout of the event of that name,
// as [Register] does for components. Error: [ErrMismatch].
func RegisterEvent[T any](w *World, name string) (Event[T], error) {
	s, err := schemaOfType(reflect.TypeFor[T](), w.codecs)
	if err != nil {
		return Event[T]{}, fail("register event", None, name, err)
	}
	if id, ok := w.eventNames[name]; ok {
		l := w.event(id)
		if !l.schema.sameLayout(s) {
			return Event[T]{}, fail("register event", None, name, fmt.Errorf("%w: it is laid out as %s, %s as %s",
				ErrMismatch, l.schema, reflect.TypeFor[T](), s))
		}
		return Event[T]{log: l}, nil
	}
	id, err := w.DeclareEvent(name, s)
	if err != nil {
		return Event[T]{}, err
	}
	return Event[T]{log: w.events[id]}, nil
}

// ID returns the event's id.
func (e Event[T]) ID() EventID {
	made(e.log != nil, "Event", "ecs.RegisterEvent")
	return e.log.id
}

// Send appends an event. It has no error: if [Options.MaxBytes] leaves no room, the log grows beyond it.
func (e Event[T]) Send(v T) {
	l := e.log
	if l.world.slots.guarded {
		l.guard()
	}
	if l.end == l.full {
		l.extend(1)
	}
	*(*T)(unsafe.Add(l.base, uintptr(l.end-l.first)*unsafe.Sizeof(v))) = v
	l.end++
}

// Buffer returns an empty slice over the free memory of the log, for sending many events without a copy: append to
// it and pass the result to [Event.SendAll]. Nothing else may send this event in between.
func (e Event[T]) Buffer() []T {
	made(e.log != nil, "Event", "ecs.RegisterEvent")
	l := e.log
	n := int(l.full - l.end)
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(l.at(int(l.end-l.first))), n)[:0:n]
}

// SendAll appends the events of a list. A list that was made from [Event.Buffer] and still lies there is not
// copied.
func (e Event[T]) SendAll(list []T) {
	made(e.log != nil, "Event", "ecs.RegisterEvent")
	l := e.log
	l.guard()
	if len(list) == 0 {
		return
	}
	if uint64(len(list)) > l.full-l.end {
		l.extend(len(list))
	}
	if free := l.at(int(l.end - l.first)); free != unsafe.Pointer(unsafe.SliceData(list)) {
		copy(unsafe.Slice((*T)(free), len(list)), list)
	}
	l.end += uint64(len(list))
}

// Peek returns the events of this frame and the previous one that nobody has drained, oldest first; nil if there
// are none. The slice is valid until the next Send, Drain or end of the frame.
func (e Event[T]) Peek() []T {
	made(e.log != nil, "Event", "ecs.RegisterEvent")
	l := e.log
	return e.slice(l.previous)
}

// Read returns the running system's unread events, oldest first, and moves past them; nil if there are none. The
// slice is valid until the next Send, Drain or end of the frame.
func (e Event[T]) Read() []T {
	made(e.log != nil, "Event", "ecs.RegisterEvent")
	r := e.log.world.ReaderOf(e.log.id)
	from := r.whole()
	r.next = e.log.end
	return e.slice(from)
}

// slice returns the events from a sequence number on.
func (e Event[T]) slice(from uint64) []T {
	l := e.log
	if from == l.end {
		return nil // a pointer past the log's memory must not exist: it could keep other memory alive
	}
	return unsafe.Slice((*T)(l.at(int(from-l.first))), int(l.end-from))
}
