package ecs

import (
	"fmt"
	"reflect"
	"unsafe"
)

// An Event is an event type seen as the Go type T.
type Event[T any] struct{ log *eventLog }

// RegisterEvent declares the event with the layout of T, or lays T over the event of that name; see [Register].
func RegisterEvent[T any](w *World, name string) (Event[T], error) {
	s, err := SchemaOf[T]()
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
func (e Event[T]) ID() EventID { return e.log.id }

// Send appends an event.
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

// Buffer returns an empty slice over the log's free memory, for sending many: append to it, then hand it to [Event.SendAll]. Nothing else
// may send this event meanwhile.
func (e Event[T]) Buffer() []T {
	l := e.log
	n := int(l.full - l.end)
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(l.at(int(l.end-l.first))), n)[:0:n]
}

// SendAll appends the events of a list. One that grew out of [Event.Buffer] and still lies there is not copied.
func (e Event[T]) SendAll(list []T) {
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

// Peek returns the events of this frame and the previous one that nobody drained, oldest first, nil when there are none; valid until the
// next Send, drain or end of frame.
func (e Event[T]) Peek() []T {
	l := e.log
	return e.slice(l.previous)
}

// Read returns the running system's unread events, oldest first, nil when there are none, and moves past them; valid until the next Send,
// drain or end of frame.
func (e Event[T]) Read() []T {
	r := e.log.world.ReaderOf(e.log.id)
	from := r.whole()
	r.next = e.log.end
	return e.slice(from)
}

func (e Event[T]) slice(from uint64) []T {
	l := e.log
	if from == l.end {
		return nil // a pointer past the log's memory is not for the collector to see
	}
	return unsafe.Slice((*T)(l.at(int(from-l.first))), int(l.end-from))
}
