package ecs

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
