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
}

// A DataEntry is one key with its value.
type DataEntry struct{ Key, Value Value }

// NewData returns plain data with these entries; later entries replace earlier ones of the same key, nil values are left out. It returns
// nil for no entries. Keys other than numbers (not NaN), strings and booleans, and nesting beyond [MaxDataDepth], are errors.
func NewData(entries []DataEntry) (*Data, error) {
	sorted := make([]DataEntry, 0, len(entries))
	for _, e := range entries {
		if e.Key.kind == IntValue || e.Key.kind == UintValue {
			e.Key = Number(e.Key.Float())
		}
		switch e.Key.kind {
		case NumberValue:
			if k := e.Key.Float(); k != k {
				return nil, fmt.Errorf("a table key must not be NaN")
			}
		case StringValue, BoolValue:
		default:
			return nil, fmt.Errorf("a table key must be a number, a string or a boolean, not %s", e.Key.kind)
		}
		if e.Value.kind == TableValue && e.Value.data.depth() >= MaxDataDepth {
			return nil, fmt.Errorf("plain data nests deeper than %d tables", MaxDataDepth)
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
	d := &Data{entries: kept, levels: 1}
	for _, e := range kept {
		if e.Value.kind == TableValue {
			d.levels = max(d.levels, 1+e.Value.data.depth())
		}
	}
	return d, nil
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

// Get returns the value of a key, nil when it has none.
func (d *Data) Get(key Value) Value {
	for _, e := range d.Entries() {
		if e.Key.Equal(key) {
			return e.Value
		}
	}
	return Value{}
}

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

// depth is how deep the data nests; the empty table is one level.
func (d *Data) depth() int {
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
