package interp

import lua "github.com/yuin/gopher-lua"

// Entries of tables whose keys are neither names nor in the list part: sets and maps by entity. gopher-lua keeps them in
// a map of values, and each key that there ever was also in a list, for the order of pairs, and in a map of places in
// that list.

// SetOther sets t[key] = v, without metatables. The key is a boolean or a number outside the list part, or anything else
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
	return EntryBytes
}

// SetItem sets t[i] = v, without metatables, for a key of the list part. It returns the price.
func SetItem(t *lua.LTable, i int, v lua.LValue) (bytes int64) {
	tb := tableOf(t)
	bytes = listGrowth(tb, i, v == lua.LNil)
	tb.reach(i)
	t.RawSetInt(i, v)
	return bytes
}
