package ecs

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

// members makes data with the given names, each with its place as the value.
func members(t *testing.T, names ...string) *Data {
	t.Helper()
	var entries []DataEntry
	for i, name := range names {
		entries = append(entries, DataEntry{Text(name), Number(float64(i))})
	}
	return data(t, entries...)
}

// Tables with the same names share them, and a table of three members has 104 bytes.
func TestKeysAreShared(t *testing.T) {
	t.Parallel()
	a, b, other := members(t, "damage", "kind", "left"), members(t, "damage", "kind", "left"), members(t, "damage", "kind", "size")
	if a.keys != b.keys {
		t.Error("two tables with the same names have their own keys")
	}
	if a.keys == other.keys {
		t.Error("tables with other names have the same keys")
	}
	if c := must[*Data](t)(a.With(Text("kind"), Boolean(true))); c.keys != a.keys {
		t.Error("a table in which one value changes has its own keys")
	}
	if list := data(t, DataEntry{Number(1), Text("a")}, DataEntry{Number(2), Text("b")}); list.keys != nil {
		t.Error("a list has keys")
	}
	if size := unsafe.Sizeof(withRoom[[3]Value]{}); unsafe.Sizeof(uintptr(0)) == 8 && size > 104 {
		t.Errorf("a table of three members has %d bytes", size)
	}
}

// Each of many tables keeps its own names, also where their hashes lead to the same place.
func TestKeysOfManyTables(t *testing.T) {
	t.Parallel()
	var all []*Data
	text := strings.Repeat("x", 2*mostSharedBytes)
	names := func(i int) []string {
		list := []string{fmt.Sprint("name", i), fmt.Sprint("other", i%7), text[:i%40+1]}
		if i%11 == 0 { // too long to be shared
			list = append(list, text[:mostSharedBytes])
		}
		for j := range i % 23 {
			list = append(list, fmt.Sprint("k", j))
		}
		return list
	}
	const tables = 8 * len(knownKeys)
	for i := range tables {
		all = append(all, members(t, names(i)...))
	}
	for i, d := range all {
		want := names(i)
		if d.Len() != len(want) {
			t.Fatalf("table %d has %d entries, want %d", i, d.Len(), len(want))
		}
		for place, name := range want {
			if v := d.Get(Text(name)); v.Kind() != NumberValue || v.Float() != float64(place) {
				t.Fatalf("table %d: %s is %s, want %d", i, name, v, place)
			}
		}
	}
}

// Keys of different kinds, and strings that are divided in another way, are different keys.
func TestKeysThatLookAlike(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2][]Value{
		{{Text("ab"), Text("c")}, {Text("a"), Text("bc")}},
		{{Number(0)}, {Boolean(false)}},
		{{Number(5)}, {Number(6)}},
		{{Text("")}, {Boolean(false)}},
		{{Text("1")}, {Text("2")}},
		{{Text("a")}, {Text("a"), Text("b")}},
	} {
		if equalKeys(pair[0], pair[1]) || equalKeys(pair[1], pair[0]) {
			t.Errorf("%v equal %v", pair[0], pair[1])
		}
		for _, keys := range pair {
			if !equalKeys(keys, shareKeys(keys)) || !equalKeys(keys, ownKeys(keys, 3)) {
				t.Errorf("%v become %v", keys, shareKeys(keys))
			}
		}
	}
}

// Shared names do not keep the memory of a large string of which they were a part.
func TestSharedKeysAreCopies(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("y", 1<<20)
	d := members(t, large[:9])
	if key, _ := d.At(0); unsafe.StringData(key.Str()) == unsafe.StringData(large) {
		t.Error("a name of nine bytes keeps a megabyte")
	}
}
