package ecs

import (
	"math"
	"unsafe"
)

// Raw gives access to the memory of a world: addresses, layouts, reserved room, and ways to undo changes. It is for hosts of scripts and compilers of loops. Other programs do not
// need it.
var Raw RawAccess

// A RawAccess has the methods of [Raw]. They check less than other methods, so the caller must keep what each of them says about validity.
type RawAccess struct{}

// Memory: addresses and layouts. They are valid until the next structural change (of a tag: until the next flip of one; of a grid: until it is used again).

// Slots returns the slots: the entity e, when it lives, has the one at its lower 32 bits, if that is below n.
func (RawAccess) Slots(w *World) (base unsafe.Pointer, n int) {
	return unsafe.Pointer(unsafe.SliceData(w.slots.all)), len(w.slots.all)
}

// TagEntries returns the entries of a tag: e has it when the one at its lower 32 bits, below n, holds its upper half.
func (RawAccess) TagEntries(w *World, id TagID) (base unsafe.Pointer, n int) {
	s := w.tag(id)
	return unsafe.Pointer(unsafe.SliceData(s.sparse)), len(s.sparse) - 1 // the last one is nobody's
}

// Entities returns the address of the handles of a table's rows, Len() of them.
func (RawAccess) Entities(t *Table) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(t.entities))
}

// Capacity returns how many rows the table has room for before its columns move, at least Len().
func (RawAccess) Capacity(t *Table) int { return t.capacity }

// Column returns the address of row 0 and the bytes from row to row, for code that has the layout from [Schema.Fields]. Both hold until
// the next structural change. Call [World.BeforeWrite] before a write. A write stamps nothing: call [Column.Stamp]; and it may touch fields of numbers, booleans and
// entities only, within rows 0 to Len()-1.
func (RawAccess) Column(c *Column) (base unsafe.Pointer, stride uintptr) { return c.base, c.size }

// Row returns the address of the row, nil for the zero Row. What [RawAccess.Column] says of writes holds here, too.
func (RawAccess) Row(r Row) unsafe.Pointer { return r.ptr }

// Grid returns the snapshot as [Grid.Near] would use it now, taking it first when that would. The column of x is (x-MinX)/Cell, cut to whole
// numbers from 0 to Cols-1; NaN counts as the first; the row of y likewise. A dead entity is in it until the next snapshot.
func (RawAccess) Grid(g *Grid) RawGrid {
	_ = g.Ready() // without room nobody is near
	return RawGrid{
		Points: unsafe.Pointer(unsafe.SliceData(g.points)), Starts: unsafe.Pointer(unsafe.SliceData(g.starts)), N: len(g.points),
		Cols: g.cols, Rows: g.rows, MinX: g.minX, MinY: g.minY, Cell: g.cell, Taken: g.taken,
	}
}

// Layout returns a number that changes whenever a table is made or a column moves: what [RawAccess.Column] returned is valid while it stays.
func (RawAccess) Layout(w *World) uint64 { return w.layout }

// Finder returns the finder of a component. Panics for an id this world never gave out.
func (RawAccess) Finder(w *World, id ComponentID) Finder { return Finder{w, w.component(id)} }

// Defaults returns the bytes of a row with all fields at their defaults, nil for a schema with strings or tables. Do not change them.
func (RawAccess) Defaults(s *Schema) []byte { return s.defaults }

// Events and handles that are made ahead.

// AppendEvent adds an event with all fields at their defaults and returns it, for the caller to fill in before anything else is sent. What is
// written there is not checked.
func (RawAccess) AppendEvent(w *World, id EventID) Row {
	l := w.event(id)
	p := l.grow()
	l.schema.setDefault(p)
	return Row{schema: l.schema, ptr: p}
}

// AppendRow adds an event that is a copy of the row at p, which has the layout of [World.EventSchema]. What it holds is not checked.
func (RawAccess) AppendRow(w *World, id EventID, p unsafe.Pointer) {
	l := w.event(id)
	l.schema.copyRow(l.grow(), p)
}

// Upcoming returns the handle that a reservation will get ([Commands.Spawn], [World.Spawn]) when n others come before it and nothing is
// despawned or dropped meanwhile.
func (RawAccess) Upcoming(w *World, n int) Entity {
	s := &w.slots
	if i := len(s.free) - 1 - n; i >= 0 {
		index := s.free[i]
		return makeEntity(index, s.all[index].meta&generationMask)
	}
	return makeEntity(uint32(len(s.all)+n-len(s.free)), 1)
}

