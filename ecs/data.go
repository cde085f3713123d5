package ecs

import (
	"fmt"
	"sort"
	"strings"
)

// MaxDataDepth is how deep plain data may nest.
const MaxDataDepth = 32

// Data is plain data, the content of a `table` field: entries with number, string or boolean keys and number, string, boolean, entity or
// nested values. It is immutable, so it can be shared by worlds and copied by pointer. A nil *Data is the empty table.
type Data struct {
	entries []DataEntry // sorted by key: numbers, then strings, then booleans
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
	sort.SliceStable(sorted, func(i, j int) bool { return keyLess(sorted[i].Key, sorted[j].Key) })
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
	return &Data{entries: kept}, nil
}

func keyLess(a, b Value) bool {
	if a.kind != b.kind {
		return keyRank(a.kind) < keyRank(b.kind)
	}
	switch a.kind {
	case NumberValue:
		return a.Float() < b.Float()
	case StringValue:
		return a.str < b.str
	default:
		return a.bits < b.bits
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

func (d *Data) depth() int {
	deepest := 0
	for _, e := range d.Entries() {
		if e.Value.kind == TableValue {
			deepest = max(deepest, e.Value.data.depth())
		}
	}
	return deepest + 1
}

// String returns the data as a Lua table constructor.
func (d *Data) String() string {
	var b strings.Builder
	b.WriteByte('{')
	next := 1.0
	for i, e := range d.Entries() {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case e.Key.kind == NumberValue && e.Key.Float() == next:
			next++
		case e.Key.kind == StringValue && identifier(e.Key.str):
			b.WriteString(e.Key.str + " = ")
		default:
			b.WriteString("[" + e.Key.String() + "] = ")
		}
		b.WriteString(e.Value.String())
	}
	b.WriteByte('}')
	return b.String()
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
