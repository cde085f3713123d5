package ecs

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// The limits that no option changes.
const (
	// MaxGeneration is the last generation of a slot. A slot whose entity of this generation dies is retired, never reused.
	MaxGeneration = 1<<21 - 1
	// MaxFields is the largest number of fields of a component, event or resource.
	MaxFields = 256
	// MaxDataDepth is the number of levels to which plain data may nest.
	MaxDataDepth = 32
	// MaxBases is the greatest length of a chain of [IsA]. It bounds the search for a component that an entity lacks,
	// which follows the chain row by row.
	MaxBases = 64
	// MaxObserverDepth is how deep observers may call each other by what they write.
	MaxObserverDepth = 16
)

// bytesError is ErrBytes with the limit in its message.
type bytesError struct{ most uint64 }

func (e bytesError) Error() string {
	return "limit reached: " + sizeText(e.most) + " of tables, tags, grids, relations and events"
}
func (bytesError) Unwrap() error { return ErrBytes }

// countError is ErrEntities, ErrEvents or ErrTags with the limit in its message.
type countError struct {
	most     int
	one, all string // the thing that is counted, and several
	is       error
}

func (e countError) Error() string {
	if e.most == 1 {
		return fmt.Sprintf("%v: 1 %s", ErrLimit, e.one)
	}
	return fmt.Sprintf("%v: %d %s", ErrLimit, e.most, e.all)
}
func (e countError) Unwrap() error { return e.is }

// isFull reports whether an error says that there is no room: for bytes, events or tag entries.
func isFull(err error) bool {
	return errors.Is(err, ErrBytes) || errors.Is(err, ErrEvents) || errors.Is(err, ErrTags)
}

// sizeText returns n as 4GiB, 512MiB or 1000 bytes: in the largest unit in which it is a whole number.
func sizeText(n uint64) string {
	for _, unit := range []struct {
		size uint64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.size && n%unit.size == 0 {
			return fmt.Sprint(n/unit.size, unit.name)
		}
	}
	return fmt.Sprint(n, " bytes")
}

// The limit of bytes. Everything in the world that grows with what systems do is counted in World.bytes, and asks
// wanted before it grows. Two kinds of growth are counted but never refused: that of moving rows when entities and
// relations end, and that of functions without an error, such as [Event.Send]. Callers ask in three steps: wanted;
// if that refuses, giveBack and wanted again; if that refuses, too, the operation fails with full.

// wanted returns the capacity, in elements of a size, to which something should grow that has room for capacity
// elements and must hold need. Within the limit it doubles, or takes the usual capacity for small ones. Near the
// limit it takes what it needs and half of what is left, so that not each single element causes a copy. It reports
// false if there is no room for need elements.
func (w *World) wanted(capacity, usual, need int, size uintptr) (int, bool) {
	most := uint64(math.MaxInt)
	if size > 0 {
		most = Raw.BytesLeft(w) / uint64(size)
	}
	switch want := max(need, usual, 2*capacity); {
	case uint64(want-capacity) <= most:
		return want, true
	case uint64(need-capacity) <= most:
		return max(need, capacity+int(most/2)), true
	}
	return 0, false
}

// full returns the error for something that finds no room.
func (w *World) full() error { return bytesError{w.options.MaxBytes} }

// giveBack frees memory that is no longer used: in event logs and in tables without rows. It looks at all of them,
// so it does so at most once per tick. It reports whether it did; then the caller may try again.
func (w *World) giveBack() bool {
	if w.gaveBack == w.Tick() {
		return false
	}
	w.gaveBack = w.Tick()
	for _, l := range w.events {
		l.shrink()
	}
	if w.locks == 0 {
		for _, t := range w.tables {
			if len(t.entities) == 0 && t.capacity > 0 {
				t.resize(0)
			}
		}
	}
	return true
}

// The limits of events and of tag entries. Room for them counts, not only those that exist: so each event and each
// entry that finds room is within the limit, and only growth has to ask. Where room is scarce, that of other logs and
// sets which is not used is given back first.

// eventRoom returns the number of events by which a log may grow that has room for free events, so that it has room for more of them.
func (w *World) eventRoom(more, free int) (most int, err error) {
	if w.options.MaxEvents <= 0 {
		return math.MaxInt, nil
	}
	if most = w.options.MaxEvents - w.eventCapacity(); more-free <= most {
		return most, nil
	}
	for _, o := range w.events {
		o.shrink()
	}
	if most = w.options.MaxEvents - w.eventCapacity(); more <= most {
		return most, nil
	}
	return 0, countError{w.options.MaxEvents, "event", "events", ErrEvents}
}

