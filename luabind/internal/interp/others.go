package interp

import lua "github.com/yuin/gopher-lua"

// Entries of tables whose keys are neither names nor in the list part: sets and maps by entity. gopher-lua keeps them in
// a map of values, and each key that there ever was also in a list, for the order of pairs, and in a map of places in
// that list.

// SetOther sets t[key] = v, without metatables. The key is a boolean or a number outside the list part, or anything else
// but a string, nil and NaN. It does what gopher-lua's RawSetH does, with one operation on a map for a key that there
// is and two for a new one, where RawSetH has two and three.
func SetOther(t *lua.LTable, key, v lua.LValue) {
	tb := tableOf(t)
	if v == lua.LNil || tb.dict == nil || tb.k2i == nil {
		t.RawSetH(key, v)
		return
	}
	before := len(tb.dict)
	tb.dict[key] = v
	if len(tb.dict) == before {
		return // the list has the key
	}
	if before < len(tb.keys) { // there are names, or a key was removed, and it may be this one
		if _, known := tb.k2i[key]; known {
			return
		}
	}
	tb.k2i[key] = len(tb.keys)
	tb.keys = append(tb.keys, key)
}
