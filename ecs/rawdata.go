package ecs

import "math"

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

// PutNumber gives a value that is a number another one.
func (RawAccess) PutNumber(v *Value, n float64) { v.bits = math.Float64bits(n) }
