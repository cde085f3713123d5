package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// An EventID identifies an event type in its world, in the order of declaration.
type EventID uint32

// eventLog is an append-only log of one event type. Events have sequence numbers; row i of the store is event first+i. At the end of a
// frame everything older than the previous frame goes, except what a reader that has read this event before still misses.
type eventLog struct {
	world  *World
	id     EventID
	name   string
	schema *Schema

	base     unsafe.Pointer // row 0
	first    uint64         // sequence number of row 0
	end      uint64         // of the next event to be sent
	hole     uint64         // first event that was taken in this frame: those from here to previous are gone, also for slow readers
	previous uint64         // first event that peek shows: of the previous frame, or the first that was not taken
	current  uint64         // first event of this frame
	full     uint64         // the end at which the memory is used up
	readers  []*EventReader
}

// An EventReader is a cursor of one reader over one event type: it gets every event exactly once.
type EventReader struct {
	log  *eventLog // an empty one once it is closed
	next uint64

	home  *eventLog    // log, also when it is closed
	root  *EventReader // the reader that it was copied from, through all copies; itself when it was made by EventReader
	loose bool         // it came into a copied world with its log, and nobody uses it there
}

// DeclareEvent declares an event type, or checks it against the one of that name: [ErrMismatch] shows both layouts.
func (w *World) DeclareEvent(name string, s *Schema) (EventID, error) {
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

// EventSchema returns the layout of an event. Panics for an id this world never gave out, as all functions on events do.
func (w *World) EventSchema(id EventID) *Schema { return w.event(id).schema }

// Send appends an event with these fields, the others at their defaults. A value that does not fit is an error, and
// nothing is sent; so is an event without room: [ErrBytes].
func (w *World) Send(id EventID, fields ...FieldValue) error {
	l := w.event(id)
	for _, fv := range fields {
		if err := l.schema.check(fv); err != nil {
			return fail("send", None, l.name+"."+l.schema.fields[fv.Index].Name, err)
		}
	}
	if l.end == l.full {
		if err := l.reserve(1); err != nil {
			return fail("send", None, l.name, err)
		}
	}
	p := l.grow()
	l.schema.setDefault(p)
	for _, fv := range fields {
		f := &l.schema.fields[fv.Index]
		if err := storeValue(unsafe.Add(p, f.Offset), f.Type, fv.Value); err != nil {
			panic("ecs: a checked value did not fit: " + err.Error())
		}
	}
	return nil
}

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

// An Events is a range of events of one type, oldest first. It stays valid, and its rows readable, until the end of the frame or the
// next drain of this event, whichever comes first.
type Events struct {
	log      *eventLog
	from, to uint64
}

// Position returns the sequence numbers of the first event of the range and of the one after the last. They count what was ever sent.
func (e Events) Position() (from, to uint64) { return e.from, e.to }

// Len returns how many events there are.
func (e Events) Len() int { return int(e.to - e.from) }

// Row returns event i of the range.
func (e Events) Row(i int) Row {
	if uint(i) >= uint(e.Len()) || e.from < e.log.first {
		panic(fmt.Sprintf("ecs: event %d of %d of %s, or an event that is gone", i, e.Len(), e.log.name))
	}
	return Row{schema: e.log.schema, ptr: e.log.at(int(e.from - e.log.first + uint64(i)))}
}

// Peek returns every event of this frame and the previous one that nobody drained. It removes nothing.
func (w *World) Peek(id EventID) Events {
	l := w.event(id)
	return Events{log: l, from: l.previous, to: l.end}
}

// EventCount returns how many events Peek would return, and how many were ever sent.
func (w *World) EventCount(id EventID) (held int, sent uint64) {
	l := w.event(id)
	return int(l.end - l.previous), l.end
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

// EventBytes returns the bytes held by events beyond what Peek returns: those kept for readers that lag behind.
func (w *World) EventBytes() uintptr {
	var total uintptr
	for _, l := range w.events {
		total += uintptr(l.hole-l.first) * l.schema.size
	}
	return total
}

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
