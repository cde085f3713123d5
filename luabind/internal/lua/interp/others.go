package interp

import (
	"maps"

	lua "github.com/yuin/gopher-lua"
)

// Entries of tables whose keys are neither names nor in the list part: sets and maps by entity. gopher-lua keeps them in
// a map of values, and each key that there ever was also in a list, for the order of pairs, and in a map of places in
// that list.

// SetOther sets t[key] = v, without metatables. The key is a boolean or a number that is not in the list part, or anything else
// but a string, nil and NaN. It does what gopher-lua's RawSetH does, with one operation on a map for a key that there
// is and two for a new one, where RawSetH has two and three. It returns the price: see [GrowthBytes].
func SetOther(t *lua.LTable, key, v lua.LValue) (bytes int64) {
	tb := tableOf(t)
	if v == lua.LNil || tb.dict == nil || tb.k2i == nil {
		bytes = GrowthBytes(t, key, v)
		t.RawSetH(key, v)
		return bytes
	}
	before := len(tb.dict)
	tb.dict[key] = v
	if len(tb.dict) == before {
		return 0 // the list has the key
	}
	if before < len(tb.keys) { // there are names, or a key was removed, and it may be this one
		if _, known := tb.k2i[key]; known {
			return EntryBytes
		}
	}
	tb.k2i[key] = len(tb.keys)
	tb.keys = append(tb.keys, key)
	switch len(tb.keys) {
	case 7, 27, 111: // the next key but one would make the maps grow
		tb.widen()
	}
	return EntryBytes
}

// widen makes the maps of a table four times as large. Go makes them twice as large each time, and moving the entries is half of the time in which a
// table of some hundred keys is made.
func (t *table) widen() {
	n := len(t.keys)
	if len(t.dict) < n-1 {
		return // it has names, or keys were removed
	}
	dict, places := make(map[lua.LValue]lua.LValue, 4*n), make(map[lua.LValue]int, 4*n)
	if dictsKnown {
		eachEntry(t.dict, func(e *dictEntry) { dict[e.key] = e.value })
	} else {
		maps.Copy(dict, t.dict)
	}
	for i, key := range t.keys {
		places[key] = i
	}
	t.dict, t.k2i = dict, places
}

// SetItem is SetItem for native forms of functions, which decline if it returns false: if the limit does not allow it. Item i is in the list part, or the
// next one.
func (m *Machine) SetItem(t *lua.LTable, i int, v *Value) bool {
	tb := tableOf(t)
	if !v.IsNil() && (i > len(tb.array) || isNil(&tb.array[i-1])) && !m.takes(EntryBytes) {
		return false
	}
	tb.setItem(i, m.boxes.value(v))
	return true
}
