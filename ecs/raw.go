package ecs

import (
	"math"
	"unsafe"
)

// This file describes a world for code that does its work without calling it, such as compiled loops: the layout of
// slots, tags and grids, and the random numbers. rawaccess.go returns the addresses. With [Options.Memory] all of this memory comes from
// there.

// What the memory of a world looks like to code that reads it directly, and how its random numbers are made.
const (
	// A slot, and what its meta word holds.

	SlotSize  = unsafe.Sizeof(slot{})
	SlotMeta  = unsafe.Offsetof(slot{}.meta)  // uint32
	SlotTable = unsafe.Offsetof(slot{}.table) // uint32: [Table.ID]
	SlotRow   = unsafe.Offsetof(slot{}.row)   // uint32
	// SlotAlive is a mask: the bits of meta under it are equal to the upper half of a handle if, and only if, that
	// entity is alive.
	SlotAlive = liveMask

	// The entries of a tag: pages of so many entries, see [RawAccess.TagPage].

	TagPageShift       = slotShift // a page has 1<<TagPageShift entries
	TagEntrySize       = unsafe.Sizeof(tagEntry{})
	TagEntryGeneration = unsafe.Offsetof(tagEntry{}.generation) // uint32: the upper half of the handle of the entity that has the tag

	// A point of a grid.

	PointSize   = unsafe.Sizeof(gridPoint{})
	PointX      = unsafe.Offsetof(gridPoint{}.x)
	PointY      = unsafe.Offsetof(gridPoint{}.y)
	PointEntity = unsafe.Offsetof(gridPoint{}.entity)

	LayerPageShift = cellPageShift // see RawLayer

	// The entries of an index: pages of so many entries, by slot, see [RawAccess.IndexPage]. Slots in them are counted from 1, 0 is none.

	IndexPageShift     = slotShift
	IndexEntrySize     = unsafe.Sizeof(indexEntry{})
	IndexEntryPlace    = unsafe.Offsetof(indexEntry{}.place)    // uint32: counted from 1, 0 is none
	IndexEntryPrevious = unsafe.Offsetof(indexEntry{}.previous) // uint32: the slot before it at its place
	IndexEntryNext     = unsafe.Offsetof(indexEntry{}.next)     // uint32: the slot behind it
	IndexEndLast       = unsafe.Offsetof(indexEnd{}.last)       // uint32: the last slot of a place, see [RawAccess.Places]
	IndexEndCount      = unsafe.Offsetof(indexEnd{}.count)      // uint32: how many are there

	// The generator of random numbers. The next state is state * (PCGMulHi<<64 + PCGMulLo) + PCGIncHi<<64 + PCGIncLo,
	// modulo 2^128. The output is hi * (lo | 1) of the new state, where hi is first changed by: hi ^= hi >> 32,
	// hi *= PCGMix, hi ^= hi >> 48.

	PCGMulHi = 2549297995355413924
	PCGMulLo = 4865540595714422341
	PCGIncHi = 6364136223846793005
	PCGIncLo = 1442695040888963407
	PCGMix   = 0xda942042e4dd58b5
)

// A RawGrid is a grid's snapshot of positions.
type RawGrid struct {
	Points     unsafe.Pointer // grouped by cell, one row of cells after another
	Starts     unsafe.Pointer // int32 by cell: the index of its first point; one more at the end
	N          int            // number of points; without points there are no cells
	Cols, Rows int            // number of cells in x and y
	MinX, MinY float64        // the lower corner of the first cell
	Cell       float64        // width of a cell
	Taken      uint64         // number of snapshots the grid has taken; the snapshot is the same as long as this is
}

// A RawLayer says where the cells of a layer are. Both addresses stay as long as the world. See the example of [RawAccess].
type RawLayer struct {
	Cells unsafe.Pointer // row after row, each of the layer's type
	Open  unsafe.Pointer // a byte for each 1<<LayerPageShift cells: 1 if they may be written; else call [RawAccess.OpenCell] before
}

// Plain data for compiled loops, which change copies of it entry by entry.

// FindKey is [Data.Find] among entries of which the first items have the keys 1, 2, …, and the others these keys, sorted.
func (RawAccess) FindKey(keys []Value, items int, key Value) (int, bool) {
	return findKey(keys, items, key)
}

