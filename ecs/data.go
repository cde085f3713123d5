package ecs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// This file is the value of a field of type `table`: an immutable tree of plain data. Scripts and configs make it
// from Lua and YAML tables; rows, events and digests hold and read it.

// Data is plain data, the content of a `table` field. It has entries with number, string or boolean keys, and
// number, string, boolean, entity or nested values. It is immutable, so worlds can share it and copy it by
// pointer. A nil *Data is the empty table.
type Data struct {
	first   *DataEntry // entries sorted by key: numbers, then strings, then booleans
	n       int32      // number of entries
	items   int32      // number of leading entries with the keys 1, 2, …, items
	total   int        // number of entries, including those of nested data
	levels  int16      // depth: 1 if no value is a table
	foreign bool       // some value in it is one that no script can make: see RawAccess.Foreign
}

// A DataEntry is one key with its value. See the example of [Data].
type DataEntry struct{ Key, Value Value }

// NewData returns plain data with these entries, nil if there are none. Of several entries with the same key the
// last one counts; entries with a nil value are left out. It is an error if a key is NaN or not a number, string
// or boolean, or if the data nests beyond [MaxDataDepth].
func NewData(entries []DataEntry) (*Data, error) {
	d, sorted := roomFor(len(entries))
	for _, e := range entries {
		if err := e.check(); err != nil {
			return nil, err
		}
		sorted = append(sorted, e)
	}
	if byKey := func(a, b DataEntry) int { return compareKeys(a.Key, b.Key) }; !slices.IsSortedFunc(sorted, byKey) { // lists are
		slices.SortStableFunc(sorted, byKey)
	}
	kept := sorted[:0]
	for _, e := range sorted {
		if n := len(kept); n > 0 && kept[n-1].Key.Equal(e.Key) {
			kept = kept[:n-1]
		}
		if e.Value.kind != NilValue {
			kept = append(kept, e)
		}
	}
	if len(kept) == 0 {
		return nil, nil
	}
	clear(sorted[len(kept):])
	return d.fill(kept), nil
}

// check converts an integer key to a number and returns an error for a key or value that data cannot hold.
func (e *DataEntry) check() error {
	switch e.Key.kind {
	case IntValue, UintValue:
		e.Key = Number(e.Key.Float())
	case NumberValue:
		if k := e.Key.Float(); k != k {
			return fmt.Errorf("a table key must not be NaN")
		}
	case StringValue, BoolValue:
	default:
		return fmt.Errorf("a table key must be a number, a string or a boolean, not %s", e.Key.kind)
	}
	if e.Value.kind == TableValue && e.Value.Data().Levels() >= MaxDataDepth {
		return fmt.Errorf("plain data nests deeper than %d tables", MaxDataDepth)
	}
	return nil
}

// fill makes d hold these entries, which are checked, sorted and not empty, and returns d. It keeps the slice.
func (d *Data) fill(entries []DataEntry) *Data {
	*d = Data{first: &entries[0], n: int32(len(entries)), levels: 1, total: len(entries)}
	for int(d.items) < len(entries) && entries[d.items].Key.isIndex(int(d.items)+1) {
		d.items++
	}
	for i := range entries {
		switch v := &entries[i].Value; v.kind {
		case TableValue:
			of := v.Data()
			d.levels = max(d.levels, int16(1+of.Levels()))
			d.total += of.Total()
			d.foreign = d.foreign || Raw.Foreign(of)
		case IntValue, UintValue, EntityValue:
			d.foreign = true
		}
	}
	return d
}

// isIndex reports whether v is the number i, as the key of an entry.
func (v *Value) isIndex(i int) bool { return v.kind == NumberValue && v.Float() == float64(i) }

// With returns a copy of the data in which key has the value v, or no value if v is nil. d does not change. Values
// are shared with d, so the cost is one copy of the entries of d itself, without those of nested data. Its errors
// are those of [NewData].
func (d *Data) With(key, v Value) (*Data, error) {
	entries, entry := d.Entries(), DataEntry{key, v}
	if err := entry.check(); err != nil {
		return nil, err
	}
	i, found := d.find(entry.Key)
	if entry.Value.kind == NilValue {
		switch {
		case !found:
			return d, nil
		case len(entries) == 1:
			return nil, nil
		}
		out, changed := roomFor(len(entries) - 1)
		return out.fill(append(append(changed, entries[:i]...), entries[i+1:]...)), nil
	}
	after := i
	if found {
		after++
	}
	out, changed := roomFor(i + 1 + len(entries) - after)
	return out.fill(append(append(append(changed, entries[:i]...), entry), entries[after:]...)), nil
}

