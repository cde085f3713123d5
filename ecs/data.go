package ecs

import (
	"fmt"
	"iter"
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
	values  *Value // by entry. The entries are sorted by key: numbers, then strings, then booleans
	keys    *Value // the keys of the entries after the list; other data with the same keys may have the same ones
	n       int32  // number of entries
	items   int32  // number of leading entries with the keys 1, 2, …, items: the list
	total   int32  // number of entries, including those of nested data; math.MaxInt32 stands for that and more
	levels  int16  // depth: 1 if no value is a table
	foreign bool   // some value in it is one that no script can make: see RawAccess.Foreign
}

// A DataEntry is one key with its value. See the example of [Data].
type DataEntry struct{ Key, Value Value }

// NewData returns plain data with these entries, nil if there are none. Of several entries with the same key the
// last one counts; entries with a nil value are left out. It is an error if a key is NaN or not a number, string
// or boolean, or if the data nests beyond [MaxDataDepth].
func NewData(entries []DataEntry) (*Data, error) {
	var few [8]DataEntry
	sorted := few[:0]
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
	return dataOf(kept), nil
}

// dataOf returns data with entries that are checked and sorted, without equal keys and nil values.
func dataOf(entries []DataEntry) *Data {
	if len(entries) == 0 {
		return nil
	}
	d, values := roomFor(len(entries))
	items := 0
	for i := range entries {
		if values = append(values, entries[i].Value); i == items && entries[i].Key.isIndex(i+1) {
			items++
		}
	}
	var few [mostSharedKeys]Value
	keys := few[:0]
	for i := range entries[items:] {
		keys = append(keys, entries[items+i].Key)
	}
	return d.fill(values, items, shareKeys(keys))
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

// fill makes d hold entries with these values, and returns d. There is at least one. items of them are the list, and the
// others have these keys. Everything is checked and sorted. It keeps both slices.
func (d *Data) fill(values []Value, items int, keys []Value) *Data {
	*d = Data{values: &values[0], n: int32(len(values)), items: int32(items), levels: 1}
	if len(keys) > 0 {
		d.keys = &keys[0]
	}
	total := int64(len(values))
	for i := range values {
		switch v := &values[i]; v.kind {
		case TableValue:
			of := v.Data()
			d.levels = max(d.levels, int16(1+of.Levels()))
			total += int64(of.Total())
			d.foreign = d.foreign || Raw.Foreign(of)
		case IntValue, UintValue, EntityValue:
			d.foreign = true
		}
	}
	d.total = int32(min(total, math.MaxInt32))
	return d
}

// isIndex reports whether v is the number i, as the key of an entry.
func (v *Value) isIndex(i int) bool { return v.kind == NumberValue && v.Float() == float64(i) }

// With returns a copy of the data in which key has the value v, or no value if v is nil. d does not change. Values
// are shared with d, so the cost is one copy of the entries of d itself, without those of nested data. Its errors
// are those of [NewData].
func (d *Data) With(key, v Value) (*Data, error) {
	entry := DataEntry{key, v}
	if err := entry.check(); err != nil {
		return nil, err
	}
	i, found := d.find(entry.Key)
	if found && entry.Value.kind != NilValue {
		out, values := roomFor(d.Len())
		values = append(values, d.valueList()...)
		values[i] = entry.Value
		return out.fill(values, d.Items(), d.keyList()), nil
	}
	if !found && entry.Value.kind == NilValue {
		return d, nil
	}
	if items := d.Items(); i == items && i == d.Len() && entry.Key.isIndex(i+1) { // the end of a list
		out, values := roomFor(i + 1)
		return out.fill(append(append(values, d.valueList()...), entry.Value), i+1, nil), nil
	}
	entries := make([]DataEntry, 0, d.Len()+1)
	for at := range d.Len() {
		if at == i && !found {
			entries = append(entries, entry)
		}
		if k, old := d.At(at); at != i || !found {
			entries = append(entries, DataEntry{k, old})
		}
	}
	if i == d.Len() {
		entries = append(entries, entry)
	}
	return dataOf(entries), nil
}

// find returns the index of the entry of a key and true, or the index at which it would be inserted and false. A
// key of the list costs O(1), any other O(log n).
func (d *Data) find(key Value) (int, bool) { return findKey(d.keyList(), d.Items(), key) }

// valueList returns the values in the order of the entries. It must not be changed.
func (d *Data) valueList() []Value {
	if d == nil {
		return nil
	}
	return unsafe.Slice(d.values, d.n)
}

// keyList returns the keys of the entries after the list. It must not be changed.
func (d *Data) keyList() []Value {
	if d == nil {
		return nil
	}
	return unsafe.Slice(d.keys, d.n-d.items)
}

// Entries returns a new slice with the entries in key order: numbers, strings, booleans. [Data.All] and [Data.At] do not allocate.
func (d *Data) Entries() []DataEntry {
	if d == nil {
		return nil
	}
	entries := make([]DataEntry, d.n)
	for i := range entries {
		entries[i].Key, entries[i].Value = d.At(i)
	}
	return entries
}

// All walks the entries in the order of [Data.Entries].
func (d *Data) All() iter.Seq2[Value, Value] {
	return func(yield func(key, value Value) bool) {
		for i := range d.Len() {
			if !yield(d.At(i)) {
				return
			}
		}
	}
}

// At returns entry i in the order of [Data.Entries]. i is at least 0 and less than [Data.Len].
func (d *Data) At(i int) (key, value Value) {
	values := d.valueList()
	if uint(i) >= uint(len(values)) {
		panic("ecs: Data.At of an entry that there is not; see Data.Len")
	}
	value = values[i]
	if items := d.Items(); i >= items {
		return d.keyList()[i-items], value
	}
	return Number(float64(i + 1)), value
}

// Len returns the number of entries, without those of nested data.
func (d *Data) Len() int { return len(d.valueList()) }

// Items returns how many entries at the beginning form a list, with the keys 1, 2, … .
func (d *Data) Items() int {
	if d == nil {
		return 0
	}
	return int(d.items)
}

// Total returns the number of entries, including those of nested data; [math.MaxInt32] for that and more.
func (d *Data) Total() int {
	if d == nil {
		return 0
	}
	return int(d.total)
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
		return d.valueList()[i]
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
	if d.Items() != o.Items() || !slices.EqualFunc(d.keyList(), o.keyList(), Value.Equal) {
		return false
	}
	return slices.EqualFunc(d.valueList(), o.valueList(), Value.Equal)
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
	for i := range d.Len() {
		if len(buf) > most {
			return buf
		}
		if i > 0 {
			buf = append(buf, ", "...)
		}
		key, v := d.At(i)
		switch {
		case key.kind == NumberValue && key.Float() == next:
			next++
		case key.kind == StringValue && identifier(key.Str()):
			buf = append(append(buf, key.Str()...), " = "...)
		default:
			buf = append(key.AppendText(append(buf, '['), most), "] = "...)
		}
		buf = v.AppendText(buf, most)
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
