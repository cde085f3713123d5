package interp

import lua "github.com/yuin/gopher-lua"

// The contents of a table as they are kept, for package heap: what pairs, next and # depend on.

// Contents returns the list part of a table and its other keys in the order of pairs. Holes of the list part are LNil.
// The keys include those that were removed: they keep their places. The slices belong to the table.
func Contents(t *lua.LTable) (list, keys []lua.LValue) {
	tb := tableOf(t)
	return tb.array, tb.keys
}

// Entry returns the value of a key that [Contents] has returned; LNil if it was removed.
func Entry(t *lua.LTable, key lua.LValue) lua.LValue {
	tb := tableOf(t)
	if name, ok := key.(lua.LString); ok {
		if v, ok := tb.strdict[string(name)]; ok {
			return v
		}
		return lua.LNil
	}
	if v, ok := tb.dict[key]; ok {
		return v
	}
	return lua.LNil
}

// SetContents gives a table other contents: list is its list part, and values has the values of keys, LNil for those
// that were removed. The keys must differ. The table keeps both slices of keys and list. The metatable stays.
func SetContents(t *lua.LTable, list, keys, values []lua.LValue) {
	tb := tableOf(t)
	*tb = table{Metatable: tb.Metatable, array: list}
	if len(keys) == 0 {
		return
	}
	tb.keys, tb.k2i = keys, make(map[lua.LValue]int, len(keys))
	names := 0
	for i, key := range keys {
		tb.k2i[key] = i
		if _, ok := key.(lua.LString); ok {
			names++
		}
	}
	if names > 0 {
		tb.strdict = newFields(names)
	}
	if names < len(keys) {
		tb.others()
		tb.dict = make(map[lua.LValue]lua.LValue, len(keys)-names)
	}
	for i, key := range keys {
		if values[i] == lua.LNil {
			continue
		}
		if name, ok := key.(lua.LString); ok {
			tb.strdict[string(name)] = values[i]
		} else {
			tb.dict[key] = values[i]
		}
	}
}