// find returns the index of the entry of a key and true, or the index at which it would be inserted and false. A
// key of the list costs O(1), any other O(log n).
func (d *Data) find(key Value) (int, bool) { return findEntry(d.Entries(), d.Items(), key) }

// findEntry is find among entries of which the first items have the keys 1, 2, … .
func findEntry(entries []DataEntry, items int, key Value) (int, bool) {
	if key.kind == NumberValue {
		if f := key.Float(); f >= 1 && f <= float64(items) && f == math.Trunc(f) {
			return int(f) - 1, true
		} else if items == len(entries) && f == float64(items+1) { // the end of a list
			return items, false
		}
	}
	return slices.BinarySearchFunc(entries, key, func(e DataEntry, key Value) int { return compareKeys(e.Key, key) })
}

// compareKeys orders keys as Entries does: numbers, strings, booleans.
func compareKeys(a, b Value) int {
	if a.kind != b.kind {
		return cmp.Compare(keyRank(a.kind), keyRank(b.kind))
	}
	switch a.kind {
	case NumberValue:
		return cmp.Compare(a.Float(), b.Float())
	case StringValue:
		return cmp.Compare(a.Str(), b.Str())
	default:
		return cmp.Compare(a.bits, b.bits)
	}
}

func keyRank(k ValueKind) int {
	switch k {
	case NumberValue:
		return 0
	case StringValue:
		return 1
	default:
		return 2
	}
}

// Entries returns the entries in key order: numbers, strings, booleans. Do not change the slice.
func (d *Data) Entries() []DataEntry {
	if d == nil {
		return nil
	}
	return unsafe.Slice(d.first, d.n)
}

// Len returns the number of entries, without those of nested data.
func (d *Data) Len() int { return len(d.Entries()) }

// Items returns how many entries at the beginning form a list, with the keys 1, 2, … .
func (d *Data) Items() int {
	if d == nil {
		return 0
	}
	return int(d.items)
}

// Total returns the number of entries, including those of nested data.
func (d *Data) Total() int {
	if d == nil {
		return 0
	}
	return d.total
}

// Get returns the value of a key, the nil Value if there is none.
func (d *Data) Get(key Value) Value {
	if key.kind == IntValue || key.kind == UintValue {
		key = Number(key.Float())
	}
	switch key.kind {
	case IntValue, UintValue:
		key = Number(key.Float())
	case NumberValue, StringValue, BoolValue:
	default:
		return Value{}
	}
	if i, ok := d.find(key); ok {
		return d.Entries()[i].Value
	}
	return Value{}
}

// Find returns the index in [Data.Entries] of the entry of a key, which is a number, a string or a boolean. It reports false, and where the entry
// would be, if there is none.
func (d *Data) Find(key Value) (int, bool) { return d.find(key) }

// Equal reports whether both hold equal entries.
func (d *Data) Equal(o *Data) bool {
	if d == o {
		return true
	}
	if d.Len() != o.Len() {
		return false
	}
	for i, e := range d.Entries() {
		if f := o.Entries()[i]; !e.Key.Equal(f.Key) || !e.Value.Equal(f.Value) {
			return false
		}
	}
	return true
}

// Levels returns the depth of the data. Data without nested data, and the empty table, have one level.
func (d *Data) Levels() int {
	if d == nil {
		return 1
	}
	return int(d.levels)
}

// String returns the data as a Lua table constructor.
func (d *Data) String() string { return string(d.appendText(nil, math.MaxInt)) }

// appendText appends the text of the data. It may stop early once buf is longer than most.
func (d *Data) appendText(buf []byte, most int) []byte {
	buf = append(buf, '{')
	next := 1.0
	for i, e := range d.Entries() {
		if len(buf) > most {
			return buf
		}
		if i > 0 {
			buf = append(buf, ", "...)
		}
		switch {
		case e.Key.kind == NumberValue && e.Key.Float() == next:
			next++
		case e.Key.kind == StringValue && identifier(e.Key.Str()):
			buf = append(append(buf, e.Key.Str()...), " = "...)
		default:
			buf = append(e.Key.AppendText(append(buf, '['), most), "] = "...)
		}
		buf = e.Value.AppendText(buf, most)
	}
	return append(buf, '}')
}

// identifier reports whether s can be written before = in a table constructor, without brackets.
func identifier(s string) bool {
	for i, c := range []byte(s) {
		letter := c == '_' || (c|0x20 >= 'a' && c|0x20 <= 'z')
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