// Content returns the values of the entries of d, how many entries at the beginning form a list with the keys 1, 2, …, and
// the keys of the others: len(values) == items + len(keys). None of them may be changed.
func (RawAccess) Content(d *Data) (values []Value, items int, keys []Value) {
	return d.valueList(), d.Items(), d.keyList()
}

// ShareKeys returns the same keys as memory that does not change, which other data may have, too.
func (RawAccess) ShareKeys(keys []Value) []Value { return shareKeys(keys) }

// DataOf returns data with these values; see Content for items and keys, which must not change any more. Each key is a number, a
// string or a boolean, no key occurs twice, no value is nil, and there is at least one. The data has a copy of the values. It may
// nest deeper than [MaxDataDepth]; then it must not be stored.
func (RawAccess) DataOf(values []Value, items int, keys []Value) *Data {
	d, own := roomFor(len(values))
	return d.fill(append(own, values...), items, keys)
}

// Foreign reports whether data contains values that a script would store in another way than it has read them: an
// entity or an exact integer, which become Lua numbers.
func (RawAccess) Foreign(d *Data) bool { return d != nil && d.foreign }

// DataRoom returns memory for data with at most n entries: first the values are made, then [RawAccess.Fill] makes the data.
func (RawAccess) DataRoom(n int) (d *Data, values []Value) { return roomFor(n) }

// Fill makes data of memory that DataRoom has returned, and of its values; see DataOf for what they may be. They are not copied,
// and must not change any more.
func (RawAccess) Fill(d *Data, values []Value, items int, keys []Value) *Data {
	return d.fill(values, items, keys)
}

// FillAs is Fill for entries that have the keys of other data. In each place both have the same value, or tables of the same
// size ([RawAccess.SameSize]), or numbers, strings and booleans.
func (RawAccess) FillAs(d *Data, values []Value, as *Data) *Data {
	*d = *as
	d.values = &values[0]
	return d
}

// SameSize reports whether tables count the same as values of another table: in its depth, in its number of entries, and in
// whether it is foreign.
func (RawAccess) SameSize(a, b *Data) bool {
	return a.Levels() == b.Levels() && a.Total() == b.Total() && Raw.Foreign(a) == Raw.Foreign(b)
}

// Replace gives a key of d another value, if it has one and neither is a table; otherwise it does nothing and returns false. Nothing else may have d.
func (RawAccess) Replace(d *Data, key, v Value) bool {
	if v.kind == NilValue || v.kind == TableValue || key.kind == NumberValue && key.Float() != key.Float() {
		return false
	}
	i, found := d.find(key)
	if !found || d.valueList()[i].kind == TableValue {
		return false
	}
	d.valueList()[i] = v
	return true
}

// Append adds a value that is no table to the end of d, a list whose memory has room for so many values. If key is another one, or there is no room, it
// does nothing and returns false. Nothing else may have d, and no other data may contain it.
func (RawAccess) Append(d *Data, room int, key, v Value) bool {
	n := d.Len()
	if n >= room || d.Items() != n || !key.isIndex(n+1) || v.kind == NilValue || v.kind == TableValue {
		return false
	}
	d.n, d.items, d.total = d.n+1, d.items+1, d.total+1
	d.valueList()[n] = v
	return true
}

// WithRoom is [Data.With]. If that has added to the end of a list, the new data has room for so many values.
func (RawAccess) WithRoom(d *Data, key, v Value) (out *Data, room int, err error) {
	if n := d.Len(); n >= leastRoom && d.Items() == n && key.isIndex(n+1) && v.kind != NilValue && v.kind != TableValue {
		room = n + n/2
		out, values := new(Data), make([]Value, 0, room)
		return out.fill(append(append(values, d.valueList()...), v), n+1, nil), room, nil
	}
	out, err = d.With(key, v)
	return out, out.Len(), err
}

// leastRoom is how many values a list has for which WithRoom makes room for more.
const leastRoom = 16

// PutNumber gives a value that is a number another one.
func (RawAccess) PutNumber(v *Value, n float64) { v.bits = math.Float64bits(n) }
