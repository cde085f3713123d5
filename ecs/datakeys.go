package ecs

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
)

// The keys of plain data. Tables that are made alike have equal keys: each item of a bag is {kind = …, count = …}. Keys do not
// change, so such tables have the same ones in memory, and a record needs no more than its values.

// Limits of the keys that are looked up among those of other data. Longer ones seldom have equals.
const (
	mostSharedKeys  = 16  // keys
	mostSharedBytes = 256 // bytes of their strings
)

// knownKeys has the keys that were used last, by their hash. It decides only whether two equal lists of keys are one in memory,
// which nothing can see. It has up to 1,024 lists, of at most 640 bytes each.
var knownKeys [1 << 10]atomic.Pointer[[]Value]

// shareKeys returns equal keys in memory that never changes, and nil for an empty list. It does not keep its argument.
func shareKeys(keys []Value) []Value {
	if len(keys) == 0 {
		return nil
	}
	hash, size, ok := hashKeys(keys)
	if !ok {
		return append(make([]Value, 0, len(keys)), keys...)
	}
	known := &knownKeys[hash%uint64(len(knownKeys))]
	if found := known.Load(); found != nil && equalKeys(*found, keys) {
		return *found
	}
	own := ownKeys(keys, size)
	known.Store(&own)
	return own
}

// equalKeys reports whether two lists have the same keys.
func equalKeys(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].kind != b[i].kind || a[i].bits != b[i].bits || a[i].kind == StringValue && a[i].p != b[i].p && a[i].Str() != b[i].Str() {
			return false
		}
	}
	return true
}

// ownKeys copies keys with their strings, which have size bytes: a string may be a small part of a large one.
func ownKeys(keys []Value, size int) []Value {
	var text strings.Builder
	text.Grow(size)
	for i := range keys {
		if keys[i].kind == StringValue {
			text.WriteString(keys[i].Str())
		}
	}
	all, own := text.String(), make([]Value, len(keys))
	for i, k := range keys {
		if k.kind == StringValue {
			n := len(k.Str())
			k, all = Text(all[:n]), all[n:]
		}
		own[i] = k
	}
	return own
}

// hashKeys hashes keys, and counts the bytes of their strings. It is not ok for keys that are not looked up.
func hashKeys(keys []Value) (hash uint64, size int, ok bool) {
	if len(keys) > mostSharedKeys {
		return 0, 0, false
	}
	hash = 14695981039346656037
	for i := range keys {
		k := &keys[i]
		hash = mixKey(hash, k.bits+uint64(k.kind))
		if k.kind != StringValue {
			continue
		}
		s := k.Str()
		if size += len(s); size > mostSharedBytes {
			return 0, 0, false
		}
		for j := range len(s) {
			hash = (hash ^ uint64(s[j])) * 1099511628211
		}
	}
	return hash ^ hash>>32, size, true
}

// mixKey mixes a word into a hash.
func mixKey(hash, word uint64) uint64 {
	high, low := bits.Mul64(hash^word, 0x9e3779b97f4a7c15)
	return high ^ low
}

// findKey is find among entries of which the first items have the keys 1, 2, …, and the others these keys.
func findKey(keys []Value, items int, key Value) (int, bool) {
	if key.kind == NumberValue {
		switch f := key.Float(); {
		case f >= 1 && f <= float64(items):
			i := int(f)
			if float64(i) == f {
				return i - 1, true
			}
			return i, false
		case items > 0 && !(f >= 1): // NaN, too
			return 0, false
		}
	}
	i, found := slices.BinarySearchFunc(keys, key, compareKeys)
	return items + i, found
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

// Memory for plain data. A Data and its values are one piece of memory if there are few of them, so that making one
// is one allocation, and reading it touches neighbouring cache lines.

// A withRoom is a Data with the memory of its values. A is an array of values.
type withRoom[A any] struct {
	data   Data
	values A
}

// dataRooms makes them, by the number of values.
var dataRooms = [...]func() (*Data, []Value){
	1:  func() (*Data, []Value) { r := new(withRoom[[1]Value]); return &r.data, r.values[:0] },
	2:  func() (*Data, []Value) { r := new(withRoom[[2]Value]); return &r.data, r.values[:0] },
	3:  func() (*Data, []Value) { r := new(withRoom[[3]Value]); return &r.data, r.values[:0] },
	4:  func() (*Data, []Value) { r := new(withRoom[[4]Value]); return &r.data, r.values[:0] },
	5:  func() (*Data, []Value) { r := new(withRoom[[5]Value]); return &r.data, r.values[:0] },
	6:  func() (*Data, []Value) { r := new(withRoom[[6]Value]); return &r.data, r.values[:0] },
	7:  func() (*Data, []Value) { r := new(withRoom[[7]Value]); return &r.data, r.values[:0] },
	8:  func() (*Data, []Value) { r := new(withRoom[[8]Value]); return &r.data, r.values[:0] },
	9:  func() (*Data, []Value) { r := new(withRoom[[9]Value]); return &r.data, r.values[:0] },
	10: func() (*Data, []Value) { r := new(withRoom[[10]Value]); return &r.data, r.values[:0] },
	11: func() (*Data, []Value) { r := new(withRoom[[11]Value]); return &r.data, r.values[:0] },
	12: func() (*Data, []Value) { r := new(withRoom[[12]Value]); return &r.data, r.values[:0] },
}

// roomFor returns new data and memory for the values of n entries, with a length of 0.
func roomFor(n int) (*Data, []Value) {
	if 0 < n && n < len(dataRooms) {
		return dataRooms[n]()
	}
	return new(Data), make([]Value, 0, n)
}
