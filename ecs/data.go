package ecs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// MaxDataDepth is how deep plain data may nest.
const MaxDataDepth = 32

// Data is plain data, the content of a `table` field: entries with number, string or boolean keys and number, string, boolean, entity or
// nested values. It is immutable, so it can be shared by worlds and copied by pointer. A nil *Data is the empty table.
type Data struct {
	entries []DataEntry // sorted by key: numbers, then strings, then booleans
	levels  int         // how deep it nests: 1 without tables within
	items   int         // how many entries at the beginning are a list: their keys are 1, 2, …, items
	total   int         // entries, those of nested data included
}

// A DataEntry is one key with its value.
type DataEntry struct{ Key, Value Value }

// NewData returns plain data with these entries; later entries replace earlier ones of the same key, nil values are left out. It returns
// nil for no entries. Keys other than numbers (not NaN), strings and booleans, and nesting beyond [MaxDataDepth], are errors.
func NewData(entries []DataEntry) (*Data, error) {
	sorted := make([]DataEntry, 0, len(entries))
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
	return dataOf(kept), nil
}

// check makes the key the one that data has for it, and refuses keys and values that data cannot have.
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
	if e.Value.kind == TableValue && e.Value.data.Levels() >= MaxDataDepth {
		return fmt.Errorf("plain data nests deeper than %d tables", MaxDataDepth)
	}
	return nil
}

// dataOf is data with these entries, which are checked, sorted and at least one. It keeps the slice.
func dataOf(entries []DataEntry) *Data {
	d := &Data{entries: entries, levels: 1, total: len(entries)}
	for d.items < len(entries) && entries[d.items].Key.isIndex(d.items+1) {
		d.items++
	}
	for i := range entries {
		if v := &entries[i].Value; v.kind == TableValue {
			d.levels = max(d.levels, 1+v.data.Levels())
			d.total += v.data.Total()
		}
	}
	return d
}

// isIndex reports whether v is the number i, as the key of an entry.
func (v *Value) isIndex(i int) bool { return v.kind == NumberValue && v.Float() == float64(i) }

// With returns the data with one entry more or another value: the value of key is v, or there is none if v is nil. d stays as it is. Entries
// that do not change are shared, so the cost is that of copying the entries of d, without those of nested data. Errors are those of [NewData].
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
		return dataOf(slices.Delete(slices.Clone(entries), i, i+1)), nil
	}
	var changed []DataEntry
	if found {
		changed = slices.Clone(entries)
		changed[i] = entry
	} else {
		changed = make([]DataEntry, len(entries)+1)
		copy(changed, entries[:i])
		changed[i] = entry
		copy(changed[i+1:], entries[i:])
	}
	return dataOf(changed), nil
}

// find returns the place of the entry of a key, or where it would be.
func (d *Data) find(key Value) (int, bool) {
	if d != nil && key.kind == NumberValue {
		if f := key.Float(); f >= 1 && f <= float64(d.items) && f == math.Trunc(f) {
			return int(f) - 1, true
		}
	}
	return slices.BinarySearchFunc(d.Entries(), key, func(e DataEntry, key Value) int { return compareKeys(e.Key, key) })
}

// compareKeys orders keys as Entries does.
func compareKeys(a, b Value) int {
	if a.kind != b.kind {
		return cmp.Compare(keyRank(a.kind), keyRank(b.kind))
	}
	switch a.kind {
	case NumberValue:
		return cmp.Compare(a.Float(), b.Float())
	case StringValue:
		return cmp.Compare(a.str, b.str)
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
	return d.entries
}

// Len returns how many entries there are.
func (d *Data) Len() int { return len(d.Entries()) }

// Items returns how many entries at the beginning are a list: their keys are 1, 2, … .
func (d *Data) Items() int {
	if d == nil {
		return 0
	}
	return d.items
}

// Total returns how many entries there are, those of nested data included.
func (d *Data) Total() int {
	if d == nil {
		return 0
	}
	return d.total
}

// Get returns the value of a key, nil when it has none.
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
		return d.entries[i].Value
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
		if f := o.entries[i]; !e.Key.Equal(f.Key) || !e.Value.Equal(f.Value) {
			return false
		}
	}
	return true
}

// Levels returns how deep the data nests; data without nested data, and the empty table, have one level.
func (d *Data) Levels() int {
	if d == nil {
		return 1
	}
	return d.levels
}

// String returns the data as a Lua table constructor.
func (d *Data) String() string { return string(d.appendText(nil, math.MaxInt)) }

// appendText appends the text of the data, or a beginning of it that makes buf longer than most.
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
		case e.Key.kind == StringValue && identifier(e.Key.str):
			buf = append(append(buf, e.Key.str...), " = "...)
		default:
			buf = append(e.Key.AppendText(append(buf, '['), most), "] = "...)
		}
		buf = e.Value.AppendText(buf, most)
	}
	return append(buf, '}')
}

// identifier reports whether s can stand before = in a table constructor.
func identifier(s string) bool {
	for i, c := range []byte(s) {
		letter := c == '_' || (c|0x20 >= 'a' && c|0x20 <= 'z')
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