// Room returns how many more entities the world takes, those counted that commands have reserved.
func (RawAccess) Room(w *World) int { return w.options.MaxEntities - w.living - w.pending }

// Bounds, for callers that cannot go back later, or that charge for what they let others do.

// BytesLeft returns how many bytes the world may still grow by, [math.MaxUint64] when there is no limit.
func (RawAccess) BytesLeft(w *World) uint64 {
	if w.options.MaxBytes == 0 {
		return math.MaxUint64
	}
	return w.options.MaxBytes - min(w.options.MaxBytes, w.Bytes()+w.structure)
}

// ReserveEvents makes room for n more events beside those that are there, or says that there is none: [ErrBytes]. Then sending them is never refused.
func (RawAccess) ReserveEvents(w *World, id EventID, n int) error {
	l := w.events[id]
	if uint64(n) <= l.full-l.end {
		return nil
	}
	if err := l.reserve(n); err != nil {
		return fail("send", None, l.name, err)
	}
	return nil
}

// SendBytes returns how many bytes the world grows by at most when n more events are sent. It is for callers that will not be able to go back, who compare it
// with [RawAccess.BytesLeft].
func (RawAccess) SendBytes(w *World, id EventID, n int) uint64 {
	l := w.events[id]
	return growth(l.capacity(), int(l.end-l.first)+n, l.schema.size)
}

// TagBytes returns how many bytes the world grows by at most when n entities get a tag, see [RawAccess.SendBytes].
func (RawAccess) TagBytes(w *World, id TagID, n int) uint64 {
	s, slots := w.tags[id], len(w.slots.all)
	most := growth(cap(s.dense), len(s.dense)+n, 8) + growth(cap(s.sparse), slots+1, unsafe.Sizeof(tagEntry{}))
	number := uint32(id)
	for _, rows := range w.tagMarks.levels {
		number >>= 6
		most += growth(cap(rows[number].words), slots, 8)
	}
	return most
}

// Work returns how many steps the world has taken beyond the one that each call takes: entities that died with a parent, relations that ended with
// their target, steps along chains of relations, tags taken off the dying. It only grows, is the same in every run, and is for callers that
// charge for what they let others do.
func (RawAccess) Work(w *World) uint64 { return w.work }

// SharedSteps returns a bound, for callers that charge for a walk when it begins, of the look-ups that deciding about its rows takes because their entities have a
// base: terms times rows of the tables where they have one. A look-up goes up [MaxBases] bases at most. It is 0 for a query that does not look through [IsA], and
// costs O(tables).
func (RawAccess) SharedSteps(q *Query) (n int) {
	if !q.inherit {
		return 0
	}
	for i := range q.matches {
		if m := &q.matches[i]; m.inherit {
			n += len(m.table.entities) * (1 + len(q.terms))
		}
	}
	return n
}

// Taking back changes as if they had never been made, for callers that try something. The last change is taken back first.

// TagPlace returns where in [World.TagMembers] an entity is, -1 when it does not have the tag.
func (RawAccess) TagPlace(s TagSet, e Entity) int {
	if !s.set.has(e) {
		return -1
	}
	return int(s.set.sparse[uint32(e)].place)
}

// PutBackTag takes back an Untag: the living e gets the tag again, at the place it had. A Tag is taken back by Untag.
func (RawAccess) PutBackTag(s TagSet, e Entity, place int) {
	s.set.before(e)
	s.set.add(e)
	n := len(s.set.dense) - 1
	if place == n {
		return
	}
	moved := s.set.dense[place]
	s.set.dense[place], s.set.dense[n] = e, moved
	s.set.sparse[uint32(e)].place, s.set.sparse[uint32(moved)].place = uint32(place), uint32(n)
}

// RandomState returns where the stream stands.
func (RawAccess) RandomState(r *Random) RandomState { return r.at }

// PutBackRandom makes the stream go on from a state it was in.
func (RawAccess) PutBackRandom(r *Random, s RandomState) { r.at = s }

// Text returns the address of the string that v holds. It is valid as long as v, and must not be written to.
func (RawAccess) Text(v *Value) *string { return &v.str }
