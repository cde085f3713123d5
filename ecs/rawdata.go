package ecs

import "math"

// Plain data for compiled loops, which change copies of it entry by entry.

// FindEntry is [Data.Find] among entries that are sorted by key. The first items of them have the keys 1, 2, … .
func (RawAccess) FindEntry(entries []DataEntry, items int, key Value) (int, bool) {
	return findEntry(entries, items, key)
}

// DataOf returns data with these entries. They are sorted by key, each key is a number, a string or a boolean, no key
// occurs twice, no value is nil, and there is at least one. The data has a copy of the entries. It may nest deeper than
// [MaxDataDepth]; then it must not be stored.
func (RawAccess) DataOf(entries []DataEntry) *Data {
	d, own := roomFor(len(entries))
	return d.fill(append(own, entries...))
}

// Foreign reports whether data contains values that a script would store in another way than it has read them: an
// entity or an exact integer, which become Lua numbers.
func (RawAccess) Foreign(d *Data) bool { return d != nil && d.foreign }

// DataRoom returns memory for data with at most n entries: first the entries are made, then [RawAccess.Fill] makes the data.
func (RawAccess) DataRoom(n int) (d *Data, entries []DataEntry) { return roomFor(n) }

// Fill makes data of memory that DataRoom has returned, and of its entries; see DataOf for what they may be. They are not copied,
// and must not change any more.
func (RawAccess) Fill(d *Data, entries []DataEntry) *Data { return d.fill(entries) }

// FillAs is Fill for entries that have the keys of other data. In each place both have the same value, or tables of the same
// size ([RawAccess.SameSize]), or numbers, strings and booleans.
func (RawAccess) FillAs(d *Data, entries []DataEntry, as *Data) *Data {
	*d = *as
	d.first = &entries[0]
	return d
}

// SameSize reports whether tables count the same as values of another table: in its depth, in its number of entries, and in
// whether it is foreign.
func (RawAccess) SameSize(a, b *Data) bool {
	return a.Levels() == b.Levels() && a.Total() == b.Total() && Raw.Foreign(a) == Raw.Foreign(b)
}

// PutNumber gives a value that is a number another one.
func (RawAccess) PutNumber(v *Value, n float64) { v.bits = math.Float64bits(n) }