// eventCapacity returns the number of events that the logs have room for, and of those that wait.
func (w *World) eventCapacity() (n int) {
	n = w.waits.live()
	for _, l := range w.events {
		n += l.capacity
	}
	return n
}

// tagRoom returns the number of entries by which the set may grow so that it holds need.
func (s *tagSet) tagRoom(need int) (most int, err error) {
	w := s.world
	if w.options.MaxTags <= 0 {
		return math.MaxInt, nil
	}
	if most = w.options.MaxTags - w.tagCapacity(); need-cap(s.dense) <= most {
		return most, nil
	}
	for _, o := range w.tags {
		if o != s && cap(o.dense) > len(o.dense) {
			w.undo.resizes(o)
			w.bytes.Add(int64(len(o.dense)-cap(o.dense)) * 8)
			o.dense = grow(o.dense, len(o.dense))
		}
	}
	if most = w.options.MaxTags - w.tagCapacity(); need-cap(s.dense) <= most {
		return most, nil
	}
	return 0, countError{w.options.MaxTags, "tag entry", "tag entries", ErrTags}
}

// tagCapacity returns the number of entries that the tag sets have room for.
func (w *World) tagCapacity() (n int) {
	for _, s := range w.tags {
		n += cap(s.dense)
	}
	return n
}

// enlarge returns s with capacity for at least n elements and counts the growth in World.bytes. If there is no
// room, it returns s unchanged with [ErrBytes]. owned is as for room.
func enlarge[T any](w *World, m Memory, s []T, owned *bool, n int) ([]T, error) {
	return enlargeUpTo(w, m, s, owned, n, math.MaxInt)
}

// enlargeUpTo is enlarge for a slice that may grow by at most that many elements, which suffice for n.
func enlargeUpTo[T any](w *World, m Memory, s []T, owned *bool, n, most int) ([]T, error) {
	if n <= cap(s) {
		return s, nil
	}
	size := unsafe.Sizeof(*new(T))
	want, ok := w.wanted(cap(s), 64, n, size)
	if !ok && w.giveBack() {
		want, ok = w.wanted(cap(s), 64, n, size)
	}
	if !ok {
		return s, w.full()
	}
	before := cap(s)
	if most < want-before {
		want = before + most
	}
	s = room(m, s, owned, want)
	w.bytes.Add(int64(cap(s)-before) * int64(size))
	return s, nil
}

// growth returns an upper bound for the bytes by which something with room for capacity elements grows until it
// has room for need.
func growth(capacity, need int, size uintptr) uint64 {
	if need <= capacity {
		return 0
	}
	return uint64(max(2*need, 64)) * uint64(size)
}

// measure computes what World.bytes must be, from the memory that the world holds.
func (w *World) measure() (n int64) {
	for _, t := range w.tables {
		n += int64(t.capacity) * int64(t.rowBytes())
	}
	for _, s := range w.tags {
		n += int64(cap(s.dense))*8 + s.sparse.bytes()
	}
	for _, r := range w.relations {
		n += r.heads.bytes() + r.links.bytes()
		if r.pairs != nil {
			n += r.pairs.lists.bytes() + r.pairs.all.bytes()
		}
		if r.forest != nil {
			n += int64(cap(r.forest.nodes)) * int64(unsafe.Sizeof(pathNode{}))
		}
	}
	for _, l := range w.events {
		n += int64(l.capacity) * int64(l.schema.size)
	}
	n += int64(cap(w.waits.all)) * int64(unsafe.Sizeof(waiting{}))
	for i := range w.waits.stores {
		n += int64(w.waits.stores[i].capacity) * int64(w.events[i].schema.size)
	}
	for _, g := range w.grids {
		n += int64(cap(g.points)+cap(g.sorted))*int64(unsafe.Sizeof(gridPoint{})) + int64(cap(g.starts)+cap(g.cells))*4
	}
	for _, l := range w.layers {
		n += l.spec.bytes()
	}
	for _, x := range w.indexes {
		n += x.spec.bytes()
	}
	for _, r := range w.resources {
		n += r.schema.arrayBytes()
	}
	return n + w.tagMarks.bytes() + w.targets.bytes()
}

func (m *slotMarks) bytes() (n int64) {
	for _, rows := range m.levels {
		for _, r := range rows {
			n += r.words.bytes()
		}
	}
	return n
}
