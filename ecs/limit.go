package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// MaxFields is how many fields a component, event or resource may have.
const MaxFields = 256

// ErrBytes says that something would grow beyond [Options.MaxBytes]. It is an [ErrLimit]. What was asked for has not happened; what the world
// holds stays as it is.
var ErrBytes = fmt.Errorf("%w: bytes", ErrLimit)

// bytesError is ErrBytes with the limit.
type bytesError struct{ most uint64 }

func (e bytesError) Error() string {
	return "limit reached: " + sizeText(e.most) + " of tables, tags, grids, relations and events"
}
func (bytesError) Unwrap() error { return ErrBytes }

// sizeText is 4GiB, 512MiB or 1000 bytes: in the largest unit that gives a whole number.
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

// Everything in the world that grows with what systems do asks here before it grows, and counts what it holds. Two kinds of growth are counted
// and never refused: that of ending entities and relations, which moves rows, and that of the functions without an error, [Event.Send] and its kin.

// wanted returns to how many elements of a size something should grow that has room for some: twice as many, or what is usual for small ones, where
// the limit allows that; otherwise for those it needs and half of what is left, so that growing near the limit does not copy all for each element.
// Without room it reports false: then the caller asks giveBack, and tries again when that gave something back.
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

// full is the error of what finds no room.
func (w *World) full() error { return bytesError{w.options.MaxBytes} }

// giveBack frees memory that was grown for what is gone, of event logs and of tables without rows, at most once a turn: it looks at all of them. It
// reports whether it looked.
func (w *World) giveBack() bool {
	if w.gaveBack == w.Tick() {
		return false
	}
	w.gaveBack = w.Tick()
	for _, l := range w.events {
		if used := int(l.end - l.first); l.capacity() > used {
			l.resize(used)
		}
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

// enlarge returns s with capacity for n elements, and counts what it grew by. Without room it returns s as it is, with the error.
func enlarge[T any](w *World, m Memory, s []T, owned *bool, n int) ([]T, error) {
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
	s = room(m, s, owned, want)
	w.bytes.Add(int64(cap(s)-before) * int64(size))
	return s, nil
}

// growth is by how many bytes something with room for some elements grows at most to have room for need.
func growth(capacity, need int, size uintptr) uint64 {
	if need <= capacity {
		return 0
	}
	return uint64(max(2*need, 64)) * uint64(size)
}

// measure returns what bytes should say.
func (w *World) measure() (n int64) {
	for _, t := range w.tables {
		n += int64(t.capacity) * int64(t.rowBytes())
	}
	for _, s := range w.tags {
		n += int64(cap(s.dense)) * 8
		if len(s.sparse) > 1 {
			n += int64(cap(s.sparse)) * int64(unsafe.Sizeof(tagEntry{}))
		}
	}
	for _, r := range w.relations {
		n += int64(cap(r.heads))*int64(unsafe.Sizeof(relationHead{})) + int64(cap(r.links))*int64(unsafe.Sizeof(relationLink{}))
		if r.forest != nil {
			n += int64(cap(r.forest.nodes)) * int64(unsafe.Sizeof(pathNode{}))
		}
	}
	for _, l := range w.events {
		n += int64(l.capacity()) * int64(l.schema.size)
	}
	for _, g := range w.grids {
		n += int64(cap(g.points)+cap(g.sorted))*int64(unsafe.Sizeof(gridPoint{})) + int64(cap(g.starts)+cap(g.cells))*4
	}
	return n + w.tagMarks.bytes() + w.targets.bytes()
}

func (m *slotMarks) bytes() (n int64) {
	for _, rows := range m.levels {
		for _, r := range rows {
			n += int64(cap(r.words)) * 8
		}
	}
	return n
}
